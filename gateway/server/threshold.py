"""Who may come in over it: asked before anything is made for them, and made narrower by those who spoil it.

``Threshold`` is for dialects, ``WebThreshold`` for HTTP; whoever is turned away at either is counted.

Not here: counting connections (limits.py), how fast they are accepted (gateway.net.sockets).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
import trio

from gateway.server.about import about
from gateway.server.metrics import NO_PLACE, NO_TLS, PROTOCOL

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

    def no_tls(self, listener: str, host: str, why: str) -> None:
        """Somebody there has not come to TLS."""
        self._house.metrics.turned_away[NO_TLS] += 1
        self._house.doors.spoilt(host)
        self._house.lines.info(_log, "no TLS", listener=listener, peer=host, why=why)

    def broken(self, connection: Connection, why: str) -> None:
        """This connection does not speak what is spoken here."""
        self._house.metrics.closed[PROTOCOL] += 1
        self._house.lines.info(_log, "protocol broken", error=why, **about(connection))
        self._house.doors.spoilt(connection.address)


class WebThreshold:
    """Of listeners of HTTP: who finds no place is told so, and hangs up."""

    def __init__(self, house: House) -> None:
        self._house = house

    def admits(self, address: str) -> bool:
        """Whether somebody from there may come at all: not banned, and not coming all the time.

        Also while the server starts or stops: /readyz says so.
        """
        return self._counted(self._house.doors.welcomes(address, trio.current_time()))

    def take(self, address: str) -> bool:
        """Count a connection; False, and nothing counted, when there is no place."""
        return self._counted(self._house.doors.take(address))

    def release(self, address: str) -> None:
        """Give the place back."""
        self._house.doors.release(address)

    def no_tls(self, listener: str, address: str, why: str) -> None:
        """Somebody there has not come to TLS."""
        self._house.threshold.no_tls(listener, address, why)

    def _counted(self, inside: bool) -> bool:
        self._house.metrics.turned_away[NO_PLACE] += not inside
        return inside
