"""Keeps offers that last in the database: each is stored before its maker is told, and stands again after a restart, or
at another node once its own lives no more.

An end that is told to somebody is stored before, too. An offer whose time is over, or of which a table was opened,
stands no more by what is stored already: its row goes with the next look, a second later.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec
import structlog
import trio
from msgspec.structs import replace
from sqlalchemy.exc import SQLAlchemyError

from gateway.accounts.circle import Call
from gateway.lobby.offers import Offer, Offers
from gateway.store.accounts import Accounts
from gateway.store.offers import DECLINED, HeldOffer, StoredOffer
from protocols.core.errors import Refused, Why

HELD_S: Final = 5.0
"""Seconds between two looks at what this node holds by the database: offers of a dead one stand again so soon."""

NOT_NOW: Final = "the offer could not be stored, try again"

NOT_ENDED: Final = "the end of the offer could not be stored, try again"

_log = structlog.get_logger()


class LastingOffers:
    """The rows of this server's lasting ``offers``; ``call`` calls ``accounts``, ``node`` is this node's number."""

    def __init__(self, accounts: Accounts, call: Call, offers: Offers, node: Callable[[], int | None]) -> None:
        self._accounts = accounts
        self._call = call
        self._offers = offers
        self._node = node
        self._rows: set[int] = set()
        self._missed: set[int] = set()
        self._due = 0.0
        self._alone = trio.Lock()  # a look that reads while a row goes would have its offer stand again

    async def keep(self, offer: Offer) -> None:
        """Store a new offer. Refused (OVERLOAD): the database is in trouble, and it does not stand."""
        await self._store(self._node() or 0, [offer], (), NOT_NOW)

    async def end(self, offer: Offer, *, notice: bool = False) -> bool:
        """Store that an offer of any node stands no more; False: it has ended meanwhile in another way.

        Its maker gets a ``notice`` that it was declined. Refused (OVERLOAD): the database is in trouble, and it stands.
        """
        if offer.lasts:
            declined = [replace(offer, until=time.time())] if notice else []
            await self._store(DECLINED, declined, [offer.number], NOT_ENDED)
        return self._offers.get(offer.number) is not None

    async def look(self) -> list[Offer]:
        """Store what has changed here; the offers that are to stand here from now on, as their rows say."""
        async with self._alone:
            return await self._look()

    async def _look(self) -> list[Offer]:
        try:
            own = {offer.number: offer for offer in self._offers.own() if offer.lasts}
            new, gone = own.keys() - self._rows, self._rows - own.keys()
            if new or gone:
                await self._change(self._node() or 0, [own[number] for number in sorted(new)], gone)
            if trio.current_time() < self._due:
                return []
            self._due = trio.current_time() + HELD_S
            before = set(self._rows)
            return self._differ(before, await self._call(self._accounts.held_offers, self._node() or 0))
        except SQLAlchemyError as error:
            _log.warning("lasting offers cannot be stored", error=str(error))
            return []

    def _differ(self, before: set[int], held: Sequence[HeldOffer]) -> list[Offer]:
        """Take over what the rows say. Of those that were known ``before`` some are gone, with an account, with this
        node's lease, or declined at another node, of which this one hears before the second look that misses it."""
        missed = before - {row.number for row in held}
        for number in missed & self._missed:
            self._rows.discard(number)
            self._offers.remove(number)
        self._missed = missed
        found = []
        for row in held:
            if row.number in self._rows:
                continue
            self._rows.add(row.number)
            offer = msgspec.json.decode(row.body, type=Offer)
            if not row.taken and offer.until > time.time():  # else the next look deletes it
                found.append(offer)
        return found

    async def _store(self, node: int, new: Sequence[Offer], gone: Sequence[int], refusal: str) -> None:
        try:
            async with self._alone:
                await self._change(node, new, gone)
        except SQLAlchemyError as error:
            _log.warning("lasting offers cannot be stored", error=str(error))
            raise Refused(Why.OVERLOAD, refusal) from None

    async def _change(self, node: int, new: Sequence[Offer], gone: Iterable[int]) -> None:
        rows, ended = [_row(offer) for offer in new], sorted(gone)
        with trio.CancelScope(shield=True):  # what is stored is known to be
            await self._call(self._accounts.change_offers, node, rows, ended)
        self._rows = (self._rows | {row.number for row in rows}) - set(ended)


def _row(offer: Offer) -> StoredOffer:
    return StoredOffer(offer.number, offer.by.casefold(), offer.to.casefold(), msgspec.json.encode(offer))
