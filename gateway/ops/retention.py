"""Deletes finished games as old as the settings say, a few at a time, while no move is waiting.

Tables that run here are spared, finished or not. Of several nodes of one database one does it.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Container
from contextlib import closing
from typing import Final

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.commits.commit_queue import CommitQueue
from gateway.config import Config
from gateway.store.acts import SERVER
from gateway.store.pruning import Pruning

ROUND_S: Final = 3600.0
"""Seconds between two looks at what has become old: those that wait to be deleted are days old."""

BREATHER_S: Final = 0.5
"""Seconds between two steps: deleting never takes more than a tenth of the database's time."""

_log = structlog.get_logger()


class Retention:
    """Deletes games of the database that are older than ``after_s`` seconds, None: none, but for tables that are
    ``running``. ``may`` says whether this node does it."""

    def __init__(
        self,
        database_url: str,
        commits: CommitQueue,
        running: Container[int],
        after_s: float | None,
        may: Callable[[], Awaitable[bool]],
    ) -> None:
        self._database_url = database_url
        self._commits = commits
        self._running = running
        self._after_s = after_s
        self._may = may
        self._news = trio.Event()

    def reread(self, config: Config) -> None:
        """Delete what these settings say; where they say something else than before, look at once."""
        if config.record.delete_after_s != self._after_s:
            self._after_s = config.record.delete_after_s
            self._news.set()

    async def run(self) -> None:
        """Look now and then until cancelled. A database in trouble is tried again with the next round."""
        while True:
            if self._after_s is not None:
                await self._forget(self._after_s)
            with trio.move_on_after(ROUND_S):
                await self._news.wait()
            self._news = trio.Event()

    async def _forget(self, after_s: float) -> None:
        try:
            before = time.time() - after_s
            gone = await _round(self._database_url, self._commits, self._running, before) if await self._may() else 0
        except SQLAlchemyError as error:
            _log.warning("finished games cannot be deleted", error=str(error))
        else:
            if gone:
                _log.info("finished games deleted", count=gone)


async def _round(database_url: str, commits: CommitQueue, running: Container[int], before: float) -> int:
    gone = 0
    with closing(Pruning(database_url, before, SERVER)) as pruning:
        while (step := await trio.to_thread.run_sync(pruning.step, running)) is not None:
            gone += step
            await trio.sleep(BREATHER_S)
            while commits.oldest_s():  # noqa: ASYNC110  # a busy record is left alone until it is idle for once
                await trio.sleep(BREATHER_S)
    return gone
