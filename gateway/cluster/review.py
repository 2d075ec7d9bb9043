"""Holds what was heard of other nodes' tables against the database, where a node has died or words may be lost.

Every claim and every end is in the database before anybody says so. A node that dies says no more of its tables: those
that are not over are claimed, and who claims them tells; nobody tells of the others.
"""

from __future__ import annotations

import math
from typing import Final

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.cluster.gossip import Gossip
from gateway.commits.commit_queue import CommitQueue
from gateway.store.nodes import Nodes, Owner

PAUSE_S: Final = 1.0
"""Seconds between two reviews: a bus that loses much costs the database one a second."""

BROUGHT_S: Final = 1.0
"""Seconds in which the bus brings what it has not lost: what the old node of a table has said is heard first then."""

PART: Final = 1000
"""Tables that are looked at before others are served: a millisecond or two."""

_log = structlog.get_logger()


class Review:
    """The reviews of the node ``me``."""

    def __init__(self, nodes: Nodes, commits: CommitQueue, me: int, gossip: Gossip) -> None:
        self._nodes = nodes
        self._commits = commits
        self._me = me
        self._gossip = gossip
        self._due = trio.Event()

    def soon(self) -> None:
        """A node has died, or words of one may be lost."""
        self._due.set()

    async def run(self) -> None:
        """Review what is due until cancelled, once for all that comes during a pause."""
        while True:
            await self._due.wait()
            self._due = trio.Event()
            try:
                await self._review()
            except SQLAlchemyError as error:
                _log.warning("it cannot be looked up who has which tables", error=str(error))
                self.soon()
            await trio.sleep(PAUSE_S)

    async def _review(self) -> None:
        tables, moved = self._gossip.heard_of(), list[tuple[int, int, int]]()
        for first in range(0, len(tables), PART):
            part = tables[first : first + PART]
            owners = await self._commits.call(self._nodes.owners, part)
            moved += [found for table in part if (found := self._compare(table, owners.get(table))) is not None]
        if moved:
            await trio.sleep(BROUGHT_S)
        for table, node, epoch in moved:
            if self._gossip.owner_of(table) is not None:  # it may be over since
                self._gossip.claimed(node, table, epoch)

    def _compare(self, table: int, owner: Owner | None) -> tuple[int, int, int] | None:
        """Forget a table that is over. One that another node has than was heard: the table, its node and epoch."""
        if owner is None:
            self._gossip.over_under(table, math.inf)
        elif owner.over and not owner.living:
            self._gossip.over_under(table, owner.epoch)
        elif owner.living and owner.node not in (None, self._me):
            there = owner.node, owner.epoch
            return None if self._gossip.owner_of(table) == there else (table, *there)
        return None
