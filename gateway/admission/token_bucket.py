"""Token buckets: each limits a rate with bursts, and says how long to wait; many of them, by key."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final, Generic, TypeVar

K = TypeVar("K", bound=Hashable)

REMEMBERED: Final = 20_000
"""Keys that are remembered; those that were asked for longest ago are forgotten first."""


class TokenBucket:
    """A token bucket: ``burst`` tokens at once, then ``rate`` a second. Time comes in as ``now``, in seconds."""

    __slots__ = ("_burst", "_rate", "_since", "_tokens")

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = float(burst)
        self._since = now

    def adapt(self, rate: float, burst: int) -> None:
        """From now on it has this rate and this burst; tokens beyond them are gone."""
        self._rate = rate
        self._burst = burst
        self._tokens = min(self._tokens, float(burst))

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


class TokenBuckets(Generic[K]):
    """Token buckets by key; the latest are remembered. ``rate`` and ``burst`` are those of each bucket."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[K, TokenBucket] = OrderedDict()

    def adapt(self, rate: float, burst: int) -> None:
        """From now on every bucket has this rate and this burst; what was taken out of them stays taken."""
        if (rate, burst) == (self._rate, self._burst):
            return
        self._rate = rate
        self._burst = burst
        for bucket in self._buckets.values():
            bucket.adapt(rate, burst)

    def bucket(self, key: K, now: float) -> TokenBucket:
        """The bucket of ``key``; full for a new one."""
        found = self._buckets.get(key)
        if found is not None:
            self._buckets.move_to_end(key)
            return found
        if len(self._buckets) >= REMEMBERED:
            self._buckets.popitem(last=False)
        made = self._buckets[key] = TokenBucket(self._rate, self._burst, now)
        return made

    def known(self, key: K) -> TokenBucket | None:
        """The bucket of ``key``; None: it is full, as that of a new key would be."""
        return self._buckets.get(key)

    def forget(self, now: float) -> None:
        """Drop full buckets; those that were asked for longest ago are looked at first."""
        while self._buckets and next(iter(self._buckets.values())).full(now):
            self._buckets.popitem(last=False)
