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
from gateway.store.acts import SERVER
from gateway.store.pruning import Pruning

ROUND_S: Final = 3600.0
"""Seconds between two looks at what has become old: those that wait to be deleted are days old."""

BREATHER_S: Final = 0.5
"""Seconds between two steps: deleting never takes more than a tenth of the database's time."""

_log = structlog.get_logger()


async def forget(
    database_url: str,
    commits: CommitQueue,
    running: Container[int],
    after_s: float,
    may: Callable[[], Awaitable[bool]],
) -> None:
    """Delete what is older than that, but for tables that are ``running``, until cancelled.

    ``may`` says whether this node does it. A database in trouble is tried again with the next round.
    """
    while True:
        try:
            gone = await _round(database_url, commits, running, time.time() - after_s) if await may() else 0
        except SQLAlchemyError as error:
            _log.warning("finished games cannot be deleted", error=str(error))
        else:
            if gone:
                _log.info("finished games deleted", count=gone)
        await trio.sleep(ROUND_S)


async def _round(database_url: str, commits: CommitQueue, running: Container[int], before: float) -> int:
    gone = 0
    with closing(Pruning(database_url, before, SERVER)) as pruning:
        while (step := await trio.to_thread.run_sync(pruning.step, running)) is not None:
            gone += step
            await trio.sleep(BREATHER_S)
            while commits.oldest_s():  # noqa: ASYNC110  # a busy record is left alone until it is idle for once
                await trio.sleep(BREATHER_S)
    return gone
