"""Counting connections: how many there are, and from where. Not here: the numbers (settings), rates (gateway.net)."""

from __future__ import annotations

from collections import Counter

from gateway.config import Limits


class Doors:
    """Counts connections, all of them and by address.

    Beyond ``connections`` a few more (a sixteenth, at least 16) are let in so that they can be told in their own
    dialect that the server is full: ``crowded`` says so, and nobody is seated then.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._spare = max(16, limits.connections // 16)
        self._counts: Counter[str] = Counter()
        self.inside = 0

    def take(self, address: str) -> bool:
        """Count a connection of this host; False, and nothing counted, when there is no place."""
        if self.inside >= self._limits.connections + self._spare:
            return False
        if self._counts[address] >= self._limits.connections_per_address:
            return False
        self._counts[address] += 1
        self.inside += 1
        return True

    def release(self, address: str) -> None:
        """Give the place back."""
        self.inside -= 1
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]

    @property
    def crowded(self) -> bool:
        """Whether more are inside than may be seated."""
        return self.inside > self._limits.connections
