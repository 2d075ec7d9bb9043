"""Notices that another server has claimed tables: one that starts on the same database claims all unfinished ones.

The epochs of this server's tables are looked up every two seconds. A table that another server has claimed is let go:
its players are hung up on, and find their seats there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.commits.commit_queue import CommitQueue

LOOK_S: Final = 2.0
"""Seconds between two looks: players of a claimed table are hung up on within five."""

Epochs = Callable[[], Mapping[int, int]]
"""The epoch of each of some tables, by number."""

_log = structlog.get_logger()


class Ownership:
    """Looks at the ``running`` tables, and at one of the ``resting``: a claim takes all that are unfinished.

    ``let_go`` is called with each table that is another server's.
    """

    def __init__(self, commits: CommitQueue, running: Epochs, resting: Epochs, let_go: Callable[[int], None]) -> None:
        self._commits = commits
        self._running = running
        self._resting = resting
        self._let_go = let_go
        self._displaced = False

    def reasons(self) -> list[str]:
        """The reasons for GameServer.not_ready."""
        return ["another server on this database has taken tables over"] if self._displaced else []

    def displaced(self) -> None:
        """A table of this server was found to be another's."""
        if not self._displaced:
            _log.error("another server on this database has taken tables over; stop one of the two")
        self._displaced = True

    async def watch(self) -> None:
        """Look until cancelled, where a database can have several servers. The commit queue tells of one in trouble."""
        while self._commits.log.shared:
            await trio.sleep(LOOK_S)
            try:
                await self._look()
            except SQLAlchemyError:
                continue

    async def _look(self) -> None:
        resting = self._resting()
        first = dict([*resting.items()][:1])
        claimed = await self._claimed({**self._running(), **first})
        if not claimed:
            return
        self.displaced()
        for table in (*claimed, *await self._claimed(resting)):
            self._let_go(table)

    async def _claimed(self, owned: Mapping[int, int]) -> list[int]:
        """The tables, of ``tables``, whose epoch is another one now."""
        now = await self._commits.call(self._commits.log.epochs, list(owned))
        return [table for table, epoch in now.items() if epoch != owned[table]]
