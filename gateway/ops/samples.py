"""Keeps figures of the last hours in memory, one sample a minute, for the host's page.

Prometheus keeps them for longer and for others (docs/metrics.md); these need nothing beside the server, and are gone
with it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

EVERY_S: Final = 60.0
"""Seconds between two samples."""

KEPT: Final = 6 * 60
"""Samples that are kept: six hours, an evening of play."""


@dataclass(frozen=True, slots=True)
class Sample:
    """``at`` is the time in seconds on the server's monotonic line; ``moves`` were stored in the minute before it."""

    at: float
    connections: int
    tables: int
    moves: int


class Samples:
    """``connections`` and ``tables`` count those that are there now, ``moves`` all since the start."""

    def __init__(self, connections: Callable[[], int], tables: Callable[[], int], moves: Callable[[], int]) -> None:
        self._connections = connections
        self._tables = tables
        self._moves = moves
        self._kept: deque[Sample] = deque(maxlen=KEPT)
        self._before = 0
        self._next = 0.0

    def look(self, now: float) -> None:
        """To be called now and then: takes a sample where one is due."""
        if now < self._next:
            return
        total = self._moves()
        self._kept.append(Sample(now, self._connections(), self._tables(), total - self._before))
        self._before, self._next = total, now + EVERY_S

    @property
    def kept(self) -> Sequence[Sample]:
        """The oldest first."""
        return tuple(self._kept)
