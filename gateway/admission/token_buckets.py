"""Token buckets by key: a limit that is counted for each of many, of whom the latest are remembered."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final, Generic, TypeVar

from gateway.admission.token_bucket import TokenBucket

K = TypeVar("K", bound=Hashable)

REMEMBERED: Final = 20_000
"""Keys that are remembered; those that were asked for longest ago are forgotten first."""


class TokenBuckets(Generic[K]):
    """``rate`` and ``burst`` are those of each bucket."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[K, TokenBucket] = OrderedDict()

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

    def forget(self, now: float) -> None:
        """Drop full buckets; those that were asked for longest ago are looked at first."""
        while self._buckets and next(iter(self._buckets.values())).full(now):
            self._buckets.popitem(last=False)
