"""A table as a dialect follows it from one seat: what every dialect that answers by the state of its table must know.

    table = SomeTable()
    table.catch_up(message.seat, message.past)    # told Seated
    table.fold(event)                             # every event after that

A dialect's own table is a subclass with fields of its own and a step for each event that changes them. Not here: what
is said of any of it, and rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, Final, TypeVar

from protocols.core import events as ev
from protocols.core import standing
from protocols.core.events import Event, Proposed
from protocols.core.model import Clock, Outcome, Settings
from protocols.core.picture import Picture
from protocols.core.proposals import Proposal
from protocols.core.standing import Standing

Kind = TypeVar("Kind", bound=Proposal)


class Status(Enum):
    """Where the table's game stands, as the end of a sentence about it."""

    WAITING = "has not begun"
    PLAYING = "is being played"
    SETTLING = "is being scored"
    ADJOURNED = "is adjourned"
    OVER = "is over"


@dataclass(slots=True)
class FollowedTable:
    """``seat`` is the connection's own, None without one. ``turn`` is None from a move on until the next turn begins.

    ``clock`` is as it was told last, None while nobody keeps time; ``standing`` are the open proposals, oldest first.
    """

    seat: int | None = None
    picture: Picture = field(default_factory=Picture)
    status: Status = Status.WAITING
    turn: int | None = None
    clock: Clock | None = None
    standing: Standing = ()

    steps: ClassVar[Mapping[type, Callable[[Any, Any], None]]] = {}
    """What a subclass does with an event besides; ``standing`` is still as it was when that happened."""

    @property
    def settings(self) -> Settings | None:
        return self.picture.settings

    @property
    def outcome(self) -> Outcome | None:
        return self.picture.outcome

    @property
    def my_turn(self) -> bool:
        """Whether the connection's seat was asked to move, and has not moved since."""
        return self.turn is not None and self.turn == self.seat

    def name(self, seat: int) -> str:
        """Who holds a seat, "" for nobody."""
        return next((held.name for held in self.picture.seats if held.index == seat), "")

    def mine(self, kind: type[Kind]) -> Kind | None:
        """The connection's own open proposal of a kind."""
        found = (made.proposal for made in self.standing if made.seat == self.seat)
        return next((proposal for proposal in found if isinstance(proposal, kind)), None)

    def offers(self) -> list[Proposed]:
        """What others propose, the latest last."""
        return [made for made in self.standing if made.seat != self.seat]

    def theirs(self, kind: type[Kind]) -> Kind | None:
        """What others propose of a kind, the latest of several."""
        found = (made.proposal for made in reversed(self.offers()))
        return next((proposal for proposal in found if isinstance(proposal, kind)), None)

    def proposes(self, seat: int | None, kind: str) -> bool:
        """Whether this seat has an open proposal of a kind, by the name that Declined gives it."""
        return any(made.seat == seat and type(made.proposal).__name__ == kind for made in self.standing)

    def catch_up(self, seat: int | None, past: Sequence[Event]) -> None:
        """Sit at ``seat``, by its number now, and take in all that has happened until now."""
        self.seat = first_seat(seat, past)
        for event in past:
            self.fold(event)

    def fold(self, event: Event) -> None:
        """Take in what happened."""
        self.picture.fold(event)
        match event:
            case ev.SeatsTurned(by=by) if self.seat is not None and self.picture.seats:
                self.seat = (self.seat + by) % len(self.picture.seats)
            case ev.TurnStarted(seat=seat, clock=clock):
                self.turn, self.clock = seat, clock
            case ev.ClockSet(clock=clock):
                self.clock = clock
            case ev.MoveMade():
                self.turn = None
            case _ if type(event) in _STATUS:
                self._go(event)
        step = self.steps.get(type(event))
        if step is not None:
            step(self, event)
        self.standing = standing.after(self.standing, event)

    def _go(self, event: Event) -> None:
        """The game has begun, ended, or been interrupted, or goes on: nobody is on move until that is said."""
        self.status, self.turn = _STATUS[type(event)], None
        if isinstance(event, ev.GameStarted):
            self.clock = None


def first_seat(seat: int | None, past: Sequence[Event]) -> int | None:
    """The number that a seat had when ``past`` began, before the players were turned to other seats."""
    seats = next((event.settings.seats for event in past if isinstance(event, ev.TableOpened)), 0)
    if seat is None or not seats:
        return seat
    return (seat - sum(event.by for event in past if isinstance(event, ev.SeatsTurned))) % seats


_STATUS: Final[Mapping[type, Status]] = {
    ev.GameStarted: Status.PLAYING,
    ev.MovesTakenBack: Status.PLAYING,
    ev.GameSettling: Status.SETTLING,
    ev.GameAdjourned: Status.ADJOURNED,
    ev.GameResumed: Status.PLAYING,
    ev.GameEnded: Status.OVER,
}
