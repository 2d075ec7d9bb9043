"""Tells other nodes how many are connected and look on here, and sums what they tell: for the numbers of a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import trio

from gateway.cluster.links import Links
from gateway.cluster.messages import Counted

TOLD_S: Final = 5.0
"""Seconds between two words on it: visitors see numbers that are so old."""

Count = Callable[[], tuple[int, int]]
"""The number of connections here, and of observers of public tables."""


class Counts:
    """``here`` counts this node's."""

    def __init__(self, links: Links, here: Count) -> None:
        self._links = links
        self._here = here
        self._others: dict[int, Counted] = {}

    async def run(self) -> None:
        """Tell until cancelled."""
        while True:
            self._links.publish(Counted(*self._here()))
            await trio.sleep(TOLD_S)

    def heard(self, sender: int, counted: Counted) -> None:
        """Take over what another node says."""
        self._others[sender] = counted

    def dead(self, node: int) -> None:
        """Count no clients of a node that is dead."""
        self._others.pop(node, None)

    def everywhere(self) -> tuple[int, int]:
        """The same of all nodes, of others as they have said last."""
        connected, watching = self._here()
        for other in self._others.values():
            connected, watching = connected + other.connected, watching + other.watching
        return connected, watching
