"""Chat limits: how much a seat may say at a table, and all spectators of one address.

Counted there and not with the connection: a reconnection must not reset the count.
"""

from __future__ import annotations

import math

import trio

from gateway.admission.token_bucket import TokenBuckets
from gateway.config import Limits
from gateway.net.addresses import address_key
from protocols.core.errors import Refused, Why


class ChatLimits:
    """Chat limits of all tables."""

    def __init__(self, limits: Limits) -> None:
        self._said: TokenBuckets[tuple[int, int | str]] = TokenBuckets(limits.sayings_per_second, limits.sayings_burst)
        self.forget = self._said.forget

    def count(self, table: int, seat: int | None, address: str) -> None:
        """Count a line; ``seat`` None: of a spectator. Refused (TOO_FAST): more than others should have to read."""
        now, who = trio.current_time(), (table, address_key(address) if seat is None else seat)
        if wait_s := self._said.bucket(who, now).refuses_s(now):
            raise Refused(Why.TOO_FAST, f"you say too much at once; try again in {math.ceil(wait_s)} s")
