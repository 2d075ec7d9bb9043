"""Token bucket: limits a rate with bursts, and says how long to wait."""

from __future__ import annotations


class TokenBucket:
    """A token bucket: ``burst`` tokens at once, then ``rate`` a second. Time comes in as ``now``, in seconds."""

    __slots__ = ("_burst", "_rate", "_since", "_tokens")

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = float(burst)
        self._since = now

    def wait_s(self, count: float, now: float) -> float:
        """Take ``count`` tokens; the seconds to wait before going on, 0.0 while the bucket is not empty."""
        self._tokens = left = min(self._burst, self._tokens + (now - self._since) * self._rate) - count
        self._since = now
        return 0.0 if left >= 0 else -left / self._rate

    def full(self, now: float) -> bool:
        """True if all tokens are there."""
        return self._tokens + (now - self._since) * self._rate >= self._burst

    def refuses_s(self, now: float) -> float:
        """Take a token if there is one: 0.0; else the seconds until there will be."""
        if wait_s := self.wait_s(1, now):
            self._tokens += 1
        return wait_s
