"""Knows when the database was backed up last, for the figures: every node reads it from the log of acts now and then.

So all nodes say the same, and a backup that another program, or another machine, has noted counts as well.
"""

from __future__ import annotations

from typing import Final

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.store.acts import ActLog

LOOK_S: Final = 60.0
"""Seconds between two looks: an alarm waits for days."""

_log = structlog.get_logger()


class LastBackup:
    """``at`` is when the last backup was noted, Unix time in seconds; 0.0 where none was, and before the first look."""

    def __init__(self) -> None:
        self._one = trio.CapacityLimiter(1)
        self.at = 0.0

    async def follow(self, log: ActLog) -> None:
        """Look until cancelled; a database in trouble is asked again at the next look."""
        while True:
            try:
                last = await trio.to_thread.run_sync(log.last, "backup.made", abandon_on_cancel=True, limiter=self._one)
            except SQLAlchemyError as error:
                _log.warning("it cannot be read when the last backup was made", error=str(error))
            else:
                self.at = 0.0 if last is None else last.at
            await trio.sleep(LOOK_S)
