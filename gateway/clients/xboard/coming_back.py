"""Back into a game that is on: after a lost connection, an adjournment, or when the peer corrects what our GUI shows.

Either end tells its GUI's whole state, and Go where its user is not on move; who hears Go compares and answers
Accepted. So a move that one of them has not got is in the state that the other one tells, once. Not here: how a game
starts (play.py). Source: H.G. Muller's text; what it leaves open is decided here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gateway.clients.xboard.game import Game, same, to_move
from protocols import cecp_lines
from protocols.chess_p2p import messages as p2p

if TYPE_CHECKING:
    from gateway.clients.xboard.play import Play

SYNC_S: Final = 20.0
"""Seconds in which a game that was interrupted must be known at the other end again."""

TOLD_S: Final = 2.0
"""Seconds in which a peer that tells its state during a game is done with it."""


def tell_state(play: Play) -> None:
    """A new connection in the midst of a game: say how it stands here, and wait for the other end's word."""
    game = play.board.game
    play.sync_by = play.now + SYNC_S
    play.peer.send_state(game, play.level)
    if to_move(game) == play.board.opponent:
        play.peer.send(p2p.Go())


def listen(play: Play) -> None:
    """New in the midst of a game: the peer tells how its GUI stands now."""
    if play.sync_by is None and (play.playing or play.interrupted):
        play.sync_by = play.now + TOLD_S
        play.claim = None  # it has been heard, and not believed


def give_up_waiting(play: Play) -> None:
    """Neither Go nor Accepted came: the peer's GUI shows the game, with somebody else on move, or it shows another."""
    play.sync_by = None
    if not same(play.peer.game, play.board.game):
        play.finish()
        play.screen.tell("The game is not there any more: the other end has turned to another.")
        return
    play.resume()
    _show(play)
    if to_move(play.board.game) == play.board.opponent:
        play.peer.send(p2p.Go())


def returns(play: Play) -> bool:
    """Whether the peer's Go is about the game that is on here, or was until it was adjourned."""
    if play.sync_by is not None or play.interrupted or play.playing:
        return True
    there = play.peer.game
    return play.adjourned is not None and play.adjourned in (there, there.back(1))


def synchronise(play: Play) -> None:
    """The peer has told the game as it knows it: play on from there; no move is lost, none is made twice."""
    board, there = play.board, play.peer.game
    here, claimed = board.game, play.interrupted
    play.resume()
    if claimed and play.claim is not None:
        play.peer.send(play.claim)
        play.claimed()
    elif _begins_with(here, there):
        play.echo = here.moves[-1] if len(there.moves) < len(here.moves) else None
        _show(play)
    elif to_move(here) == board.opponent and same(here, there.back(1)):
        play.release(there.moves[-1])
    elif not same(here, there):
        board.game = there
        board.restore()
    else:
        _show(play)


def correct(play: Play) -> None:
    """The peer shows the position that counts: a move was refused, or moves that were to be taken back stand."""
    board, shown = play.board, play.peer.game
    play.peer.game = board.game
    play.offers.open.pop("TAKEBACK", None)
    if play.offers.retracting:
        play.offers.refused()
    elif board.game.moves and same(shown, board.game.back(1)) and to_move(shown) != board.opponent:
        play.screen.say(cecp_lines.illegal(board.game.moves[-1]))
        board.shown, board.game = board.shown.back(1), board.game.back(1)
        play.peer.game, play.echo = board.game, None
    else:
        _show(play)


def _show(play: Play) -> None:
    if not play.board.straight:
        play.board.restore()


def _begins_with(here: Game, there: Game) -> bool:
    """Whether there is nothing in the peer's game that is not in ours."""
    moves = len(there.moves)
    return (here.variant, here.start, here.moves[:moves]) == (there.variant, there.start, there.moves)
