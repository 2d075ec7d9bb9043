"""Offers during a game: takebacks, draws, interruptions and ends without a result, resumptions.

The peer's offers become questions to the user, in a window of their own and by the buttons of the engine settings; the
user's become words to the peer. Source: H.G. Muller's text (remove, undo) and the words beside it that Boardgate knows.
"""

from __future__ import annotations

from typing import Final, Protocol

from clients.xboard.board import Board
from clients.xboard.clocks import Clocks
from clients.xboard.game import drawish, to_move
from clients.xboard.peer import Peer
from clients.xboard.screen import Screen
from protocols.cecp import engine_lines
from protocols.chess_p2p import messages as p2p

HOW: Final = "(yes or no; or Accept in Engine > Engine #1 Settings)"
YES: Final = frozenset(("y", "yes", "ok", "j", "ja", "o", "oui", "s", "si", "accept", "1"))


_STOPS: Final[dict[type[p2p.Message], tuple[str, str, str]]] = {
    p2p.Adjourn: ("ADJOURN", "to adjourn the game", "adjourned"),
    p2p.Abort: ("ABORT", "to abort the game", "aborted"),
}
"""The offers that end a game without a result: the tag of the question, what is wanted, and what the game is then."""


class Ongoing(Protocol):
    """The game that an offer is about, and what an agreement does to it."""

    screen: Screen
    peer: Peer
    board: Board
    clocks: Clocks

    @property
    def playing(self) -> bool: ...

    def start(self) -> None: ...

    def finish(self) -> None: ...

    def end_by_agreement(self) -> None: ...

    def stop(self, how: str) -> None: ...


class Offers:
    """``open`` are the peer's offers by tag, the newest last. A move answers what the other side offers."""

    def __init__(self, play: Ongoing) -> None:
        self._play = play
        self.open: dict[str, p2p.Message] = {}
        self.retracting = False
        """Our user has taken two plies back and waits for the peer's consent."""
        self.given_back = False
        """True when our side has confirmed a takeback; the peer's new start needs no further question."""
        self.draw_here = self.draw_agreed = False
        self.stop_here: p2p.Message | None = None
        """The offer of our user that ends the game without a result."""
        self._undone = self._agreed = 0

    @property
    def draw_there(self) -> bool:
        """True if the peer's offer of a draw stands."""
        return "DRAW" in self.open

    def drop(self) -> None:
        """Nothing is offered any more."""
        self.open.clear()
        self.retracting = self.given_back = self.draw_here = self.draw_agreed = False
        self.stop_here = None

    def moved_here(self) -> None:
        """Our user's move answers what the peer offers."""
        self.open.clear()
        self.draw_agreed = False

    def moved_there(self) -> None:
        """The peer's move answers what our user offers. Its own offers stand: a takeback is of one half-move more."""
        self.draw_here, self.draw_agreed, self.stop_here = False, False, None
        asked = self.open.get("TAKEBACK")
        if asked is not None:
            self.open["TAKEBACK"] = p2p.Takeback(asked.plies + 1 if isinstance(asked, p2p.Takeback) else 3)

    def connected(self) -> None:
        """A new connection: what our user offers is said again, but to a server, which keeps it, and tells what stands.

        A server brings the game anew, moves back with all that was retracted, and its Undo is what we have agreed to.
        """
        peer = self._play.peer
        if peer.is_server:
            self._agreed, self.retracting = 2 if self.retracting else 0, False
            return
        self._undone = 0
        peer.send(*([p2p.Remove()] if self.retracting else []))
        if self.draw_here:
            peer.offer(p2p.Draw(), "I offer a draw.")
        if self.stop_here is not None:
            self._offer(self.stop_here)

    def ask_takeback(self) -> None:
        """The GUI is two plies back already: ask the peer to follow."""
        self.retracting, self._undone = True, 0
        self._play.peer.send(p2p.Remove())
        self._play.screen.tell("Your opponent is asked to take the moves back.")

    def offer_draw(self) -> None:
        """The user offers a draw, or agrees to one."""
        play = self._play
        if not play.playing:
            play.screen.tell("There is no game to draw.")
        elif not self.draw_there:
            self.draw_here = True
            play.peer.offer(p2p.Draw(), "I offer a draw.")
            play.screen.tell(f"{play.peer.called} is offered a draw.")
        else:
            self.agree_to_draw()

    def agree_to_draw(self) -> None:
        """Say once that the user takes the peer's offer of a draw."""
        if not self.draw_agreed:
            self.draw_agreed = True
            self._play.peer.send(p2p.Draw())

    def offer_stop(self, message: p2p.Message) -> None:
        """The user wants to interrupt the game, or to end it without a result."""
        tag, wanted, _ = _STOPS[type(message)]
        if not self._play.playing:
            self._play.screen.tell(f"There is no game {wanted.removesuffix(' the game')}.")
        elif tag in self.open:
            self._accept(tag)
        else:
            self.stop_here = message
            self._offer(message)

    def _offer(self, message: p2p.Message) -> None:
        self._play.peer.offer(message, f"I offer {_STOPS[type(message)][1]}.")

    def heard(self, message: p2p.Message) -> None:
        """The peer offers something, agrees or refuses."""
        match message:
            case p2p.Remove() if self.given_back:
                self._play.peer.send(p2p.Undo(), p2p.Undo())  # the answer was lost with its connection
            case p2p.Remove() if self._play.playing:
                self._question("TAKEBACK", message, "wants to take back the last two moves.")
            case p2p.Takeback(plies) if self._play.playing and not (self.retracting and plies == 2):
                self._question("TAKEBACK", message, f"wants to take back {plies} half-moves.")
            case p2p.Draw() if self._play.playing:
                self._draw_heard()
            case p2p.Adjourn() | p2p.Abort() if self._play.playing:
                self._stop_heard(message)
            case p2p.Resume():
                self._question("RESUME", message, "wants to go on with the adjourned game.")
            case p2p.Rematch() if not self._play.playing:
                self._question("REMATCH", message, "wants another game like the last one.")
            case p2p.Undo():
                self._undo_heard()
            case p2p.Takeback() | p2p.Accept():
                self._accepted()
            case p2p.Decline():
                self._declined()

    def refused(self) -> None:
        """The moves that our user took back stand."""
        self.retracting = False
        self._play.screen.tell("The moves stand.")
        self._play.board.restore()

    def answered(self, tag: str, text: str) -> None:
        """The user answered a question."""
        if tag not in self.open:
            self._play.screen.tell("That offer is not open any more.")
        elif text.strip().lower() in YES:
            self._accept(tag)
        else:
            self._decline(tag)

    def pressed(self, button: str) -> None:
        """The user pressed one of the buttons for offers."""
        match button:
            case "Offer adjourn":
                self.offer_stop(p2p.Adjourn())
            case "Offer abort":
                self.offer_stop(p2p.Abort())
            case "Resume":
                self._play.peer.send(p2p.Resume())
            case "Accept" | "Decline" if not self.open:
                self._play.screen.tell("Nothing is offered.")
            case "Accept":
                self._accept(next(reversed(self.open)))
            case "Decline":
                self._decline(next(reversed(self.open)))

    def _question(self, tag: str, message: p2p.Message, words: str) -> None:
        play = self._play
        self.open.pop(tag, None)
        self.open[tag] = message
        if play.screen.computer:
            self._decline(tag)
        else:
            play.screen.ask(tag, f"{play.peer.called} {words} Do you agree? {HOW}")

    def _draw_heard(self) -> None:
        if self.draw_here:
            self._play.end_by_agreement()
            return
        if self._play.screen.computer and drawish(self._play.board.game):
            self._play.peer.send(p2p.Draw())  # the other program claims what the rules give
            return
        self.open["DRAW"] = p2p.Draw()
        self._play.screen.say(engine_lines.OFFER_DRAW)

    def _stop_heard(self, message: p2p.Message) -> None:
        tag, wanted, how = _STOPS[type(message)]
        if self.stop_here == message:
            self._play.stop(how)
        else:
            self._question(tag, message, f"wants {wanted}.")

    def _accept(self, tag: str) -> None:
        message = self.open.pop(tag)
        if isinstance(message, p2p.Remove):
            self._give_back()
        else:
            self._agreed = message.plies if isinstance(message, p2p.Takeback) else 0
            self._play.peer.send(message)

    def _decline(self, tag: str) -> None:
        if isinstance(self.open.pop(tag), p2p.Remove):
            self._play.peer.game = self._play.board.game
        self._play.peer.offer(p2p.Decline(), "I do not agree.")

    def _undo_heard(self) -> None:
        """One ply back: twice as the answer to our request, or as often as our user has agreed to."""
        play = self._play
        if self.retracting:
            self._undone += 1
            if self._undone == 2:
                self._taken_back()
        elif self._agreed > 0 and play.playing:
            self._agreed -= 1
            play.peer.send(p2p.Undo())
            play.board.game = play.peer.game = play.board.game.back(1)
            if self._agreed == 0:
                play.clocks.taken_back()
                self._go_on()

    def _go_on(self) -> None:
        """Go on after the agreed takeback: say Go where the peer is to move; it does where our user is."""
        play, board = self._play, self._play.board
        if not board.straight:
            board.restore()
        if to_move(board.game) == board.opponent:
            play.start()

    def _give_back(self) -> None:
        """Confirm a takeback, and show the position: the peer's next start goes on from there."""
        play = self._play
        play.peer.send(p2p.Undo(), p2p.Undo())
        play.board.game = play.board.game.back(2)
        play.finish()
        play.clocks.taken_back()
        self.given_back = True
        play.peer.game = play.board.game
        play.board.restore()

    def _taken_back(self) -> None:
        """The peer follows: the game stands two plies earlier, and our user's next move starts it again."""
        play, board = self._play, self._play.board
        self.retracting = False
        board.game = play.peer.game = board.game.back(2)
        play.finish()
        play.clocks.taken_back()
        waiting = board.shown.moves[-1] if len(board.shown.moves) > 0 and not board.straight else None
        play.screen.tell(f"{play.peer.called} agrees: the moves are taken back.")
        if waiting is not None:
            board.game = board.game.played(waiting)
            play.peer.send(p2p.Advanced(waiting))
            play.start()

    def _accepted(self) -> None:
        if self.retracting:
            self._taken_back()
        elif self.draw_here:
            self._play.end_by_agreement()
        elif self.stop_here is not None:
            self._play.stop(_STOPS[type(self.stop_here)][2])

    def _declined(self) -> None:
        if self.retracting:
            self.refused()
        if self.draw_here or self.stop_here is not None:
            self.draw_here, self.stop_here = False, None
            self._play.screen.tell(f"{self._play.peer.called} does not agree.")
