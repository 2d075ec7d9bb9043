"""Tells of tables who played there and how it ended: what the page of a player lists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from gateway.store.records import StoredEvent
from gateway.store.views import TableView
from protocols.core import events as ev
from protocols.core.model import Outcome, SeatKind

Result = Literal["won", "lost", "drawn", "void", ""]


@dataclass(frozen=True, slots=True)
class GameThere:
    """A game of a table: its ``names`` by seat, as they sat when it began; its ``number`` there, from 1.

    ``at`` is when it ended, or began while it runs; before the first game, of number 0, when the table was opened. Unix
    time.
    """

    table: TableView
    names: tuple[str, ...]
    number: int
    at: float
    outcome: Outcome | None

    def seat_of(self, name: str) -> int | None:
        """The first seat of a person in it; None: it came later, or never played."""
        folded = [held.casefold() for held in self.names]
        return folded.index(name.casefold()) if name.casefold() in folded else None

    def result(self, name: str) -> Result:
        """The outcome for this person; "" while it runs, and for one who did not play."""
        seat = self.seat_of(name)
        if self.outcome is None or seat is None:
            return ""
        if self.outcome.winner is None:
            return "void" if self.outcome.reason == "void" else "drawn"
        return "won" if self.outcome.winner == seat else "lost"


def sitting(events: Iterable[StoredEvent]) -> dict[int, str]:
    """The name that sat last on each seat, from the same events as ``seat_of``; a house bot's if it took nobody's."""
    sat: list[str] = []
    for stored in events:
        match stored.event:
            case ev.SeatTaken(seat=seat, kind=kind, name=name):
                sat += [""] * (seat + 1 - len(sat))
                sat[seat] = sat[seat] or name if kind is SeatKind.BOT else name
            case ev.SeatsTurned(by=by):
                sat = [sat[(seat - by) % len(sat)] for seat in range(len(sat))]
    return dict(enumerate(sat))


def seat_of(name: str, events: Iterable[StoredEvent], since: float) -> int | None:
    """The seat that an account had last, from the events of ``Views.turning_points``; None: it never sat there.

    Before ``since`` (Unix time), when the account was made, a player of this name was somebody else.
    """
    found: int | None = None
    seats = 0
    for stored in events:
        match stored.event:
            case ev.SeatTaken(seat=seat, name=taken):
                seats = max(seats, seat + 1)
                found = seat if taken.casefold() == name.casefold() and stored.at >= since else found
            case ev.SeatsTurned(by=by) if found is not None:
                found = (found + by) % seats
    return found


def own_seat(name: str, events: Iterable[ev.Event]) -> int | None:
    """The seat of a person whose place a house bot has taken, or nobody, from the events of ``Views.seating``.

    None: it has none, or another person has sat there since.
    """
    owners: list[str] = []
    for event in events:
        match event:
            case ev.SeatTaken(seat=seat, kind=kind, name=taken):
                owners += [""] * (seat + 1 - len(owners))
                owners[seat] = owners[seat] if kind is SeatKind.BOT else taken.casefold()
            case ev.SeatLeft(seat=seat, kind=SeatKind.OPEN):
                owners[seat] = ""
            case ev.SeatsTurned(by=by):
                owners = owners[-by:] + owners[:-by]
    return owners.index(name.casefold()) if name.casefold() in owners else None


def games_of(table: TableView, events: Iterable[StoredEvent]) -> list[GameThere]:
    """The table's games that ended, and behind them the one that did not, from the events of ``Views.turning_points``.

    At least one: before the first game of a table its number is 0.
    """
    sat = [""] * len(table.seats)
    ended: list[GameThere] = []
    found = GameThere(table, tuple(sat), 0, table.opened_at, None)
    for stored in events:
        match stored.event:
            case ev.SeatTaken(seat=seat, name=name):
                sat += [""] * (seat + 1 - len(sat))
                sat[seat] = name
                if not found.number:
                    found = GameThere(table, tuple(sat), 0, found.at, None)
            case ev.SeatsTurned(by=by):
                sat = [sat[(seat - by) % len(sat)] for seat in range(len(sat))]
            case ev.GameStarted(number=number):
                found = GameThere(table, tuple(sat), number, stored.at, None)
            case ev.GameEnded(outcome=outcome):
                found = GameThere(table, found.names, found.number, stored.at, outcome)
                ended.append(found)
    return ended if found.outcome is not None else [*ended, found]
