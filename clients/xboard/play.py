"""The game between the GUI's user and the peer, from the first go to the result.

Both sides begin in SETUP. A user who starts to play has OFFERED a game until the peer has accepted; PLAYING ends with a
result; CLAIMED is the time until the peer has confirmed the one that our GUI stated.

After a lost connection or an adjournment either end tells its GUI's whole state, and Go where its user is not on move;
the end that hears Go compares and answers Accepted. So a move that one of them misses is in the state that the other
tells, once. Source: H.G. Muller's text of the peer-to-peer protocol; what it leaves open is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any, Final

from clients.xboard.board import GO_ON, Board
from clients.xboard.clocks import Clocks
from clients.xboard.game import WHITE, Game, doubtful, end_lines, normal, reason, same, side_words, to_move
from clients.xboard.offers import Offers
from clients.xboard.peer import Level, Peer, differences, time_words
from clients.xboard.screen import Screen
from protocols.cecp import engine_lines
from protocols.chess_p2p import messages as p2p

DOUBT_S: Final = 3.0
"""Seconds a GUI that referees two programs gets to see by itself what its clocks will soon show."""

SYNC_S: Final = 20.0
"""Seconds in which a game that was interrupted must be known at the other end again."""

TOLD_S: Final = 2.0
"""Seconds in which a peer that tells its state during a game is done with it."""


class Phase(Enum):
    SETUP = auto()
    OFFERED = auto()
    PLAYING = auto()
    CLAIMED = auto()


class Play:
    """One game after the other. ``now`` is set by the caller.

    ``echo`` is our user's move that the peer has not echoed yet. While ``sync_by`` is set the peer is telling the game
    anew; ``doubt`` is a result that the GUI would not believe yet, and when it is told nevertheless. ``claim`` is the
    result that our GUI stated, ``adjourned`` a game that ended without one and may go on.
    """

    def __init__(self, screen: Screen, peer: Peer) -> None:
        self.screen = screen
        self.peer = peer
        self.clocks = Clocks()
        self.board = Board(screen, self.clocks)
        self.offers = Offers(self)
        self.phase = Phase.SETUP
        self.level: Level | None = None
        self.now = 0.0
        self.echo: str | None = None
        self.sync_by: float | None = None
        self.doubt: tuple[float, str] | None = None
        self.claim: p2p.Result | None = None
        self.adjourned: Game | None = None

    @property
    def playing(self) -> bool:
        """True if a game is on."""
        return self.phase is Phase.PLAYING

    def heard(self, message: p2p.Message) -> None:
        """The peer said something about the game; its copy of the remote state has followed already."""
        step = _STEPS.get(type(message))
        if step is not None:
            step(self, message)
        else:
            self.offers.heard(message)

    def tick(self, now: float) -> None:
        """Time has passed."""
        self.now = now
        if self.sync_by is not None and now >= self.sync_by:
            give_up_waiting(self)
        if self.doubt is not None and now >= self.doubt[0]:
            self.screen.say(self.doubt[1])
            self.doubt = None

    def deadline(self) -> float | None:
        """The next time at which ``tick`` has something to do."""
        times = (self.sync_by, self.doubt[0] if self.doubt else None)
        return min((time for time in times if time is not None), default=None)

    @property
    def interrupted(self) -> bool:
        """True if our GUI regards a game as over that may not be over for the peer."""
        return self.phase is Phase.CLAIMED

    def resume(self) -> None:
        """A game that was on before is on again."""
        self.sync_by = self.adjourned = None
        self.phase = Phase.PLAYING

    def claimed(self) -> None:
        """The result that our GUI has stated waits for the peer's."""
        self.phase = Phase.CLAIMED

    def gui_ended(self, result: str, comment: str) -> None:
        """The GUI regards the game as over: by its user's resignation, its clocks, or the rules."""
        self.doubt = None
        if self.phase in (Phase.SETUP, Phase.CLAIMED):
            return
        self.claim = p2p.Result(result, comment)
        if result == "1/2-1/2" and self.offers.draw_there:
            self.offers.agree_to_draw()  # this ends the game: nothing is left to claim
        else:
            self.peer.send(self.claim)
        self.board.closed = True
        self.clocks.forget()
        self.phase = Phase.CLAIMED if self.playing else Phase.SETUP
        self.offers.drop()

    def show_unfinished(self) -> None:
        """End the game in the GUI without a result."""
        self.board.set_up(self.board.white_to_move())

    def start(self) -> None:
        """The GUI expects a move of us: say so to the peer, who checks whether the games match."""
        self.phase = Phase.OFFERED
        self.peer.send(p2p.Go())
        if not self.peer.connected:
            self.screen.tell("Not connected yet: your game is offered as soon as somebody is there.")

    def moved_in_setup(self, move: str) -> None:
        board = self.board
        if board.closed:
            self._moved_after_the_end(move)
            return
        self._stop_users_clock()
        if same(board.shown, board.game):
            board.user_played(move)
        else:
            board.game = board.shown = board.shown.played(move)
            self.peer.send_state(board.game.back(1), self.level)
        self.peer.send(p2p.Advanced(move))
        if board.engine == to_move(board.shown):
            self.start()

    def _moved_after_the_end(self, move: str) -> None:
        """The move crossed the end of its game on the way. A GUI that doubts that end has had its time."""
        self.board.shown = self.board.shown.played(move)
        if self.doubt is not None:
            self.tick(self.doubt[0])

    def moved_in_game(self, move: str) -> None:
        board = self.board
        if self.offers.retracting or not board.straight or to_move(board.game) == board.opponent:
            board.shown = board.shown.played(move)
            if not self.offers.retracting:
                self.screen.note("moves outside of the game are not sent")
            return
        board.user_played(move)
        self._stop_users_clock()
        self.offers.moved_here()
        self.echo = move
        self.peer.send(p2p.Advanced(move))

    def _stop_users_clock(self) -> None:
        self.clocks.user_moved(self.now, 0.0 if self.level is None else self.level[2])

    def _peer_new(self, heard: p2p.New) -> None:
        self.clocks.forget()
        listen(self)

    def _peer_moved(self, heard: p2p.Advanced) -> None:
        if self.sync_by is not None or self.phase not in (Phase.PLAYING, Phase.CLAIMED):
            return
        board = self.board
        if self.echo is not None and normal(board.game.back(1), heard.move) == self.echo:
            self.echo = None
            return
        move = normal(board.game, heard.move)
        if to_move(board.game) != board.opponent:
            self.screen.note(f"not the opponent's turn: {heard.move}")
        elif move is None:
            self.screen.tell(f"{self.peer.called} played {heard.move}, which is illegal here.")
            self.peer.send(p2p.Text(f"{heard.move} is illegal here and was not played."))
        else:
            self.release(move)

    def _peer_set_board(self, heard: p2p.SetBoard) -> None:
        """In the midst of a game: what our GUI did last does not count, here is the position that does."""
        if self.playing and self.sync_by is None:
            correct(self)

    def release(self, move: str) -> None:
        """The opponent's move goes to the GUI, and back to the peer as the echo."""
        self.echo = None
        self.phase = Phase.PLAYING
        self.offers.moved_there()
        self.board.opponent_played(move)
        self.peer.send(p2p.Advanced(move))

    def _check(self) -> None:
        """The second go: the games match and begin, or this is a counter-proposal and our own start is void."""
        if not differences(self.board.game, self.level, self.peer):
            self.peer.send(p2p.Accepted())
            self.begin()
            return
        if not self.screen.computer:
            self.phase = Phase.SETUP
            self.board.set_up(self.board.white_to_move())
        propose(self, too=" too" if self.board.game == self.peer.game else "")

    def _peer_go(self, heard: p2p.Go) -> None:
        if returns(self):
            synchronise(self)
            self.peer.send(p2p.Accepted())
        elif self.offers.given_back and self.peer.game.back(1) == self.board.game:
            self.start()  # the user has agreed to it already
        elif self.phase is Phase.OFFERED:
            self._check()
        else:
            propose(self)

    def _accepted(self, heard: p2p.Accepted) -> None:
        if self.sync_by is not None:
            synchronise(self)
        elif self.phase is Phase.OFFERED:
            self.begin()

    def begin(self) -> None:
        """Both sides have started the same game; the first move was held until now."""
        here, there = self.board.game, self.peer.game
        held = there.moves[-1] if len(there.moves) > len(here.moves) else None
        self.phase = Phase.PLAYING
        self.offers.drop()
        self.screen.opponent(self.peer.name)
        self.screen.forget_texts()
        self.board.begin(to_move(here))
        if held is not None:
            self.release(held)
        else:
            self.echo = here.moves[-1] if here.moves else None

    def _peer_result(self, heard: p2p.Result) -> None:
        phase, self.sync_by = self.phase, None
        if phase not in (Phase.PLAYING, Phase.CLAIMED):
            return
        self.finish()
        self.offers.drop()
        if phase is Phase.PLAYING:
            self._show_end(heard.result, heard.comment)
        if heard.comment and heard.result != "*" and not reason(heard.result, heard.comment):
            self.screen.tell(f"{heard.result}: {heard.comment}")

    def end_by_agreement(self) -> None:
        """Both sides have offered a draw; we saw it first."""
        self.peer.send(p2p.Result("1/2-1/2", "draw by agreement"))
        self.finish()
        self._show_end("1/2-1/2", "draw by agreement")

    def stop(self, how: str) -> None:
        """Both sides have offered that the game is ``how``, "adjourned" or "aborted"; we saw it first."""
        self.peer.send(p2p.Result("*", how))
        self.finish()
        self._show_end("*", f"The game is {how}.")

    def _show_end(self, result: str, comment: str) -> None:
        board, why = self.board, reason(result, comment)
        offered = self.offers.draw_here
        self.clocks.forget()
        self.offers.drop()
        if result == "*":
            self.adjourned = board.game
            self.show_unfinished()
            self.screen.tell(comment or "The game ended without a result.")
        elif self.screen.computer and doubtful(result, why, board.opponent):
            self.doubt = (self.now + DOUBT_S, engine_lines.result(result, why))
        else:
            for line in end_lines(result, why, board.opponent, offered=offered):
                self.screen.say(line)
        board.closed = result != "*"

    def finish(self, *, going: bool = False) -> None:
        """No game is on. ``going``: what the peer has started meanwhile still waits for an answer."""
        self.phase = Phase.SETUP
        self.sync_by = self.echo = self.doubt = self.adjourned = None
        self.peer.going = going


def tell_state(play: Play) -> None:
    """Tell a new connection how the running game stands here, and wait for the other end's word."""
    game = play.board.game
    play.sync_by = play.now + SYNC_S
    play.peer.send_state(game, play.level)
    if to_move(game) == play.board.opponent:
        play.peer.send(p2p.Go())
    play.offers.connected()


def listen(play: Play) -> None:
    """New in the midst of a game: the peer tells how its GUI stands now."""
    if play.sync_by is None and (play.playing or play.interrupted):
        play.sync_by = play.now + TOLD_S
        play.claim = None  # it has been heard, and not believed


def give_up_waiting(play: Play) -> None:
    """Neither Go nor Accepted came: the peer's GUI shows the game, with the other side on move, or it shows another."""
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
    """True if the peer's Go is about the game that is on here, or was until it was adjourned."""
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
        play.screen.say(engine_lines.illegal(board.game.moves[-1]))
        board.shown, board.game = board.shown.back(1), board.game.back(1)
        play.peer.game, play.echo = board.game, None
    else:
        _show(play)


def _show(play: Play) -> None:
    """But a GUI that is back by some moves waits there for the peer's consent."""
    if not play.board.straight and not play.offers.retracting:
        play.board.restore()


def _begins_with(here: Game, there: Game) -> bool:
    """True if there is nothing in the peer's game that is not in ours."""
    moves = len(there.moves)
    return (here.variant, here.start, here.moves[:moves]) == (there.variant, there.start, there.moves)


def propose(play: Play, too: str = "") -> None:
    """Tell the user which game the peer wants, and how to agree."""
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


_STEPS: Final[Mapping[type, Callable[[Play, Any], None]]] = {
    p2p.New: Play._peer_new,
    p2p.SetBoard: Play._peer_set_board,
    p2p.Advanced: Play._peer_moved,
    p2p.Go: Play._peer_go,
    p2p.Accepted: Play._accepted,
    p2p.Result: Play._peer_result,
}
