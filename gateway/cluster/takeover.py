"""Claims tables that no living node owns, and the roles: a dead node's games go on here, or at another node.

Claims are statements of the database (gateway.store.nodes), so two nodes never claim one table. Open tables belong to
the node that has the role "lobby". A claimed table rests (gateway.tables.recovery) until its grace is over, or until a
client that sits there says so: then it is replayed at once, and the seats of those who are there stay theirs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.cluster import messages
from gateway.cluster.gossip import Gossip
from gateway.cluster.links import Links
from gateway.commits.commit_queue import CommitQueue
from gateway.lobby.lobby import Lobby
from gateway.store.nodes import Nodes
from gateway.store.records import TableRow
from gateway.tables.directory import Tables
from protocols.core.events import TableClosed

LOOK_S: Final = 0.5
"""Seconds between two looks for tables that are nobody's."""

AT_ONCE: Final = 256
"""Tables that are claimed in one statement."""

MOST_UNREAD: Final = 512
"""Claimed tables that wait to be replayed, above which no more are claimed: other nodes may take them."""

GIVEN_LOOKS: Final = 20
"""Every so many looks this node asks for tables that it was given without hearing of it."""

OTHERS_S: Final = 1.0
"""Seconds that players of a claimed table that has not begun have to say that they are there: some milliseconds do."""

CLAIM_S: Final = 5.0
"""Seconds that a claim of one table may take: who asks for it gives up then."""

CLOSED: Final = TableClosed.__name__

LOBBY: Final = "lobby"
JANITOR: Final = "janitor"

_log = structlog.get_logger()


class Takeover:
    """The claims of the node ``me``. ``came`` is called with each table that it has now; while it is ``draining``, it
    gives its tables away, and takes none, nor the lobby."""

    def __init__(
        self,
        nodes: Nodes,
        commits: CommitQueue,
        me: int,
        lobby: Lobby,
        tables: Tables,
        links: Links,
        gossip: Gossip,
        came: Callable[[int], None],
        draining: Callable[[], bool],
    ) -> None:
        self._nodes = nodes
        self._commits = commits
        self._me = me
        self._lobby = lobby
        self._tables = tables
        self._links = links
        self._gossip = gossip
        self._came = came
        self._draining = draining
        self._wake = trio.Event()
        self._looks = 0
        self._adopting: dict[int, trio.Event] = {}  # table that is looked up -> set when it has been taken in
        self._thought_s: dict[int, float] = {}  # table that was given -> seconds, as in ``adopt``
        self.lobby = 0
        """The node that has the lobby, as far as is known; 0: none."""
        self.lobby_epoch = 0
        self.taken_over = 0
        """Tables claimed since the start."""

    @property
    def has_lobby(self) -> bool:
        """True if this node has the lobby."""
        return self.lobby == self._me

    def soon(self) -> None:
        """A node has died, or something else is to be claimed: look at once."""
        self._wake.set()

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            with trio.move_on_after(LOOK_S * random.uniform(0.8, 1.2)):  # no secret
                await self._wake.wait()
            self._wake = trio.Event()
            try:
                await self.look()
            except SQLAlchemyError as error:
                _log.warning("tables cannot be claimed", error=str(error))

    async def look(self, *, first: bool = False) -> None:
        """Take the lobby where it is nobody's, then tables. SQLAlchemyError: the database is in trouble.

        ``first``: those that can be taken at once, and the others soon.
        """
        if first:
            self.soon()
        await self._look_for_lobby()
        self._looks += 1
        if self._looks % GIVEN_LOOKS == 0:
            await self.look_for_given()
        while self._tables.recovery.unread < MOST_UNREAD and not self._draining():
            rows = await self._commits.call(partial(self._nodes.claim, self._me, AT_ONCE, opened=self.has_lobby))
            await self.take(rows)
            self._tables.recovery.claimed(whole=len(rows) < AT_ONCE)
            if first or len(rows) < AT_ONCE:
                return
        self._tables.recovery.claimed(whole=True)  # what is left is another node's, or nobody's for a while

    async def take(self, rows: Sequence[TableRow], thought_s: float | None = None) -> None:
        """The tables are this node's now; ``thought_s`` as in Recovery.take."""
        if not rows:
            return
        held = await self._commits.call(self._commits.log.holders, [row.table for row in rows])
        rows = [row for row in rows if not self._has(row)]  # two clients may have asked for a table that was given
        numbers = [row.table for row in rows]
        for row in rows:
            self._lobby.dropped(row.table, again=True)  # what was heard of it: the record says it now
            self._gossip.ours(row.table, row.epoch)
        self._tables.recovery.take(rows, held, thought_s, OTHERS_S)
        self.taken_over += len(rows)
        for number in numbers:
            self._came(number)
        for first in range(0, len(rows), AT_ONCE):
            part = tuple((row.table, row.epoch) for row in rows[first : first + AT_ONCE])
            self._links.publish(messages.Claimed(part))
        if rows:
            _log.info("tables claimed", count=len(rows))

    def _has(self, row: TableRow) -> bool:
        """True if the table was taken in already, under this epoch."""
        runner = self._tables.get(row.table)
        return self._tables.has(row.table) if runner is None else runner.epoch >= row.epoch

    async def drop_lobby(self) -> None:
        """Another node is to have the lobby."""
        self.lobby = 0
        await self._commits.call(self._nodes.drop_role, self._me, LOBBY)

    async def _look_for_lobby(self) -> None:
        if self._draining():
            found = await self._commits.call(self._nodes.role, LOBBY)
        else:
            found = await self._commits.call(self._nodes.take_role, self._me, LOBBY)
        if found is None:
            self.lobby = 0
            return
        if found.node == self._me and not self.has_lobby:
            _log.info("this node has the lobby", epoch=found.epoch)
            self._links.publish(messages.Lobbying(found.epoch))
        self.hears_lobby(*found)

    def hears_lobby(self, node: int, epoch: int) -> None:
        """The node has the lobby, under this epoch of the role."""
        if epoch >= self.lobby_epoch:
            self.lobby, self.lobby_epoch = node, epoch

    async def claim(self, table: int, *, over: bool) -> bool:
        """Claim one table that a client asks for; whether it is this node's now. ``over``: also if its game is over.

        The client may go meanwhile: what is claimed is taken all the same.
        """
        claim_table = partial(self._nodes.claim_table, self._me, table, opened=self.has_lobby, over=over)
        row = None
        with trio.move_on_after(CLAIM_S, shield=True):
            row = await self._commits.call(claim_table)
            if row is not None and over:
                await self.adopt(table)
            elif row is not None:
                await self.take([row])
        return row is not None

    async def adopt(self, table: int, thought_s: float | None = None) -> bool:
        """Take in a table that the database says is this node's; whether it is. It was given to this node.

        Its game may be over: its players may sit there still, for another one.
        """
        if thought_s is not None:
            self._thought_s[table] = thought_s
        while (adopting := self._adopting.get(table)) is not None:
            await adopting.wait()
        thought_s = self._thought_s.pop(table, None)
        if self._tables.has(table):
            return True
        adopting = self._adopting[table] = trio.Event()
        try:
            found = await self._commits.call(self._commits.log.load, [table])
            mine = [one for one in found if one.row.node == self._me]
            await self.take([one.row for one in mine if one.rows[-1].kind != CLOSED], thought_s)
        finally:
            adopting.set()
            del self._adopting[table]
        return bool(mine)

    async def look_for_given(self) -> None:
        """Take in the tables that were given to this node while it did not hear of it."""
        for table in await self._commits.call(self._nodes.mine, self._me):
            if not self._tables.has(table):
                await self.adopt(table)
