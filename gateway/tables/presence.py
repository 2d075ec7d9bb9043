"""Says who is at a table: for each seat the dialect, the program, whether it is there and its delay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from gateway.table.state import State, Status
from gateway.tables.subscribers import Subscribers
from protocols.core.model import Seat, SeatKind

There = Literal["here", "lost", "bot", "empty"]
"""``lost``: the player's seat is kept, and its client is gone. ``empty`` seats may be registered for a player."""

MS: Final = 1000


@dataclass(frozen=True, slots=True)
class SeatPresence:
    """``dialect`` and ``program`` are of the client that is there, "" where none is or where it does not say.

    ``lag_ms`` is half its round trip; None: nothing was measured.
    """

    seat: int
    dialect: str
    program: str
    state: There
    lag_ms: int | None


@dataclass(frozen=True, slots=True)
class Presence:
    """``watching`` counts the observers."""

    seats: tuple[SeatPresence, ...] = ()
    watching: int = 0


def presence(state: State, subscribers: Subscribers) -> Presence:
    """The players and watchers that are at this table now."""
    begun = state.status is not Status.OPEN
    return Presence(tuple(_seat(seat, subscribers, begun) for seat in state.seats), subscribers.observers)


def _seat(seat: Seat, subscribers: Subscribers, begun: bool) -> SeatPresence:
    client = subscribers.at(seat.index)
    if client is None or seat.kind is SeatKind.BOT:
        return SeatPresence(seat.index, "", "", _nobody(seat.kind, begun), None)
    lag_s = client.lag_s()
    lag_ms = round(lag_s * MS) if lag_s else None
    return SeatPresence(seat.index, client.dialect.name, client.program, "here", lag_ms)


def _nobody(kind: SeatKind, begun: bool) -> There:
    if kind is SeatKind.BOT:
        return "bot"
    if kind is SeatKind.RESERVED and not begun:
        return "empty"
    return "empty" if kind in (SeatKind.OPEN, SeatKind.NONE) else "lost"
