"""Storage limits: how many bytes of the record the clients of one address may fill in a minute.

A step is charged when its size is known, and the next one is refused while more was stored than may be.
"""

from __future__ import annotations

import math
from typing import Final

import trio

from gateway.admission.token_bucket import TokenBuckets
from gateway.config import Limits
from gateway.net.addresses import address_key
from protocols.core.errors import Refused, Why

MINUTE_S: Final = 60.0


class StorageLimits:
    """Storage limits of all addresses. Half of a minute's bytes may come at once, the other half in a minute's time.

    So no minute has more than all of them, and one step of each table.
    """

    def __init__(self, limits: Limits) -> None:
        half = limits.stored_per_minute // 2
        self._stored: TokenBuckets[str] = TokenBuckets(half / MINUTE_S, half)
        self.forget = self._stored.forget

    def check(self, address: str) -> None:
        """Refused (TOO_FAST): more was stored for this address than may be, just now."""
        now = trio.current_time()
        if wait_s := self._stored.bucket(address_key(address), now).wait_s(0, now):
            raise Refused(
                Why.TOO_FAST, f"too much of your address is stored just now; try again in {math.ceil(wait_s)} s"
            )

    def charge(self, address: str, size: int) -> None:
        """So many bytes are stored for a client of this address."""
        now = trio.current_time()
        self._stored.bucket(address_key(address), now).wait_s(size, now)
