"""A rate with a burst: how long somebody has to wait before going on. Not here: the numbers (settings), the waiting."""

from __future__ import annotations


class Allowance:
    """A token bucket: ``burst`` tokens at once, then ``rate`` a second. Time comes in as ``now``, in seconds."""

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

    def refuses_s(self, count: float, now: float) -> float:
        """The same for what is refused rather than kept waiting: nothing is taken unless the answer is 0.0."""
        if wait_s := self.wait_s(count, now):
            self._tokens += count
        return wait_s
