"""At a board: what its player asks there, and what is told of each event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from protocols.core import events as ev
from protocols.core import notifications as ntf
from protocols.core.commands import Command, Decline, Leave, PlayMove, Propose, Resign, Say
from protocols.core.desk import worded
from protocols.core.errors import Why
from protocols.core.followed import Status
from protocols.core.line_text import clean
from protocols.core.model import PASS, Move, Reason
from protocols.core.proposals import Abort, Adjourn, Draw, Proposal, Rematch, Resume, Takeback
from protocols.go_words.vertices import read_move
from protocols.go_words.wish import wish_of
from protocols.igs import words
from protocols.igs.desk import (
    ERROR,
    INFO,
    MOVE,
    NOT_PLAYING,
    PLAYING,
    SCORE,
    SCORING,
    SHOUT,
    TELL,
    UNDO,
    WAITING,
    Desk,
    said,
)
from protocols.igs.seen import REMOVING, RESTORED, Seen
from protocols.igs.settling import Settling

_ASKED: Final[Mapping[type[Proposal], str]] = {
    Takeback: "an undo",
    Adjourn: "an adjournment",
    Draw: "a draw",
    Abort: "to end the game without a result",
    Rematch: "another game",
}
"""Proposals at a board, in words."""

_LOST: Final[Mapping[Reason, str]] = {
    Reason.RESIGNATION: "has resigned the game",
    Reason.TIME: "has run out of time",
    Reason.ABANDONMENT: "has stayed away, and lost the game",
}
"""The end of a game that was not scored, as its loser has met it."""


class Play:
    """The peer's own table, if it has one."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.own: Seen | None = None
        self.settling = Settling(desk)
        self._heading = ""
        """The first line of a game until it has been told: "Creating", "Restoring"."""
        self._refuses_undo = False
        self._owes_stop = False
        """True if play had stopped before a program was there, and it has not been told so."""

    # the own seat

    @property
    def busy(self) -> bool:
        """True if the peer has a seat in a game that goes on, or is about to begin."""
        return self.own is not None and self.own.status not in (Status.OVER, Status.ADJOURNED)

    def gone(self) -> None:
        """The seat is the peer's no more."""
        self.own, self._desk.state = None, WAITING

    def free(self) -> list[Command]:
        """Leave the table of a game that is over, or waits, before another one."""
        if self.own is None or self.busy:
            return []
        waits, self.own = self.own.status is Status.ADJOURNED, None
        return [Leave(lost=waits)]

    def leave(self) -> list[Command]:
        """Leave for good: a game that is played waits for its players."""
        if self.own is None:
            return []
        lost, self.own = self.own.status is not Status.OVER, None
        return [Leave(lost=lost)]

    def seat(self) -> Seen:
        """The own table while a game is played or scored. ValueError: there is none."""
        if self.own is None or self.own.status not in (Status.PLAYING, Status.SETTLING):
            raise ValueError(NOT_PLAYING)
        return self.own

    def sits(self) -> list[Command]:
        """Say, once a seat has been asked for, that it waits for others, where it does."""

        def told() -> None:
            if self.own is not None and not self.own.started:
                told = f"You have a seat at table {self.own.number}; the game begins when all are there."
                self._desk.tell(INFO, told)

        self._desk.finish = told
        return []

    def vertex(self, word: str) -> list[Command]:
        """A stone of one's own, or, in scoring, a string that is dead."""
        seen = self.seat()
        if seen.settling:
            return self.settling.remove(seen, word)
        assert seen.seat is not None
        return self._move(read_move(seen.seat, word, seen.size), seen)

    def _move(self, move: Move, seen: Seen) -> list[Command]:
        desk = self._desk

        def refused(refusal: ntf.Rejected) -> None:
            text = "It is not your move." if refusal.why is Why.NOT_YOUR_TURN else "Illegal move."
            desk.tell(ERROR, clean(refusal.text) if refusal.why in (Why.TOO_FAST, Why.OVERLOAD) else text)

        desk.refused = refused
        return [PlayMove(move, "", len(seen.moves))]

    def go_pass(self, rest: str) -> list[Command]:
        """In scoring it says nothing: some programs pass once more there."""
        seen = self.seat()
        return [] if seen.settling else self._move(PASS, seen)

    def resign(self, rest: str) -> list[Command]:
        self.seat()
        return [Resign()]

    def done(self, rest: str) -> list[Command]:
        return self.settling.done(self._stopped())

    def score(self, rest: str) -> list[Command]:
        return self.settling.score(self._stopped())

    def _stopped(self) -> Seen:
        """The own table while dead stones are named. ValueError: they are not."""
        seen = self.seat()
        if not seen.settling:
            raise ValueError("Neither side has stopped playing.")
        return seen

    def resume(self, rest: str) -> list[Command]:
        """Play on, where play has stopped or waits."""
        if self.own is None or self.own.status not in (Status.SETTLING, Status.ADJOURNED):
            raise ValueError("There is nothing to go on with.")
        return [Propose(Resume())]

    def undo(self, rest: str) -> list[Command]:
        """In scoring all stones are back; else take moves back to where the asker moves again, or grant that."""
        seen = self.seat()
        if seen.settling:
            return self.settling.restore(seen)
        theirs = seen.theirs(Takeback)
        if theirs is not None:
            return [Propose(theirs)]
        if not seen.moves:
            raise ValueError("There is nothing to undo.")
        proposal = Takeback(1 if seen.moves[-1].seat == seen.seat else min(2, len(seen.moves)))
        return self._propose(seen, proposal)

    def no_undo(self, rest: str) -> list[Command]:
        """Refuse what is asked, and all that will be in this game."""
        seen = self.seat()
        self._refuses_undo = True
        self._desk.tell(INFO, "You refuse undos in this game.")
        return [] if seen.theirs(Takeback) is None else [Decline(Takeback.__name__)]

    def adjourn(self, rest: str) -> list[Command]:
        return self._propose(self.seat(), Adjourn())

    def _propose(self, seen: Seen, proposal: Proposal) -> list[Command]:
        def sent() -> None:
            if seen.mine(type(proposal)) is not None:
                self._desk.tell(INFO, f"You have requested {_ASKED[type(proposal)]}.")

        self._desk.finish = sent
        return [Propose(proposal)]

    def settled_before(self, rest: str) -> list[Command]:
        """Komi and handicap belong to the offer: they do not change while a game is played."""
        seen = self.seat()
        assert seen.settings is not None
        self._desk.tell(ERROR, f"Komi is {words.komi(seen.settings)} in this game; it is agreed on before.")
        return []

    def accept(self, rest: str) -> list[Command] | None:
        """Agree to what the opponent proposes; None: nothing such stands."""
        made = self._offered()
        return None if made is None else [Propose(made)]

    def decline(self, rest: str) -> list[Command] | None:
        """Refuse it; ``rest`` may name it, or the opponent. None: nothing such stands."""
        made = self._offered()
        if made is None or self.own is None:
            return None
        kind = type(made).__name__
        named = (kind.lower(), "undo" if kind == "Takeback" else "", self._desk.alias(self.own.other).lower())
        return [Decline(kind)] if not rest or rest.lower() in named else None

    def _offered(self) -> Proposal | None:
        made = [] if self.own is None else [each.proposal for each in self.own.offers()]
        return next((each for each in reversed(made) if type(each) in _ASKED), None)

    def say(self, rest: str) -> list[Command]:
        """To the opponent."""
        if self.own is None:
            raise ValueError("You have no opponent to say something to.")
        return [Say("players", worded(rest))]

    # what is told

    def sat_down(self, seated: ntf.Seated) -> list[Command]:
        """The own seat, with all that happened there before."""
        seen = Seen(number=seated.table)
        seen.catch_up(seated.seat, seated.past)
        self.own, desk, self._refuses_undo = seen, self._desk, False
        if not seen.carried:
            self.own = None
            desk.tell(ERROR, f"Game {seen.number} is none that can be played here.")
            return [Leave(lost=True)]
        desk.tells_ticket(seated.ticket)
        if seen.status is Status.ADJOURNED:
            desk.tell(INFO, f"Your game with {desk.alias(seen.other)} is adjourned; it goes on when you both want to.")
            return [] if seen.mine(Resume) is not None else [Propose(Resume())]
        self._restore(seen)
        return []

    def again(self) -> None:
        """Tell the game that is played once more, to a program that has just come to read lines."""
        if self.own is not None:
            self._desk.state, self.own.untold = WAITING, -1
            self._restore(self.own)

    def _restore(self, seen: Seen) -> None:
        """A game as it stands. That play has stopped is told to people at once, to programs behind the moves that they
        ask for: CGoban has no board before that."""
        if not (seen.playing or seen.settling):
            return
        self._heading = "Restoring"
        if seen.turn is not None or seen.settling:
            self._show(seen)
        if seen.settling:
            self._desk.state, self._owes_stop = SCORING, True
            if not self._desk.client:
                self.listed()
        for made in seen.offers():
            self._proposed(seen, made)

    def listed(self) -> None:
        """The moves of the own game have been listed: tell that play has stopped, if that is owed."""
        seen = self.own
        if self._owes_stop and seen is not None and seen.settling:
            self._tell_stop(seen)

    def told(self, event: ntf.Notification) -> None:
        """Something has happened at the own table."""
        seen = self.own
        if seen is None:
            return
        if isinstance(event, ntf.Rated | ntf.Stakes):
            self._desk.tell(INFO, clean(event.words(seen.seat)))
            return
        before = seen.removed
        if isinstance(event, ev.MovesTakenBack):
            self._desk.tell(UNDO, *seen.undone(event, self._desk.alias))
        seen.fold(event)
        if not isinstance(event, ev.Agreed):
            seat = getattr(event, "seat", None)
            self.settling.follow(seen, before, seen.other if seat is None else seen.names[seat])
        if (tell := _TELL.get(type(event))) is not None:
            tell(self, seen, event)

    def _started(self, seen: Seen, event: ev.GameStarted) -> None:
        self._heading = "Creating"

    def _goes_on(self, seen: Seen, event: ev.GameResumed) -> None:
        if self._desk.state == SCORING:
            self._desk.state = PLAYING
            self._desk.tell(INFO, "Play goes on.")
        else:
            self._heading = "Restoring"

    def _turned(self, seen: Seen, event: ev.TurnStarted) -> None:
        self._show(seen)

    def _clock_set(self, seen: Seen, event: ev.ClockSet) -> None:
        if event.clock.running is not None and self._heading:
            self._show(seen)

    def _show(self, seen: Seen) -> None:
        """The moves that are new, below what heads a game that begins. The prompt says then that it is played."""
        desk = self._desk
        if self._heading:
            self._head(seen)
        if moves := seen.news():
            desk.tell(MOVE, seen.heading(desk.alias), *moves)
        elif desk.state != PLAYING:
            desk.tell(MOVE, seen.heading(desk.alias))
        desk.state = PLAYING

    def _head(self, seen: Seen) -> None:
        desk, settings, other = self._desk, seen.settings, self._desk.alias(seen.other)
        assert settings is not None
        heading, self._heading = self._heading, ""
        if heading == "Restoring":
            desk.tell(INFO, f"{other} has restarted your game.")
        if heading == "Creating":
            desk.tell(INFO, f"Match [{seen.number}] with {other} in {words.minutes(settings)[0]} accepted.")
        desk.tell(INFO, f"{heading} match [{seen.number}] with {other}.")
        desk.tell(INFO, f"Komi set to {words.komi(settings)} in match {seen.number}; {words.rules(wish_of(settings))}")

    def _stops(self, seen: Seen, event: ev.GameSettling) -> None:
        """The pass that stops play is told by no line of its own: the prompt says it."""
        desk = self._desk
        moves = seen.news()
        if seen.moves and seen.moves[-1].move == PASS:
            moves = moves[:-1]
        if moves:
            desk.tell(MOVE, seen.heading(desk.alias), *moves)
        self._tell_stop(seen)
        desk.state = SCORING

    def _tell_stop(self, seen: Seen) -> None:
        """Clients know by these words, which are those of NNGS, that dead stones are to be named."""
        desk, self._owes_stop = self._desk, False
        desk.tell(INFO, "Both have passed: name the dead stones.")
        desk.tell(INFO, "You can check your score with the score command, type 'done' when finished.")
        self.settling.tell(seen, seen.removed, seen.other)

    def _proposed(self, seen: Seen, event: ev.Proposed) -> None:
        kind, desk, other = type(event.proposal), self._desk, self._desk.alias(seen.other)
        if event.seat == seen.seat or seen.mine(kind) == event.proposal:
            return
        if kind is Takeback:
            if self._refuses_undo:
                desk.later.append(Decline(kind.__name__))
            else:
                desk.tell(TELL, f"*SYSTEM*: {other} requests undo.")
                desk.tell(INFO, "Use <undo> to take the move back, or <noundo> to refuse.")
        elif kind is Adjourn:
            desk.tell(INFO, f"{other} requests an adjournment.")
            desk.tell(INFO, "Use <adjourn> to adjourn, or <decline adjourn> to refuse.")
        elif kind in _ASKED:
            desk.tell(INFO, f"{other} asks for {_ASKED[kind]}: accept, or decline.".replace("for to", "to"))

    def _declined(self, seen: Seen, event: ev.Declined) -> None:
        kind = next((each for each in _ASKED if each.__name__ == event.kind), None)
        if event.seat != seen.seat and kind is not None:
            self._desk.tell(
                INFO, f"{self._desk.alias(seen.other)} declines {_ASKED[kind].replace('to end', 'ending')}."
            )

    def _adjourned(self, seen: Seen, event: ev.GameAdjourned) -> None:
        desk = self._desk
        desk.tell(INFO, "Game has been adjourned.")
        desk.tell(SHOUT, f"{{{seen.versus(desk.alias)} has adjourned.}}")
        desk.state, self.own = WAITING, None
        desk.later.append(Leave(lost=True))

    def _ended(self, seen: Seen, event: ev.GameEnded) -> None:
        desk, outcome = self._desk, event.outcome
        moves = seen.news()
        if moves and desk.state == PLAYING:
            desk.tell(MOVE, seen.heading(desk.alias), *moves)
        black, white = map(desk.alias, seen.names)
        scored = seen.scored()
        if scored is not None:
            desk.tell(SCORE, f"{white} (W:O): {scored[1]:.1f} to {black} (B:#): {scored[0]:.1f}")
        elif outcome.winner is not None:
            loser = black if outcome.winner else white
            desk.tell(INFO, f"{loser} {_LOST.get(outcome.reason, 'has lost the game')}.")
        else:
            desk.tell(INFO, f"The game has no winner{f': {clean(outcome.detail)}' if outcome.detail else ''}.")
        desk.tell(SHOUT, seen.ended(desk.alias))
        desk.state = WAITING

    def _left(self, seen: Seen, event: ev.SeatLeft) -> None:
        if event.seat != seen.seat and event.until and self.busy:
            other = self._desk.alias(seen.other)
            self._desk.tell(INFO, f"{other} has lost the connection; the seat is kept for a while.")

    def _taken(self, seen: Seen, event: ev.SeatTaken) -> None:
        if event.seat != seen.seat and seen.started and self.busy:
            self._desk.tell(INFO, f"{self._desk.alias(event.name)} is back.")

    def _closed(self, seen: Seen, event: ev.TableClosed) -> None:
        if self.busy:
            self._desk.tell(INFO, f"Game {seen.number} is closed.")
        self._desk.state, self.own = WAITING, None

    def _said(self, seen: Seen, event: ev.Said) -> None:
        """Tell what was said; the peer's own come back from those that many hear. Dead stones are told apart."""
        if event.text == RESTORED or event.text.startswith(REMOVING):
            return
        if event.seat is None or event.seat != seen.seat or event.to in ("all", "observers"):
            said(self._desk, event, seen.number, seen.names)


_TELL: Final[Mapping[type, Callable[[Play, Seen, Any], None]]] = {
    ev.GameStarted: Play._started,
    ev.GameResumed: Play._goes_on,
    ev.GameSettling: Play._stops,
    ev.TurnStarted: Play._turned,
    ev.ClockSet: Play._clock_set,
    ev.Proposed: Play._proposed,
    ev.Declined: Play._declined,
    ev.GameAdjourned: Play._adjourned,
    ev.GameEnded: Play._ended,
    ev.SeatLeft: Play._left,
    ev.SeatTaken: Play._taken,
    ev.TableClosed: Play._closed,
    ev.Said: Play._said,
}
"""How each event of the own table is told."""
