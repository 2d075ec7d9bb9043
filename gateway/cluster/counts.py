"""Tells other nodes who has entered, what is offered, how many are connected and look on here; keeps what they tell.

With the same message goes what is said to everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import trio
from msgspec.structs import replace

from gateway.cluster.links import Links
from gateway.cluster.messages import Counted
from gateway.cluster.outposts import NODE_BITS
from gateway.lobby.here import Entry, Here
from gateway.lobby.offers import Offer, Offers
from gateway.seating.everybody import Line

TOLD_S: Final = 5.0
"""Seconds between two words on the numbers: visitors see numbers that are so old."""

OFFERS_BY: Final = 4
"""Offers in one message: one with a set-up position takes up to a thousand bytes of them."""

BY: Final = 20
"""Clients in one message: a name of 32 letters takes up to 128 bytes, or 192 as JSON, of the bus's 7,000."""

Count = Callable[[], tuple[int, int]]
"""The number of connections here, and of observers of public tables."""


class Counts:
    """``count`` counts this node's, ``here`` has who has entered at any node, and ``offers`` what is offered.

    ``contested`` is given each entry of another node, whose name may be in use here, and ``everybody`` each line that
    was said to everybody there.
    """

    def __init__(
        self,
        links: Links,
        count: Count,
        here: Here,
        offers: Offers,
        contested: Callable[[Entry], None],
        everybody: Callable[[Line], None],
    ) -> None:
        self._links = links
        self._count = count
        self._here = here
        self._offers = offers
        self._contested = contested
        self._everybody = everybody
        self._others: dict[int, Counted] = {}
        self._changed: dict[int, None] = {}
        self._offered: dict[int, None] = {}
        self._round = 0
        self._heard_in: dict[int, dict[int, int]] = {}  # node -> client's number here -> the round it came in last
        self._offered_in: dict[int, dict[int, int]] = {}  # node -> offer -> the same

    async def run(self) -> None:
        """Tell until cancelled."""
        while True:
            self._tell()
            await trio.sleep(TOLD_S)

    def entered(self, number: int) -> None:
        """A client of this node has entered, or is gone."""
        self._soon()
        self._changed[number] = None

    def offered(self, number: int) -> None:
        """An offer of this node is new, or gone."""
        self._soon()
        self._offered[number] = None

    def _soon(self) -> None:
        if not (self._changed or self._offered):
            self._links.soon(self._publish)

    def _publish(self) -> None:
        offered, self._offered = self._offered, {}
        self._offer([offer for number in offered if (offer := self._offers.get(number)) is not None])
        gone = [number for number in offered if self._offers.get(number) is None]
        for at in range(0, len(gone), 10 * BY):
            self._tell(gone=gone[at : at + 10 * BY])
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
        self._offer(self._offers.own())
        self._tell(whole=True)

    def say(self, line: Line) -> None:
        """Tell what was said to everybody here."""
        self._tell(lines=[line])

    def _offer(self, offers: Sequence[Offer]) -> None:
        for at in range(0, len(offers), OFFERS_BY):
            self._tell(offers=offers[at : at + OFFERS_BY])

    def _tell(
        self,
        came: Sequence[Entry] = (),
        went: Sequence[int] = (),
        *,
        whole: bool = False,
        offers: Sequence[Offer] = (),
        gone: Sequence[int] = (),
        lines: Sequence[Line] = (),
    ) -> None:
        entered, offered = (tuple(came), tuple(went)), (tuple(offers), tuple(gone))
        self._links.publish(Counted(*self._count(), *entered, self._round, whole, *offered, tuple(lines)))

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
        self._heard_offers(sender, counted)
        for line in counted.lines:
            self._everybody(line)

    def _heard_offers(self, sender: int, counted: Counted) -> None:
        known, gone = self._offered_in.setdefault(sender, {}), [*counted.gone]
        for offer in counted.offers:
            known[offer.number] = counted.round
            self._offers.note(replace(offer, node=sender))
        if counted.whole:
            gone += [number for number, round in known.items() if round < counted.round]
        for number in gone:
            if known.pop(number, None) is not None:
                self._offers.forget(number, sender)
            else:
                self._offers.declined_elsewhere(number)

    def dead(self, node: int) -> None:
        """Count no clients of a node that is dead, and have none of them here."""
        self._others.pop(node, None)
        for number in self._heard_in.pop(node, ()):
            self._here.forget(number)
        for number in self._offered_in.pop(node, ()):
            self._offers.forget(number, node)

    def everywhere(self) -> tuple[int, int]:
        """The numbers of all nodes, of others as they have said last."""
        connected, watching = self._count()
        for other in self._others.values():
            connected, watching = connected + other.connected, watching + other.watching
        return connected, watching
