"""Who watches a table: each connection with the seat it speaks for. Not here: what they are told."""

from __future__ import annotations

from collections.abc import Sequence

from gateway.server.connection import Connection
from protocols.core.told import Told


class Cursors:
    """At most one connection a seat; each has been told everything up to the table's last stored step."""

    def __init__(self) -> None:
        self._seats: dict[int, Connection] = {}

    def attach(self, connection: Connection, seat: int) -> Connection | None:
        """``connection`` speaks for ``seat`` from now on; the older connection of the seat comes back, if any."""
        older = self._seats.get(seat)
        self._seats[seat] = connection
        return older if older is not connection else None

    def detach(self, connection: Connection) -> int | None:
        """The seat nobody speaks for any more; None when the connection has been replaced or never spoke."""
        seat = connection.seat
        if seat is None or self._seats.get(seat) is not connection:
            return None
        del self._seats[seat]
        return seat

    def tell(self, messages: Sequence[Told], but: Connection | None = None) -> None:
        """Tell everybody, except one."""
        for connection in list(self._seats.values()):
            if connection is not but:
                connection.tell(messages)

    def close(self) -> None:
        """Hang up on everybody."""
        for connection in self._seats.values():
            connection.close()
        self._seats.clear()

    def __len__(self) -> int:
        return len(self._seats)
