"""Enforces bans: closes banned connections, or refuses them in words, and ends those that are here.

Connections from a banned network end before the first word in any dialect; a banned name is refused in the
dialect's words when it asks for a seat. Bans that other processes add are learnt within seconds. gateway.store.bans
keeps them.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any, Final, Protocol

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.lobby.banned import Banned, in_words
from gateway.log_context import log_context
from gateway.metrics import BANNED, Metrics
from gateway.store.bans import Ban, Bans
from protocols.core.errors import Refused, Why
from protocols.core.events import Said
from protocols.core.notifications import Notification

BANS_S: Final = 5.0
"""Seconds until a ban that was added on the command line works here, or one that was taken back does no more."""

_log = structlog.get_logger()


Read = Callable[..., Awaitable[Any]]
"""Calls a blocking function where it may block."""


class Client(Protocol):
    """A connection, as far as bans concern it."""

    @property
    def address(self) -> str:
        """The network address it comes from."""

    @property
    def called(self) -> str:
        """The name under which it plays or looks on; "" without one."""

    @property
    def table(self) -> object | None:
        """Its table."""

    def tell(self, messages: Sequence[Notification]) -> None:
        """Say all of this as one step."""

    def close(self) -> None:
        """Hang up."""


class BanEnforcer:
    """Knows the bans. ``clients`` are the connections that are there; ``read`` calls the database."""

    def __init__(self, bans: Bans, read: Read, clients: Collection[Client], metrics: Metrics) -> None:
        self._bans = bans
        self._read = read
        self._clients = clients
        self._metrics = metrics
        self._banned = Banned()
        self._elsewhere: list[Callable[[Callable[[str], str]], None]] = []

    def also(self, send_away: Callable[[Callable[[str], str]], None]) -> None:
        """Call ``send_away``, too, with each new ban list: for clients that play at no table. Its argument says why an
        address is banned."""
        self._elsewhere.append(send_away)

    async def learn(self) -> None:
        """Read the bans anew, and send banned clients away."""
        self._banned = Banned(await self._read(self._bans.current, time.time()))
        for send_away in self._elsewhere:
            send_away(self.address)
        for connection in list(self._clients) if self._banned else ():
            if ban := self._concerned(connection):
                self._send_away(connection, ban)

    async def follow(self) -> None:
        """Go on reading them until cancelled. Those that are known stay while the database cannot be read."""
        while True:
            await trio.sleep(BANS_S)
            try:
                await self.learn()
            except SQLAlchemyError as error:
                _log.warning("bans cannot be read", error=str(error))

    def address(self, host: str) -> str:
        """Why this address may not connect, in words; "" when it may."""
        ban = self._banned.address(host, time.time())
        return "" if ban is None else in_words(ban)

    def name(self, name: str) -> str:
        """Why this name may not be used, in words; "" when it may."""
        ban = self._banned.name(name, time.time()) if name else None
        return "" if ban is None else in_words(ban)

    def check(self, name: str) -> None:
        """Refused (BANNED): this name is banned."""
        if name and (ban := self._banned.name(name, time.time())):
            raise Refused(Why.BANNED, in_words(ban))

    def _concerned(self, client: Client) -> Ban | None:
        now, name = time.time(), client.called
        return self._banned.address(client.address, now) or (self._banned.name(name, now) if name else None)

    def _send_away(self, connection: Client, ban: Ban) -> None:
        self._metrics.closed[BANNED] += 1
        _log.info("connection closed", why=BANNED, target=ban.target, **log_context(connection))
        if connection.table is not None:
            connection.tell([Said(None, "all", in_words(ban))])
        connection.close()
