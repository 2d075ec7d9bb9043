"""Chat limits: how much a seat may say at a table, and all spectators of one address.

Counted there and not with the connection: a reconnection must not reset the count.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import Final

import trio

from gateway.admission.token_bucket import TokenBucket
from gateway.config import Limits
from gateway.net.addresses import address_key
from protocols.core.errors import Refused, Why

REMEMBERED: Final = 20_000
"""Seats and addresses that are remembered; those that have been silent longest are forgotten first."""


class ChatLimits:
    """Chat limits of all tables."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._said: OrderedDict[tuple[int, int | str], TokenBucket] = OrderedDict()

    def forget(self, now: float) -> None:
        """Drop full buckets; the longest silent are looked at first."""
        while self._said and next(iter(self._said.values())).full(now):
            self._said.popitem(last=False)

    def count(self, table: int, seat: int | None, address: str) -> None:
        """Count a line; ``seat`` None: of a spectator. Refused (TOO_FAST): more than others should have to read."""
        now, who = trio.current_time(), (table, address_key(address) if seat is None else seat)
        allowance = self._said.pop(who, None)
        if allowance is None:
            allowance = TokenBucket(self._limits.sayings_per_second, self._limits.sayings_burst, now)
        self._said[who] = allowance
        if len(self._said) > REMEMBERED:
            self._said.popitem(last=False)
        if wait_s := allowance.refuses_s(now):
            raise Refused(Why.TOO_FAST, f"you say too much at once; try again in {math.ceil(wait_s)} s")
