"""Counting connections: how many there are, and from where. Not here: the numbers (settings), rates (gateway.net)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from gateway.config import Limits
from gateway.net.addresses import place_of


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
        self.inside = 0

    def take(self, address: str) -> bool:
        """Count a connection of this host; False, and nothing counted, when it is banned or there is no place."""
        if self.inside >= self._limits.connections + self._spare:
            return False
        if self._banned is not None and self._banned(address):
            return False
        place = place_of(address)
        if self._counts[place] >= self._limits.connections_per_address:
            return False
        self._counts[place] += 1
        self.inside += 1
        return True

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
