"""A Go connection's knowledge of its table, folded from the events: seats, proposals, the position.

The board is what the events say.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from protocols.core import events as ev
from protocols.core.errors import Why
from protocols.core.followed import FollowedTable, Status
from protocols.core.model import Outcome, Reason, SeatKind
from protocols.core.proposals import Score
from protocols.go_words.vertices import COLOURS

GAME: Final = "go"
SIZE: Final = 19

CROSSED: Final = (Why.WRONG_PLY, Why.NOT_YOUR_TURN, Why.NOT_PLAYING, Why.NOT_NOW, Why.TOO_FAST)
"""Refusals of a move that crossed a takeback or the end on its way: what is told next says what became of it."""


@dataclass(slots=True)
class Table(FollowedTable):
    """``last_words`` is what each seat said last; ``dead`` the squares that were agreed upon.

    ``settled`` counts how often the settling of this game has begun, ``games`` the games begun; ``stops`` are the plies
    at which play has stopped for that; ``programs`` the seats whose lists of dead stones are an engine's.
    ``registered``: seats were given out before, and no other player comes here.
    """

    last_words: dict[int, str] = field(default_factory=dict)
    dead: tuple[int, ...] = ()
    settled: int = 0
    stops: set[int] = field(default_factory=set)
    programs: set[int] = field(default_factory=set)
    games: int = 0
    registered: bool = False

    @property
    def size(self) -> int:
        """Lines of the board."""
        return SIZE if self.settings is None else self.settings.width or SIZE

    @property
    def begun(self) -> bool:
        """True if a game is on, be it interrupted."""
        return self.status in (Status.PLAYING, Status.SETTLING, Status.ADJOURNED)

    @property
    def rival(self) -> str:
        """The name of the opponent, or a general word without one."""
        names = [held.name for held in self.seats if held.index != self.seat and held.name]
        return names[0] if names else "your opponent"

    @property
    def against_bot(self) -> bool:
        """True if a house bot sits opposite, which proposes nothing."""
        return any(held.kind is SeatKind.BOT for held in self.seats if held.index != self.seat)

    @property
    def against_program(self) -> bool:
        """True if another seat's list of dead stones was an engine's, in this game."""
        return any(seat != self.seat for seat in self.programs)

    def _taken(self, event: ev.SeatTaken) -> None:
        self.registered = self.registered or event.kind is SeatKind.RESERVED

    def _left(self, event: ev.SeatLeft) -> None:
        if event.kind is SeatKind.OPEN:
            self.last_words.pop(event.seat, None)

    def _proposed(self, event: ev.Proposed) -> None:
        if isinstance(event.proposal, Score) and event.proposal.program:
            self.programs.add(event.seat)

    def _agreed(self, event: ev.Agreed) -> None:
        if isinstance(event.proposal, Score):
            self.dead = event.proposal.dead

    def _said(self, event: ev.Said) -> None:
        if event.seat is not None:
            self.last_words[event.seat] = event.text

    def _started(self, event: ev.GameStarted) -> None:
        self.dead, self.settled = (), 0
        self.stops, self.programs = set(), set()
        self.games += 1

    def _back(self, event: ev.MovesTakenBack) -> None:
        self.stops = {stop for stop in self.stops if stop <= event.ply}

    def _settling(self, event: ev.GameSettling) -> None:
        self.settled += 1
        self.stops.add(len(self.moves))


def result(outcome: Outcome) -> str:
    """A result as Go writes it: "B+3.5", "W+R", "W+T", "B+F", "0", "Void"."""
    if outcome.reason is Reason.VOID:
        return "Void"
    if outcome.winner is None:
        return "0"
    letter = COLOURS[outcome.winner != 0][0].upper()
    if outcome.reason is Reason.RULES and outcome.detail.startswith(f"{letter}+"):
        return outcome.detail
    return f"{letter}+{_REASONS.get(outcome.reason, 'F')}"


_REASONS: Final = {Reason.RESIGNATION: "R", Reason.TIME: "T", Reason.RULES: "", Reason.AGREEMENT: ""}

Table.steps = {
    ev.SeatTaken: Table._taken,
    ev.SeatLeft: Table._left,
    ev.Proposed: Table._proposed,
    ev.Agreed: Table._agreed,
    ev.Said: Table._said,
    ev.GameStarted: Table._started,
    ev.MovesTakenBack: Table._back,
    ev.GameSettling: Table._settling,
}
