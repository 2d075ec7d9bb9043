"""Twice a second a look at every connection: who is overdue is hung up on. Not here: the limits (settings)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import structlog
import trio

from gateway.server.about import about
from gateway.server.metrics import DEAF, IDLE, NO_SEAT

if TYPE_CHECKING:
    from gateway.config import Limits
    from gateway.server.connection import Connection
    from gateway.server.house import House

SWEEP_S: Final = 0.5
"""Seconds between two looks at every connection's deadlines; they are that exact."""

_log = structlog.get_logger()


async def sweep(house: House) -> None:
    """Close connections whose deadline has passed, until cancelled."""
    while True:
        begun = trio.current_time()
        await trio.sleep(SWEEP_S)
        now = trio.current_time()
        house.metrics.late_s.note(now - begun - SWEEP_S)
        house.drain.look()
        house.doors.forget(now)
        house.given_back.look(now, house.doors.inside)
        house.lines.look(now)
        for connection in list(house.connections):
            connection.chase(now)
            why = overdue(connection, house.config.limits, now)
            if why:
                house.metrics.closed[why] += 1
                house.lines.info(_log, "connection closed", why=why, **about(connection))
                connection.close()


def overdue(connection: Connection, limits: Limits, now: float) -> str:
    """Why this connection has to end; "" when it may stay."""
    patience_s = limits.lobby_s if connection.dialect.patient else limits.handshake_s
    if connection.table is None and now - connection.since > patience_s:
        return NO_SEAT
    if limits.idle_s is not None and now - connection.heard > limits.idle_s:
        return IDLE
    if connection.unread_since is not None and now - connection.unread_since > limits.unread_s:
        return DEAF
    return ""
