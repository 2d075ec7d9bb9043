"""Back-off: repeated failures make the wait longer."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

FIRST_S, MOST_S = 1.0, 60.0
"""Seconds to wait after the next failure, doubled by each further one up to the most. Neighbours behind one router wait
too, so the most is a nuisance to them and no more; a guesser is down to 1,440 tries a day."""

FORGOTTEN_S: Final = 900.0
"""Seconds without a failure after which all earlier ones are forgotten: more than the longest wait."""

REMEMBERED: Final = 10_000
"""Keys that are remembered; the one that failed longest ago is forgotten first."""


class Backoff:
    """Counts failures by who made them; ``free`` of them cost no time. Time comes in as ``now``, in seconds."""

    def __init__(self, free: int) -> None:
        self._free = free
        self._failed: OrderedDict[str, tuple[int, float]] = OrderedDict()  # who -> failures, and when the last one was

    def adapt(self, free: int) -> None:
        """From now on so many failures cost no time; those that were made count on."""
        self._free = free

    def wait_s(self, who: str, now: float) -> float:
        """Seconds that ``who`` has to wait before the next try; 0.0: none."""
        failures, last = self._failed.get(who, (0, now))
        if failures <= self._free or now - last >= FORGOTTEN_S:
            return 0.0
        return max(0.0, last + min(MOST_S, FIRST_S * 2.0 ** min(failures - self._free - 1, 30)) - now)

    def forget(self, now: float) -> None:
        """Drop the failures that are too old to count; the oldest come first."""
        while self._failed and now - next(iter(self._failed.values()))[1] >= FORGOTTEN_S:
            self._failed.popitem(last=False)

    def failed(self, who: str, now: float) -> None:
        """One more failure."""
        failures, last = self._failed.pop(who, (0, now))
        self._failed[who] = (1 if now - last >= FORGOTTEN_S else failures + 1, now)
        if len(self._failed) > REMEMBERED:
            self._failed.popitem(last=False)
