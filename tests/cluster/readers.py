"""Reads the record of tables by any node, as the pages' streams do: a bell says when there may be more."""

from __future__ import annotations

import trio

from gateway.store.schema import OVER
from tests.cluster.world import Member

LOOK_S = 1.0
"""Seconds until a reader looks again at a table that its node has not heard of."""


class Reader:
    """A program that follows ``table`` by a node. ``last`` is the last event that it has read."""

    def __init__(self, member: Member, table: int) -> None:
        self.member = member
        self.table = table
        self.last = 0
        self.over = False

    async def run(self) -> None:
        """Until nothing more will happen."""
        tables, commits = self.member.server.tables, self.member.commits
        while True:
            bell = tables.bell(self.table, self.last)  # before the record is read: nothing is missed
            found = await commits.call(commits.log.load, [self.table])
            if found and len(found[0].rows) > self.last:
                self.last = len(found[0].rows)
            elif bell is not None:
                await bell.wait()
            elif not found or found[0].row.status == OVER:
                self.over = True
                return
            else:
                await trio.sleep(LOOK_S)

    def check(self, events: int) -> None:
        """AssertionError: it has not read so many ``events`` of its table, though its node lives."""
        missed = f"who reads table {self.table} by node {self.member.me} knows {self.last} events of {events}"
        assert self.over or not self.member.living or self.last >= events, missed
