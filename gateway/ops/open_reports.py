"""Looks at the reports that wait for the host, for the server's figures: each node reads the same rows."""

from __future__ import annotations

from typing import Final

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.store.reports import Open, Reports

LOOK_S: Final = 15.0
"""Seconds between two looks: as often as Prometheus usually asks."""

_log = structlog.get_logger()


class OpenReports:
    """``seen`` is the last look; none waits before the first."""

    def __init__(self) -> None:
        self.seen = Open(0, 0.0)

    def oldest_s(self, now: float) -> float:
        """Seconds that the oldest has waited by ``now``, in Unix time; 0.0 where none waits."""
        return max(0.0, now - self.seen.oldest_at) if self.seen.count else 0.0

    async def run(self, reports: Reports) -> None:
        """Look until cancelled. A database in trouble is asked again later."""
        while True:
            try:
                self.seen = await trio.to_thread.run_sync(reports.open, abandon_on_cancel=True)
            except SQLAlchemyError as error:
                _log.warning("reports cannot be counted", error=str(error))
            await trio.sleep(LOOK_S)
