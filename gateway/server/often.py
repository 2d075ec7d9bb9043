"""Lines of the log that strangers can cause by the thousand: the first of each kind are written, the others counted.

Not here: how often it happened in all (metrics.py), and lines about what the server itself does.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import structlog

LINES: Final = 20
"""Lines of one kind within WINDOW_S: enough to see who it is, and what they do."""

WINDOW_S: Final = 10.0
"""Seconds after which there may be lines again, and one says how many were left out."""

_log = structlog.get_logger()


class Often:
    """Counts lines by what they say. Times are trio's, in seconds."""

    def __init__(self) -> None:
        self._said: Counter[str] = Counter()
        self._next = 0.0

    def info(self, log: Any, event: str, **fields: object) -> None:
        """Write it to ``log``, unless there were too many of them already."""
        self._said[event] += 1
        if self._said[event] <= LINES:
            log.info(event, **fields)

    def look(self, now: float) -> None:
        """Where time is up, say what was left out and begin anew. To be called about every second."""
        if now < self._next:
            return
        for event, count in self._said.items():
            if count > LINES:
                _log.info("lines left out", like=event, count=count - LINES, within_s=WINDOW_S)
        self._said.clear()
        self._next = now + WINDOW_S
