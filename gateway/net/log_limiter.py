"""Log limiter: writes the first lines of each kind that peers can cause, and counts the others."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import structlog

LINES: Final = 20
"""Lines of one kind within WINDOW_S: enough to see who it is, and what they do."""

WINDOW_S: Final = 10.0
"""Seconds after which there may be lines again, and one says how many were left out."""

_log = structlog.get_logger()


class LogLimiter:
    """Counts lines by what they say. Times are trio's, in seconds."""

    def __init__(self) -> None:
        self._said: Counter[str] = Counter()
        self._next = 0.0

    def info(self, log: Any, event: str, **fields: object) -> None:
        """Write this line to ``log`` at level info, or count it."""
        if self.admits(event):
            log.info(event, **fields)

    def warning(self, log: Any, event: str, **fields: object) -> None:
        """The same at level warning."""
        if self.admits(event):
            log.warning(event, **fields)

    def admits(self, event: str) -> bool:
        """Count a line of this event; True if it is to be written."""
        self._said[event] += 1
        return self._said[event] <= LINES

    def look(self, now: float) -> None:
        """At the end of a window write how many lines were left out, and begin the next. Call it every second."""
        if now < self._next:
            return
        for event, count in self._said.items():
            if count > LINES:
                _log.info("lines left out", like=event, count=count - LINES, within_s=WINDOW_S)
        self._said.clear()
        self._next = now + WINDOW_S
