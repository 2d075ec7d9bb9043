"""Counting and rates: how many connections, from where, and how fast one may ask. Not here: the numbers (settings)."""

from __future__ import annotations

from collections import Counter

from gateway.config import Limits


class Doors:
    """Counts connections, all of them and by address.

    Beyond ``connections`` a few more (a sixteenth, at least 16) are let in so that they can be told in their own
    dialect that the server is full: ``crowded`` says so, and nobody is seated then.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._spare = max(16, limits.connections // 16)
        self._counts: Counter[str] = Counter()
        self.inside = 0

    def take(self, address: str) -> bool:
        """Count a connection of this host; False, and nothing counted, when there is no place."""
        if self.inside >= self._limits.connections + self._spare:
            return False
        if self._counts[address] >= self._limits.connections_per_address:
            return False
        self._counts[address] += 1
        self.inside += 1
        return True

    def release(self, address: str) -> None:
        """Give the place back."""
        self.inside -= 1
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]

    @property
    def crowded(self) -> bool:
        """Whether more are inside than may be seated."""
        return self.inside > self._limits.connections


class Allowance:
    """A token bucket: ``burst`` commands at once, then ``rate`` a second. Time comes in as ``now``, in seconds."""

    __slots__ = ("_burst", "_rate", "_since", "_tokens")

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = float(burst)
        self._since = now

    def wait_s(self, count: float, now: float) -> float:
        """Take ``count`` tokens, and how many seconds to wait before going on: 0.0 while the bucket is not empty."""
        self._tokens = min(self._burst, self._tokens + (now - self._since) * self._rate) - count
        self._since = now
        return max(0.0, -self._tokens / self._rate)
