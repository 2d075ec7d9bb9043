"""Who follows a table: its seats' connections and those that look on, each told every event that is for them.

Not here: what the events mean, and which of them a connection's dialect has words for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import trio

from gateway.server.connection import Connection
from protocols.core.events import Said
from protocols.core.told import Told

EVERYBODY: Final = "all"
PLAYERS: Final = "players"
OBSERVERS: Final = "observers"
"""Whom a saying can be meant for; anything else is a player's name."""

MOST_OBSERVERS: Final = 200
"""Observers of one table: each costs every move one more send."""


class Cursors:
    """At most one connection a seat; each has been told everything up to the table's last stored step."""

    def __init__(self) -> None:
        self._seats: dict[int, Connection] = {}
        self._observers: dict[Connection, str] = {}
        self._bell: trio.Event | None = None

    def bell(self) -> trio.Event:
        """Set when the next event has been stored, or the table is gone: for those who read the record itself."""
        if self._bell is None:
            self._bell = trio.Event()
        return self._bell

    @property
    def idle(self) -> bool:
        """Whether nobody sits here, looks on, or waits for the bell."""
        listened = self._bell is not None and self._bell.statistics().tasks_waiting > 0
        return not (self._seats or self._observers or listened)

    def _ring(self) -> None:
        if self._bell is not None:
            self._bell.set()
            self._bell = None

    def attach(self, connection: Connection, seat: int) -> Connection | None:
        """``connection`` speaks for ``seat`` from now on; the older connection of the seat comes back, if any."""
        older = self._seats.get(seat)
        self._seats[seat] = connection
        return older if older is not connection else None

    def watch(self, connection: Connection, name: str) -> None:
        """``connection`` looks on, called ``name``."""
        self._observers[connection] = name

    def observer(self, connection: Connection) -> str | None:
        """What an observer is called; None when it is none of this table."""
        return self._observers.get(connection)

    @property
    def crowded(self) -> bool:
        """Whether nobody more may look on."""
        return len(self._observers) >= MOST_OBSERVERS

    def at(self, seat: int | None) -> Connection | None:
        """The connection that speaks for ``seat``."""
        return None if seat is None else self._seats.get(seat)

    def turn(self, by: int, seats: int) -> None:
        """Everybody moved ``by`` seats on."""
        self._seats = {(seat + by) % seats: connection for seat, connection in self._seats.items()}
        for seat, connection in self._seats.items():
            connection.seat = seat

    def detach(self, connection: Connection) -> int | None:
        """The seat nobody speaks for any more; None when the connection has been replaced or never spoke."""
        self._observers.pop(connection, None)
        seat = connection.seat
        if seat is None or self._seats.get(seat) is not connection:
            return None
        del self._seats[seat]
        return seat

    def tell(self, messages: Sequence[Told], but: Connection | None = None) -> None:
        """Tell everybody, except one; what somebody said only to those it is meant for."""
        self._ring()
        if messages and type(messages[0]) is Said:
            self._pass_on(messages[0])
            messages = messages[1:]
        if not messages:
            return
        for connection in list(self._seats.values()):
            if connection is not but:
                connection.tell(messages)
        for connection in list(self._observers):
            connection.tell(messages)

    def _pass_on(self, said: Said) -> None:
        for seat, connection in list(self._seats.items()):
            if meant_for(said, seat):
                connection.tell([said])
        for connection in list(self._observers):
            if meant_for(said, None):
                connection.tell([said])

    def close(self) -> None:
        """Hang up on everybody."""
        self._ring()
        for connection in (*self._seats.values(), *self._observers):
            connection.close()
        self._seats.clear()
        self._observers.clear()

    def __len__(self) -> int:
        return len(self._seats)


def meant_for(said: Said, seat: int | None) -> bool:
    """Whether who sits at ``seat`` (None: an observer) hears it; whoever has a seat hears what is said to a name.

    At a table everybody knows everybody: a name is how somebody is addressed, not a whisper.
    """
    return said.to == EVERYBODY or (said.to == OBSERVERS) == (seat is None)
