"""Counters and histograms that cost next to nothing to keep.

A histogram noted by one thread and read by another may be read half a note behind.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import inf
from typing import Final

SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
"""Bounds from half a millisecond (a stored move on an idle machine) to a minute (a restarted database)."""

SIZES: Final = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0)
"""Bounds for sizes of batches."""


class Histogram:
    """Counts the values up to each of ``bounds``, which rise, and sums them."""

    __slots__ = ("_bounds", "_counts", "total")

    def __init__(self, bounds: Sequence[float] = SECONDS) -> None:
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(self._bounds) + 1)
        self.total = 0.0

    def note(self, value: float) -> None:
        """A third of a microsecond."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self.total += value

    @property
    def count(self) -> int:
        return sum(self._counts)

    def up_to(self) -> Iterator[tuple[float, int]]:
        """Each bound, infinity the last, with how many values were at most that."""
        return zip((*self._bounds, inf), accumulate(self._counts), strict=True)


class StoreTally:
    """Counts what the record's writer does.

    ``commit_s`` is how long each transaction took, from its first statement until its commit had returned, and
    ``steps`` how many steps were in it; ``failed`` counts transactions that came to nothing.
    """

    def __init__(self) -> None:
        self.commit_s = Histogram()
        self.steps = Histogram(SIZES)
        self.failed = 0

    def stored(self, seconds: float, steps: int) -> None:
        """A transaction was."""
        self.commit_s.note(seconds)
        self.steps.note(steps)
