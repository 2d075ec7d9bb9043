"""Looks up in the record the tables of other nodes that were not heard of: by a ticket, or by two registered names."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.cluster.calls import NO_ANSWER
from gateway.cluster.gossip import Gossip
from gateway.commits.commit_queue import ASK_S, CommitQueue
from gateway.lobby.lobby import Lobby
from gateway.lobby.spelling import tidy
from gateway.store.records import TableRow, pair_of
from gateway.tables.directory import Tables
from protocols.core.errors import Refused, Why

AGAIN_S: Final = 0.25
"""Seconds until it is looked up again where the database is in trouble."""

_log = structlog.get_logger()


class Recall:
    """``owner`` finds a table's node by the database, and makes it this one where it is nobody's."""

    def __init__(
        self,
        commits: CommitQueue,
        me: int,
        lobby: Lobby,
        tables: Tables,
        gossip: Gossip,
        owner: Callable[[int], Awaitable[int | None]],
    ) -> None:
        self._commits = commits
        self._me = me
        self._lobby = lobby
        self._tables = tables
        self._gossip = gossip
        self._owner = owner

    async def learn(self, rows: Sequence[TableRow]) -> None:
        """Tables of other nodes, as the record has them; those that run are listed by their nodes anew."""
        held = await self._commits.call(self._commits.log.holders, [row.table for row in rows])
        for row in rows:
            if row.node is None or row.node == self._me:
                continue
            if not self._lobby.has_players(row.table):  # of a table that was given on its node may be all that is known
                self._lobby.known(row, held.seats.get(row.table, ()))
            self._gossip.claimed(row.node, row.table, row.epoch)
        self._lobby.restore((ticket.digest, ticket.table, ticket.seat) for ticket in held.tickets)

    async def ticket(self, digest: bytes) -> None:
        """A ticket that is unknown here: another node may have given it out, and not have been heard. As of Learns."""
        await self._look_up(partial(self._commits.log.ticketed, digest))

    async def registered(self, digests: Sequence[bytes]) -> int | None:
        """The table that was registered with these tickets, if it was. Refused (OVERLOAD): not just now."""
        digest = next(filter(None, digests), b"")
        return await self._look_up(partial(self._commits.log.ticketed, digest)) if digest else None

    async def pair(self, name: str, opponent: str) -> None:
        """The same of two names for which no table is known here. Refused (OVERLOAD): not just now."""
        pair = pair_of((tidy(name), tidy(opponent)))
        if pair is None or self._lobby.registered_pair(name, opponent) is not None:
            return
        table = await self._look_up(partial(self._commits.log.paired, pair))
        if table is not None and self._lobby.registered_pair(name, opponent) is None:
            await self._owner(table)  # it is this node's then, or it is over

    async def _look_up(self, find: Callable[[], int | None]) -> int | None:
        """The table that ``find`` finds in the record, which is known here then. Refused (OVERLOAD): not just now."""
        with trio.move_on_after(ASK_S):
            while True:
                try:
                    table = await self._commits.call(find)
                    if table is not None:
                        found = await self._commits.call(self._commits.log.load, [table])
                        await self.learn([one.row for one in found if not self._tables.has(table)])
                    return table
                except SQLAlchemyError as error:
                    _log.warning("a seat cannot be looked up", error=str(error))
                await trio.sleep(AGAIN_S)
        raise Refused(Why.OVERLOAD, NO_ANSWER)
