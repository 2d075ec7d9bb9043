"""Counting connections: how many there are, and from where. Not here: the numbers (settings), rates (gateway.net)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Final

from gateway.config import Limits
from gateway.net.addresses import place_of

SPOILT: Final = 15
"""Connections that one whose protocol was broken counts as, beside itself. It was work for nothing: one host causes
that at most four times a second where the limit is the default, whatever it sends."""


class Doors:
    """Counts connections, all of them and by address.

    Beyond ``connections`` a few more (a sixteenth, at least 16) are let in so that they can be told in their own
    dialect that the server is full: ``crowded`` says so, and nobody is seated then.
    """

    def __init__(self, limits: Limits, banned: Callable[[str], str] | None = None) -> None:
        """``banned`` says why nobody may come in from an address, "" when they may."""
        self._banned = banned
        self._limits = limits
        self._spare = max(16, limits.connections // 16)
        self._counts: Counter[str] = Counter()
        self._came: Counter[str] = Counter()
        self._second = -math.inf
        self.inside = 0

    def admits(self, address: str, now: float) -> bool:
        """Whether this host may come in at ``now``, in seconds: there is a place, and it does not come all the time.

        In a second it may come as often as it may be here at once: whoever connects and hangs up again and again is no
        cheaper than one who stays.
        """
        place = place_of(address)
        if self._often(place, now) or not self._has_room(address, place):
            return False
        self._came[place] += 1
        return True

    def welcomes(self, address: str, now: float) -> bool:
        """The same where who finds no place is told so: whether it is not banned, and does not come all the time."""
        place = place_of(address)
        if self._often(place, now) or (self._banned is not None and self._banned(address)):
            return False
        self._came[place] += 1
        return True

    def _often(self, place: str, now: float) -> bool:
        if now - self._second >= 1.0:
            self._came.clear()
            self._second = now
        return self._came[place] >= self._limits.connections_per_address

    def forget(self, now: float) -> None:
        """Drop the arrivals of a second that is over: after a burst nothing is kept of its addresses."""
        if self._came and now - self._second >= 1.0:
            self._came.clear()

    def spoilt(self, address: str) -> None:
        """This host has come and said nothing that makes sense: in this second it may come the less often."""
        self._came[place_of(address)] += SPOILT

    def take(self, address: str) -> bool:
        """Count a connection of this host; False, and nothing counted, when it is banned or there is no place."""
        place = place_of(address)
        if not self._has_room(address, place):
            return False
        self._counts[place] += 1
        self.inside += 1
        return True

    def _has_room(self, address: str, place: str) -> bool:
        if self._counts[place] >= self._limits.connections_per_address:
            return False
        if self.inside >= self._limits.connections + self._spare:
            return False
        return self._banned is None or not self._banned(address)

    def release(self, address: str) -> None:
        """Give the place back."""
        place = place_of(address)
        self.inside -= 1
        self._counts[place] -= 1
        if not self._counts[place]:
            del self._counts[place]

    @property
    def crowded(self) -> bool:
        """Whether more are inside than may be seated."""
        return self.inside > self._limits.connections
