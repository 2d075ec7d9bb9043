"""Holds the connections of one server: makes them, and tells them when the server stops."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import structlog
import trio
from structlog.contextvars import clear_contextvars

from gateway.admission.connection_limiter import ConnectionLimiter
from gateway.config import Config
from gateway.log_context import log_context
from gateway.metrics import NO_PLACE
from gateway.sessions.connection import Connection, Shared
from gateway.sessions.listener import EntryPoint
from gateway.sessions.peer import Peer
from gateway.sessions.transfer import TransferredPeer, Transfers
from gateway.sessions.wire_log import WireLog, log_to_file
from gateway.sessions.wire_tail import WireTail
from protocols.core.events import Said

FAREWELL: Final = "the server is stopping; come back in a moment, your seat is kept"

_log = structlog.get_logger()


class Connections:
    """``here`` are the connections that are there."""

    def __init__(
        self,
        config: Config,
        here: set[Connection],
        limiter: ConnectionLimiter,
        shared: Shared,
        transfers: Transfers | None,
    ) -> None:
        self._config = config
        self._here = here
        self._limiter = limiter
        self._shared = shared
        self._transfers = transfers
        self._stopping = False

    def reread(self, config: Config) -> None:
        """Log the bytes of new connections, or not, as these settings say."""
        self._config = config

    @property
    def open(self) -> bool:
        """True if clients are let in."""
        return self._shared.background.nursery is not None and not self._stopping

    def enter(self, at: EntryPoint, peer: Peer, address: str, account: str = "") -> None:
        """Let a client in, or hang up when there is no room. ``account`` has logged in already."""
        nursery = self._shared.background.nursery
        admitted = isinstance(peer, TransferredPeer)
        if nursery is None or self._stopping or not self._limiter.take(address, admitted=admitted):
            self._shared.metrics.turned_away[NO_PLACE] += 1
            peer.close()
            return
        number = next(self._shared.numbers)
        self._shared.metrics.entered[at.dialect.name] += 1
        connection = Connection(self._shared, at.rules, peer, at.dialect(at.options), address, number)
        connection.account = account
        if at.dialect.quick_ack:
            peer.acknowledge_at_once()
        connection.options = at.options
        if at.wire_log or self._config.log.wire:
            connection.wire_log = self._wire_log(at, address, number)
        if at.wire_public:
            connection.wire_log = WireTail(connection.wire_log, at.dialect, at.options, public=True)
        if self._transfers is not None and connection.wire_log is None:  # a log is of one process
            connection.beginning = self._transfers.begin(at, peer)
        self._here.add(connection)
        late_s = 0.0 if admitted else self._shared.admission.late_s(at.dialect.name, address)
        nursery.start_soon(self._attend, connection, late_s)

    def _wire_log(self, at: EntryPoint, address: str, number: int) -> WireLog | None:
        """A new transcript; None when there is no room for one: a conversation without it is better than none."""
        path = Path(self._config.server.data) / "wire" / f"{at.dialect.name}-{time.time_ns()}-{number}.txt"
        try:
            return log_to_file(path, at.dialect, at.options, address)
        except OSError as error:
            _log.warning("no wire log", file=str(path), error=str(error), connection=number, peer=address)
            return None

    async def _attend(self, connection: Connection, late_s: float) -> None:
        clear_contextvars()  # the task that let it in may have bound its own
        _log.debug("connected", **log_context(connection))
        try:
            await connection.run(late_s)
        finally:
            _log.debug("gone", **log_context(connection))
            self._shared.ended(connection)
            self._here.discard(connection)
            self._limiter.release(connection.address)

    def tell(self, text: str) -> None:
        """Say this to all clients at tables."""
        for connection in list(self._here):
            if connection.table is not None:
                connection.tell([Said(None, "all", text)])

    async def farewell(self) -> None:
        """Admit no more clients, and tell all of them that the server stops, in their dialect's words.

        Returns when all that waits for clients has left, or after ``limits.shutdown``: some may not read.
        """
        self._stopping = True
        self.tell(FAREWELL)
        with trio.move_on_after(self._config.limits.shutdown_s):
            for connection in list(self._here):
                await connection.drained()
