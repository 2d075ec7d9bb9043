"""Says who is at a table: for each seat the dialect, the program, whether it is there and its delay."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

import trio

from gateway.table.state import State, Status
from gateway.tables.subscribers import Subscribers
from protocols.core.model import Seat, SeatKind

There = Literal["here", "lost", "bot", "empty"]
"""``lost``: the player's seat is kept, and its client is gone. ``empty`` seats may be registered for a player."""

MS: Final = 1000

NAMES_BYTES: Final = 3500
"""Bytes of observers' names in one answer: half of what the bus carries, for a letter may take more as JSON."""


@dataclass(frozen=True, slots=True)
class SeatPresence:
    """``dialect`` and ``program`` are of the client that is there, "" where none is or where it does not say.

    ``lag_ms`` is half its round trip; None: nothing was measured. ``kept_s`` is how long a lost seat is kept still;
    None: it is not lost, or waits as long as the table does.
    """

    seat: int
    dialect: str
    program: str
    state: There
    lag_ms: int | None
    kept_s: float | None = None


@dataclass(frozen=True, slots=True)
class Presence:
    """``watching`` counts the observers."""

    seats: tuple[SeatPresence, ...] = ()
    watching: int = 0


@dataclass(frozen=True, slots=True)
class Attendance(Presence):
    """The same with what observers are called, as far as there is room; () from a node of an older version."""

    names: tuple[str, ...] = ()


def attendance(state: State, subscribers: Subscribers) -> Attendance:
    """The players and watchers that are at this table now, by name."""
    found = presence(state, subscribers)
    return Attendance(found.seats, found.watching, named(subscribers.named()))


def named(names: Iterable[str]) -> tuple[str, ...]:
    """The first of these names, so many as have room in an answer."""
    room, found = NAMES_BYTES, []
    for name in names:
        room -= len(name.encode())
        if room < 0:
            break
        found.append(name)
    return tuple(found)


def presence(state: State, subscribers: Subscribers) -> Presence:
    """The players and watchers that are at this table now."""
    now = trio.current_time()
    return Presence(tuple(_seat(seat, state, subscribers, now) for seat in state.seats), subscribers.observers)


def _seat(seat: Seat, state: State, subscribers: Subscribers, now: float) -> SeatPresence:
    client, until = subscribers.at(seat.index), state.until[seat.index]
    if client is None or seat.kind is SeatKind.BOT:
        kept_s = round(max(0.0, until - now), 1) if until and seat.kind is SeatKind.RESERVED else None
        begun = state.status is not Status.OPEN
        return SeatPresence(seat.index, "", "", _nobody(seat.kind, begun), None, kept_s)
    lag_s = client.lag_s()
    lag_ms = round(lag_s * MS) if lag_s else None
    return SeatPresence(seat.index, client.speaks, client.program, "here", lag_ms)


def _nobody(kind: SeatKind, begun: bool) -> There:
    if kind is SeatKind.BOT:
        return "bot"
    if kind is SeatKind.RESERVED and not begun:
        return "empty"
    return "empty" if kind in (SeatKind.OPEN, SeatKind.NONE) else "lost"
