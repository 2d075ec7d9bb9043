"""A game that the peer wants to play: what the user is told of it, and setting the board up for it.

Not here: whether two started games match (peer.py). Source: H.G. Muller's text of the peer-to-peer protocol.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.clients.xboard.board import GO_ON
from gateway.clients.xboard.ends import side_words
from gateway.clients.xboard.game import WHITE, Game, same, to_move
from gateway.clients.xboard.peer import differences, time_words

if TYPE_CHECKING:
    from gateway.clients.xboard.play import Play


def propose(play: Play, too: str = "") -> None:
    """Tell the user what the peer wants to play, and how to agree."""
    game, level = play.peer.game, play.peer.level
    side = 1 - to_move(game)
    words = [f"{play.peer.called} wants to play {side_words(side)}{too}"]
    words += [time_words(level)] if level else []
    words += [f"rules: {game.variant}"] if game.variant != Game().variant else []
    told = f"{', '.join(words)}."
    if missing := differences(play.board.game, play.level, play.peer, started=False):
        told += f" Here {'; '.join(missing)}. Set up the same, or press Accept in Engine > Engine #1 Settings."
    elif side == WHITE:
        told += " To agree, choose Machine White in the Mode menu."
    else:
        told += " To agree, make your first move as White."
    play.screen.tell(told)


def adopt(play: Play) -> None:
    """Set the board up for the game that the peer proposes; the user's first move, or Machine White, agrees."""
    there, board = play.peer.game, play.board
    target = there if to_move(there) == WHITE else there.back(1)
    if not same(board.shown, target) and not board.set_up(target):
        return
    board.game = target
    if play.peer.level is not None:
        play.level = play.peer.level
    play.peer.send_state(target, play.level)
    play.screen.tell("Make your move as White." if target is there else GO_ON)
