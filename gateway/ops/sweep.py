"""Closes connections whose deadline has passed: looks at each twice a second."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Final

import structlog
import trio

from gateway.config import Config, Limits
from gateway.log_context import log_context
from gateway.metrics import DEAF, IDLE, NO_SEAT, SILENT, Metrics
from gateway.net.log_limiter import LogLimiter
from gateway.sessions.connection import Connection

SWEEP_S: Final = 0.5
"""Seconds between two looks at every connection's deadlines; they are that exact."""

AT_ONCE: Final = 100
"""Connections that are looked at before others are served: a tenth of a millisecond. Moves waited for two thousand."""

_log = structlog.get_logger()


class Sweep:
    """``each`` is called with the time at every look, for all else that is due now and then."""

    def __init__(
        self,
        connections: Collection[Connection],
        limits: Limits,
        metrics: Metrics,
        lines: LogLimiter,
        each: Callable[[float], None],
    ) -> None:
        self._connections = connections
        self._limits = limits
        self._metrics = metrics
        self._lines = lines
        self._each = each

    def reread(self, config: Config) -> None:
        """Close by the deadlines of these settings from the next look on."""
        self._limits = config.limits

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            begun = trio.current_time()
            await trio.sleep(SWEEP_S)
            now = trio.current_time()
            self._metrics.late_s.note(now - begun - SWEEP_S)
            self._each(now)
            here = list(self._connections)
            for first in range(0, len(here), AT_ONCE):
                self._chase(here[first : first + AT_ONCE], now)
                await trio.lowlevel.checkpoint()
            here.clear()  # or it would keep them until the next look

    def _chase(self, connections: Iterable[Connection], now: float) -> None:
        for connection in connections:
            if why := overdue(connection, self._limits, now):
                self._metrics.closed[why] += 1
                self._lines.info(_log, "connection closed", why=why, **log_context(connection))
                connection.close()
            else:
                connection.chase(now)
                probe(connection, now)
                keep_alive(connection, now)


def overdue(connection: Connection, limits: Limits, now: float) -> str:
    """Why this connection has to end; "" when it may stay."""
    patience_s = limits.lobby_s if connection.dialect.patient else limits.handshake_s
    if not (connection.follows or connection.dialect.stays) and now - connection.since > patience_s:
        return NO_SEAT
    if limits.idle_s is not None and now - connection.heard > limits.idle_s:
        return IDLE
    if connection.unread_since is not None and now - connection.unread_since > limits.unread_s:
        return DEAF
    if connection.heard < connection.probed < now - connection.dialect.silence_s:
        return SILENT
    return ""


def probe(connection: Connection, now: float) -> None:
    """Ask a peer with a seat that has been silent whether it is there; ``overdue`` says when it has not answered."""
    silence_s = connection.dialect.silence_s
    if silence_s and connection.seat is not None and max(connection.heard, connection.probed) + silence_s < now:
        connection.probed = now
        connection.dialect.probe()
        connection.flush()


def keep_alive(connection: Connection, now: float) -> None:
    """Tell a peer something, where its dialect says that it wants that now and then."""
    alive_s = connection.dialect.keep_alive_s
    if alive_s and connection.kept_alive + alive_s < now:
        connection.kept_alive = now
        connection.keep_alive(now)
