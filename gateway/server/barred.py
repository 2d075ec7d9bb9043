"""Bans at work: who is banned is hung up on, or told why, and sent away from wherever they sit.

Connections from a banned network end before the first word, whatever is spoken there; a banned name is refused in the
dialect's words when it asks for a seat. Bans that other processes add are learnt within seconds. Not here: where they
are kept (gateway.store.bans).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.lobby.banned import Banned, in_words
from gateway.server.about import about
from gateway.server.metrics import BANNED
from gateway.store.bans import Ban
from protocols.core.errors import Refused, Why
from protocols.core.events import Said

if TYPE_CHECKING:
    from gateway.server.connection import Connection
    from gateway.server.house import House

BANS_S: Final = 5.0
"""Seconds until a ban that was added on the command line works here, or one that was taken back does no more."""

_log = structlog.get_logger()


class Barred:
    """Knows who may not come in."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._banned = Banned()
        self._elsewhere: list[Callable[[Callable[[str], str]], None]] = []

    def also(self, send_away: Callable[[Callable[[str], str]], None]) -> None:
        """Call this, too, when bans were learnt, with what says why an address is banned: for those who are here and
        play at no table."""
        self._elsewhere.append(send_away)

    async def learn(self) -> None:
        """Read the bans anew, and send away whom they concern."""
        self._banned = Banned(await self._house.scribe.call(self._house.bans.current, time.time()))
        for send_away in self._elsewhere:
            send_away(self.address)
        for connection in list(self._house.connections):
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
        """Why nobody comes in from there, in words; "" when they may."""
        ban = self._banned.address(host, time.time())
        return "" if ban is None else in_words(ban)

    def check(self, name: str) -> None:
        """Refused (BANNED): nobody plays here under this name."""
        if name and (ban := self._banned.name(name, time.time())):
            raise Refused(Why.BANNED, in_words(ban))

    def _concerned(self, connection: Connection) -> Ban | None:
        table, seat, name = connection.table, connection.seat, ""
        if table is not None:
            name = table.cursors.observer(connection) or "" if seat is None else table.state.seats[seat].name
        now = time.time()
        return self._banned.address(connection.address, now) or (self._banned.name(name, now) if name else None)

    def _send_away(self, connection: Connection, ban: Ban) -> None:
        self._house.metrics.closed[BANNED] += 1
        _log.info("connection closed", why=BANNED, target=ban.target, **about(connection))
        if connection.table is not None:
            connection.tell([Said(None, "all", in_words(ban))])
        connection.close()
