"""A text file that grows line by line, so that it is there when the process dies."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

import structlog

_log = structlog.get_logger()


class LineFile:
    """A disk that is full ends the file, nothing else; what is written after ``close`` is lost without a word."""

    def __init__(self, path: Path) -> None:
        """Creates the file, and its folder, in which only its owner may look; OSError."""
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file = path.open("w", encoding="utf-8", buffering=1)

    def write(self, lines: Iterable[str]) -> None:
        """Append them."""
        if self._file.closed:
            return
        try:
            self._file.writelines(f"{line}\n" for line in lines)
        except OSError as error:
            _log.warning("wire log ends", file=self._file.name, error=str(error))
            self.close()

    def close(self) -> None:
        """Idempotent."""
        with contextlib.suppress(OSError):  # what is still buffered may find the disk full
            self._file.close()
