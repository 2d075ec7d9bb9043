"""Tells other nodes who has entered here, how many are connected and look on, and keeps what they tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import trio
from msgspec.structs import replace

from gateway.cluster.links import Links
from gateway.cluster.messages import Counted
from gateway.cluster.outposts import NODE_BITS
from gateway.lobby.here import Entry, Here

TOLD_S: Final = 5.0
"""Seconds between two words on the numbers: visitors see numbers that are so old."""

BY: Final = 20
"""Clients in one message: a name of 32 letters takes up to 128 bytes, or 192 as JSON, of the bus's 7,000."""

Count = Callable[[], tuple[int, int]]
"""The number of connections here, and of observers of public tables."""


class Counts:
    """``count`` counts this node's, ``here`` has who has entered at any node.

    ``contested`` is given each entry of another node, whose name may be in use here.
    """

    def __init__(self, links: Links, count: Count, here: Here, contested: Callable[[Entry], None]) -> None:
        self._links = links
        self._count = count
        self._here = here
        self._contested = contested
        self._others: dict[int, Counted] = {}
        self._changed: dict[int, None] = {}
        self._round = 0
        self._heard_in: dict[int, dict[int, int]] = {}  # node -> client's number here -> the round it came in last

    async def run(self) -> None:
        """Tell until cancelled."""
        while True:
            self._tell()
            await trio.sleep(TOLD_S)

    def entered(self, number: int) -> None:
        """A client of this node has entered, or is gone."""
        if not self._changed:
            self._links.soon(self._publish)
        self._changed[number] = None

    def _publish(self) -> None:
        changed, self._changed = self._changed, {}
        came = [entry for number in changed if (entry := self._here.entry(number)) is not None]
        went = [number for number in changed if self._here.entry(number) is None]
        for at in range(0, len(came), BY):
            self._tell(came[at : at + BY])
        for at in range(0, len(went), 10 * BY):
            self._tell(went=went[at : at + 10 * BY])

    def tell_all(self) -> None:
        """Tell who is here from the beginning: a node may have missed something."""
        self._round += 1
        own = [entry for entry in self._here if not entry.number >> NODE_BITS]
        for at in range(0, len(own), BY):
            self._tell(own[at : at + BY])
        self._tell(whole=True)

    def _tell(self, came: Sequence[Entry] = (), went: Sequence[int] = (), *, whole: bool = False) -> None:
        self._links.publish(Counted(*self._count(), tuple(came), tuple(went), self._round, whole))

    def heard(self, sender: int, counted: Counted) -> None:
        """Take over what another node says."""
        self._others[sender] = counted
        known = self._heard_in.setdefault(sender, {})
        for said in counted.came:
            entry = replace(said, number=(sender << NODE_BITS) + said.number)
            known[entry.number] = counted.round
            if self._here.note(entry) and entry.number < self._links.me << NODE_BITS:
                self._contested(entry)
        gone = [(sender << NODE_BITS) + number for number in counted.went]
        if counted.whole:
            gone += [number for number, round in known.items() if round < counted.round]
        for number in gone:
            known.pop(number, None)
            self._here.forget(number)

    def dead(self, node: int) -> None:
        """Count no clients of a node that is dead, and have none of them here."""
        self._others.pop(node, None)
        for number in self._heard_in.pop(node, ()):
            self._here.forget(number)

    def everywhere(self) -> tuple[int, int]:
        """The numbers of all nodes, of others as they have said last."""
        connected, watching = self._count()
        for other in self._others.values():
            connected, watching = connected + other.connected, watching + other.watching
        return connected, watching
