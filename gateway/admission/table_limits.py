"""Limits that outlast a connection: how much a seat may say at a table, and how many bytes an address may have stored.

Counted there and not with the connection: a reconnection must not reset the count.
"""

from __future__ import annotations

import math
from typing import Final

import trio

from gateway.admission.address_costs import SAYINGS, STORED, AddressCosts
from gateway.admission.token_bucket import TokenBuckets
from gateway.config import Config, Limits
from gateway.net.addresses import address_key
from protocols.core.errors import Refused, Why

MINUTE_S: Final = 60.0


class ChatLimits:
    """How much a seat may say, and all spectators of one address, at all tables."""

    def __init__(self, limits: Limits, costs: AddressCosts | None = None) -> None:
        self._costs = costs or AddressCosts()
        self._said: TokenBuckets[tuple[int, int | str]] = TokenBuckets(limits.sayings_per_second, limits.sayings_burst)
        self.forget = self._said.forget

    def reread(self, config: Config) -> None:
        """Let everybody say as much as these settings allow, from now on."""
        self._said.adapt(config.limits.sayings_per_second, config.limits.sayings_burst)

    def count(self, table: int, seat: int | None, address: str) -> None:
        """Count a line; ``seat`` None: of a spectator. Refused (TOO_FAST): more than others should have to read."""
        now, who = trio.current_time(), (table, address_key(address) if seat is None else seat)
        if wait_s := self._said.bucket(who, now).refuses_s(now):
            self._costs.refused(address, SAYINGS)
            raise Refused(Why.TOO_FAST, f"you say too much at once; try again in {math.ceil(wait_s)} s")


class StorageLimits:
    """How many bytes of the record the clients of one address may fill in a minute.

    Half of them may come at once, the other half in a minute's time: so no minute has more than all of them, and one
    step of each table. A step is charged when its size is known, and the next one is refused while more was stored than
    may be.
    """

    def __init__(self, limits: Limits, costs: AddressCosts | None = None) -> None:
        self._costs = costs or AddressCosts()
        half = limits.stored_per_minute // 2
        self._stored: TokenBuckets[str] = TokenBuckets(half / MINUTE_S, half)
        self.forget = self._stored.forget

    def reread(self, config: Config) -> None:
        """Let every address fill as much as these settings allow, from now on."""
        half = config.limits.stored_per_minute // 2
        self._stored.adapt(half / MINUTE_S, half)

    def check(self, address: str) -> None:
        """Refused (TOO_FAST): more was stored for this address than may be, just now."""
        now = trio.current_time()
        if wait_s := self._stored.bucket(address_key(address), now).wait_s(0, now):
            self._costs.refused(address, STORED)
            raise Refused(
                Why.TOO_FAST, f"too much of your address is stored just now; try again in {math.ceil(wait_s)} s"
            )

    def charge(self, address: str, size: int) -> None:
        """So many bytes are stored for a client of this address."""
        now = trio.current_time()
        self._stored.bucket(address_key(address), now).wait_s(size, now)
        self._costs.stored(address, size)
