"""Checks now and then whether the disk of the record has room, so that the answer is ready when asked for.

With SQLite it is the disk of its file; with another database, whose own is out of sight, that of the data directory,
where wire logs go. A disk that is full already is the business of commit_queue.py, which holds the steps.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import structlog
import trio

from gateway.config import Config
from gateway.store.engine import database_path, is_sqlite

LOOK_S: Final = 10.0
"""Seconds between two looks: even a busy server writes less than a megabyte a second."""

SILENT_S: Final = 5.0
"""Seconds a disk may take to say how full it is; usually it takes some microseconds."""

MIB: Final = 1 << 20

_log = structlog.get_logger()


def disk_folder(config: Config) -> Path:
    """The folder whose disk is meant, or the nearest above it that exists."""
    url = config.database_url
    folder = Path(database_path(url)).absolute().parent if is_sqlite(url) else Path(config.server.data).absolute()
    while not folder.exists():
        folder = folder.parent
    return folder


def lack(folder: Path, least: int) -> str:
    """A complaint where less than ``least`` bytes are free, else "". OSError; blocks."""
    free = shutil.disk_usage(folder).free
    return f"{free // MIB} MiB are free on the disk of {folder}, less than {least // MIB}" if free < least else ""


class Disk:
    """``reasons`` are those of the last look, as GameServer.not_ready has them; none before the first."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._one = trio.CapacityLimiter(1)
        self.reasons: list[str] = []

    def reread(self, config: Config) -> None:
        """Compare with the least room of these settings from the next look on."""
        self._config = config

    async def watch(self) -> None:
        """Look until cancelled; the log has every change. Where the settings ask for no room, there is enough."""
        while True:
            found = await self._look() if self._config.record.least_free else ""
            if bool(found) != bool(self.reasons):
                _log.warning("the disk is nearly full", reason=found) if found else _log.info("the disk has room again")
            self.reasons = [found] if found else []
            await trio.sleep(LOOK_S)

    async def _look(self) -> str:
        """A disk that does not answer keeps one thread, and no other."""
        with trio.move_on_after(SILENT_S):
            return await trio.to_thread.run_sync(self._lack, abandon_on_cancel=True, limiter=self._one)
        return f"the disk of {self._config.server.data} has not answered for {SILENT_S:g} s"

    def _lack(self) -> str:
        try:
            return lack(disk_folder(self._config), self._config.record.least_free)
        except OSError as error:
            return f"the disk cannot be looked at: {error}"
