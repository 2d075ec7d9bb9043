"""Counts what each address costs: connections, commands, bytes that are stored, and what limits have held back.

The heaviest are known, of however many: a table of a fixed size loses the lightest. Counts are of the last minute, a
part of which is guessed: the counts of the minute before, by how much of it still is in the last one.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gateway.net.addresses import address_key

MOST: Final = 512
"""Addresses that are kept of a minute; twice as many are counted while it lasts. One has some 300 bytes."""

MINUTE_S: Final = 60.0

CONNECTION_COMMANDS: Final = 10
"""Commands that a new connection counts as: a handshake of TLS is as dear as ten moves."""

COMMAND_BYTES: Final = 256
"""Bytes that count as a command where they are stored: a move has some 280."""

CONNECTIONS: Final = "connections"
BROKEN: Final = "protocol broken"
MESSAGES: Final = "messages_per_second"
SAYINGS: Final = "sayings_per_second"
EVERYBODY: Final = "everybody_per_minute"
STORED: Final = "stored_per_minute"
TICKETS: Final = "unknown_tickets"
"""Limits by the names of their settings; CONNECTIONS are several, and bans. BROKEN has no setting."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The last minute of an ``address``, of IPv6 a /64: new connections, commands with requests of HTTP, bytes.

    ``refused`` says how often each limit has held something back, or slowed it.
    """

    address: str
    opened: int
    commands: int
    stored: int
    refused: Mapping[str, int]


class _Counts:
    __slots__ = ("commands", "opened", "refused", "stored")

    def __init__(self) -> None:
        self.opened = self.commands = self.stored = 0
        self.refused: dict[str, int] | None = None

    def weight(self) -> float:
        refused = sum(self.refused.values()) if self.refused else 0
        return self.commands + refused + CONNECTION_COMMANDS * self.opened + self.stored / COMMAND_BYTES


_NOTHING: Final = _Counts()


class AddressCosts:
    """The counts of one process."""

    def __init__(self) -> None:
        self._now: dict[str, _Counts] = {}
        self._before: dict[str, _Counts] = {}
        self._since = math.inf

    def opened(self, address: str) -> None:
        """A connection from there was let in."""
        self._of(address).opened += 1

    def heard(self, address: str, commands: int) -> None:
        """So many commands, or requests of HTTP, came from there."""
        self._of(address).commands += commands

    def stored(self, address: str, size: int) -> None:
        """So many bytes were added to the record for a client of this address."""
        self._of(address).stored += size

    def refused(self, address: str, limit: str) -> None:
        """This limit has held something of the address back."""
        counts = self._of(address)
        if counts.refused is None:
            counts.refused = {}
        counts.refused[limit] = counts.refused.get(limit, 0) + 1

    def _of(self, address: str) -> _Counts:
        key = address_key(address)
        found = self._now.get(key)
        if found is None:
            if len(self._now) >= 2 * MOST:
                self._now = _heaviest(self._now)
            found = self._now[key] = _Counts()
        return found

    def forget(self, now: float) -> None:
        """Begin another minute where one is over; ``now`` is trio's time."""
        if self._since == math.inf:
            self._since = now
        if now - self._since < MINUTE_S:
            return
        self._before = _heaviest(self._now) if now - self._since < 2 * MINUTE_S else {}
        self._now, self._since = {}, now

    def busiest(self, most: int, now: float) -> list[Cost]:
        """The addresses that have cost most in the last minute, the dearest first."""
        left = 0.0 if self._since == math.inf else max(0.0, 1.0 - (now - self._since) / MINUTE_S)
        found: list[tuple[float, Cost]] = []
        for address in {*self._now, *self._before}:
            new, old = self._now.get(address, _NOTHING), self._before.get(address, _NOTHING)
            refused = {
                limit: count
                for limit in sorted({*(new.refused or ()), *(old.refused or ())})
                if (count := round((new.refused or {}).get(limit, 0) + left * (old.refused or {}).get(limit, 0)))
            }
            cost = Cost(
                address,
                round(new.opened + left * old.opened),
                round(new.commands + left * old.commands),
                round(new.stored + left * old.stored),
                refused,
            )
            found.append((new.weight() + left * old.weight(), cost))
        found.sort(key=lambda each: (-each[0], each[1].address))
        return [cost for weight, cost in found[:most] if round(weight)]


def _heaviest(counts: dict[str, _Counts]) -> dict[str, _Counts]:
    return dict(heapq.nlargest(MOST, counts.items(), key=lambda each: each[1].weight()))
