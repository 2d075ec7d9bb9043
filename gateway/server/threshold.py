"""Who may come in over it: asked before anything is made for them, and made narrower by those who spoil it.

Not here: counting connections (limits.py), how fast they are accepted (gateway.net.sockets).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
import trio

from gateway.server.about import about
from gateway.server.metrics import NO_PLACE, PROTOCOL

if TYPE_CHECKING:
    from gateway.server.connection import Connection
    from gateway.server.house import House

_log = structlog.get_logger()


class Threshold:
    """Of all listeners of dialects together."""

    def __init__(self, house: House) -> None:
        self._house = house

    def admits(self, address: str) -> bool:
        """Whether somebody who has connected from there may come in; else it is counted, and is to be hung up on."""
        if self._house.running and self._house.doors.admits(address, trio.current_time()):
            return True
        self._house.metrics.turned_away[NO_PLACE] += 1
        return False

    def broken(self, connection: Connection, why: str) -> None:
        """This connection does not speak what is spoken here."""
        self._house.metrics.closed[PROTOCOL] += 1
        self._house.often.info(_log, "protocol broken", error=why, **about(connection))
        self._house.doors.spoilt(connection.address)
