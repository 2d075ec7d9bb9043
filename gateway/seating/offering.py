"""Makes and takes offers (gateway/lobby/offers.py), and leads both players to the table that comes of one.

A table is registered for the two when its offer is taken. Its number proves that only one took it: there is no second
table of a number. Offers end with the node that holds them, but for those that last (lasting.py).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

import structlog
import trio
from msgspec import structs

from gateway import registry
from gateway.accounts.circle import Circle
from gateway.admission.ban_enforcer import BanEnforcer
from gateway.admission.table_limits import ChatLimits
from gateway.config import Config
from gateway.lobby import rating, rating_range
from gateway.lobby.claims import new_ticket, ticket_digest
from gateway.lobby.here import takes_challenges
from gateway.lobby.join_options import BOT
from gateway.lobby.lobby import Lobby
from gateway.lobby.offers import LASTING_S, LONGEST_S, PLAYERS, Offer, in_line, seats_of, takeable, unsuited
from gateway.lobby.party import folded, same_name
from gateway.lobby.registration import Registration
from gateway.seating.called import CLOSES_S, COMES_S, Again, CalledPlayer, CalledPlayers
from gateway.seating.entering import Entering, Speaker
from gateway.seating.lasting import LastingOffers
from gateway.seating.offerers import Kept, Made, Maker, Offerer, Ratings
from gateway.seating.registrar import Registrant, Takes, no_offer
from gateway.seating.terms import by_days, called_to, is_open, is_own_account, led_to, seek_for, to_seek, whole_settings
from gateway.seating.whispers import NO_TABLE
from gateway.table.state import State
from gateway.tables.bots import HouseBots
from gateway.tables.directory import Tables
from protocols.core import commands
from protocols.core.commands import Take, Withdraw
from protocols.core.errors import Refused, Why
from protocols.core.model import HouseRules, Settings
from protocols.core.notifications import Answered, Called, Notice, Notification
from protocols.core.proposals import Start

LOOK_S: Final = 1.0
"""Seconds between two looks at what has become of the offers that stand here."""

_log = structlog.get_logger()


class Offering:
    """The offers of one server. ``takes`` registers a table at the lobby's node; ``rules`` are those of the server's
    tables, which wait ``registered_s`` seconds for the players of a correspondence game. ``state_of`` are tables of
    other nodes, as far as is heard of them."""

    def __init__(
        self,
        lobby: Lobby,
        tables: Tables,
        entering: Entering,
        bans: BanEnforcer,
        takes: Takes,
        bots: HouseBots,
        chat: ChatLimits,
        rules: HouseRules,
        registered_s: float,
        circle: Circle,
        state_of: Callable[[int], State | None],
        ratings: Ratings,
        lasting: LastingOffers,
    ) -> None:
        self._lasting = lasting
        self._circle = circle
        self._ratings = ratings
        self._lobby = lobby
        self._tables = tables
        self._entering = entering
        self._bans = bans
        self._takes = takes
        self._bots = bots
        self._chat = chat
        self._rules = rules
        self._registered_s = registered_s
        self._kept: dict[int, Kept] = {}
        self._fitting: set[int] = set()
        self._state_of = state_of
        self._called = CalledPlayers(self._state)
        lobby.offers.listen(self.heard, self.declined)

    def reread(self, config: Config) -> None:
        """Make tables by the rules of these settings from now on."""
        self._rules = config.house_rules
        self._registered_s = config.seats.registered_s

    async def serve(self, client: Maker, asked: commands.Offer | Take | Withdraw) -> None:
        """Make, take or withdraw an offer for a client, which has been told so, or Called, then. Refused."""
        if isinstance(asked, Withdraw):
            await self._withdraw(client, asked.number)
            return
        name = await self._named(client, asked.name)
        by = Offerer(name, is_own_account(client, name), client.address)
        if isinstance(asked, Take):
            await self._take(client, by, asked)
            return
        made = await self.make(by, asked.start, asked.to, asked.minutes, asked.ratings, client)
        if made.seat is not None:
            client.tell([called_to(made.offer, made.ticket, f"{made.offer.by} plays that")])
        else:
            client.tell([Answered((in_line(made.offer, name),), "offers")])

    async def make(
        self,
        by: Offerer,
        start: Start,
        to: str,
        minutes: int,
        ratings: str = "",
        client: Maker | None = None,
        answers: int = 0,
    ) -> Made:
        """Offer a game, or take another's offer that fits. One to a player counts as something said.

        ``ratings`` is the range that a rated one is for, as rating_range.read has it. ``answers`` is the number of a
        manual offer of ``to``. One to everybody that ``start`` confirms is manual.

        Refused: BAD_OPTION, there is no such game; NO_ACCOUNT, it is rated; NOT_NOW, nobody is called ``to``; TOO_FAST.
        """
        settings, name = whole_settings(start), by.name
        rating.check_wish(name, start, lambda _: by.account)
        lowest, highest = rating_range.read(ratings)
        if ratings and not settings.rated:
            raise Refused(Why.BAD_OPTION, f"ratings {ratings}: an offer of a rated game is for a range of them")
        lasts = self._check_minutes(by, to, minutes)
        if to and same_name(to, name):
            raise Refused(Why.BAD_OPTION, f"{name} is what you are called yourself")
        if to and not self._known(to):
            raise Refused(Why.NOT_NOW, f"nobody called {to[:40]!r} is here")
        if to and start.confirms:
            raise Refused(Why.BAD_OPTION, "manual: an offer to one player is taken as it is")
        if to and not answers and not takes_challenges(self._lobby.here.of(to)):
            raise Refused(Why.NOT_NOW, f"{to} takes no challenges just now")
        blocks = await self._circle.blocks(name if by.account else "")
        points = await self._ratings.rating_of(name, settings) if settings.rated else 0
        if client is not None and client.ended:
            raise Refused(Why.NOT_NOW, "you are here no more")
        client = None if lasts else client
        if folded(to) in blocks.apart:
            raise Refused(Why.NOT_NOW, f"you and {to} play no games: one of you has blocked the other")
        self._tables.check_room()
        offers, now, ticket = self._lobby.offers, time.time(), new_ticket()
        offers.check_room(name, lasts=lasts)
        if to:
            self._chat.count(NO_TABLE, None, by.address)
        digest, number = ticket_digest(ticket).hex(), self._tables.next_number()
        of = 0 if client is None else client.speaks_for
        until = now + minutes * 60
        made = Offer(number, name, by.account, settings, now, until, to, start.side, of, digest)
        made = structs.replace(made, blocks=blocks.own, rating=points, lowest=lowest, highest=highest)
        made = structs.replace(made, manual=start.confirms, answers=answers)
        begun = trio.current_time()
        kept = Kept(by, ticket, client, begun, begun + minutes * 60, blocks.apart)
        while (found := offers.matching(made)) is not None and not self._waits(found):
            try:
                seat = await self._taken_by(found, name, by, made.side, digest)
                self._comes(found, name, client, partial(self._stands_again, made, kept))
                return Made(found, ticket, seat)
            except Refused as refused:
                if refused.why is not Why.NOT_NOW:
                    raise
            if not found.node:
                break  # somebody was faster, and its maker is told at the next look
            offers.taken(found.number)
        if lasts:
            await self._lasting.keep(made)
            self._fitting.add(number)  # another may have come meanwhile
        self._kept[number] = kept
        offers.post(made)
        self.heard(made)
        return Made(made, ticket)

    def _check_minutes(self, by: Offerer, to: str, minutes: int) -> bool:
        """True if an offer of so many minutes is one that lasts. Refused (BAD_OPTION): there is none."""
        longest_s = LASTING_S if to and by.account and self._lobby.names.is_account(to) else LONGEST_S
        if not 1 <= minutes <= longest_s / 60:
            to_others = "" if longest_s == LONGEST_S else " to another account"
            text = f"{minutes} minutes: an offer{to_others} stands for 1 to {longest_s / 60:.0f} minutes"
            raise Refused(Why.BAD_OPTION, text)
        return minutes > LONGEST_S / 60

    def _waits(self, offer: Offer) -> bool:
        """True if its game is one for which both have to be here, and its maker, who may be away for days, is not."""
        return offer.lasts and not by_days(offer) and not self._lobby.here.of(offer.by)

    async def _take(self, client: Maker, by: Offerer, asked: Take) -> None:
        apart = (await self._circle.blocks(by.name if by.account else "")).apart
        made = await self._check_and_take(self._wanted(by.name, asked), by, asked.side, apart, client)
        if made.seat is None:
            client.tell([Answered((in_line(made.offer, by.name),), "offers")])
            return
        offer = made.offer
        self._comes(offer, by.name, client)
        client.tell([called_to(offer, made.ticket, f"you take offer {offer.number} of {offer.by}")])

    async def take_as(self, by: Offerer, number: int, side: int | None) -> Made:
        """Take an offer: the seat at the table of its number, and its ticket. Refused: it cannot.

        Of a manual one: the offer to its maker that was made instead, and no seat.
        """
        apart = (await self._circle.blocks(by.name if by.account else "")).apart
        offer = self._lobby.offers.get(number)
        if offer is None:
            raise no_offer(number)
        self._bans.check(by.name)
        return await self._check_and_take(offer, by, side, apart)

    async def _withdraw(self, client: Maker, number: int) -> None:
        name = self._entered(client)
        if not number:
            for offer in self._lobby.offers.of_client(client.speaks_for):
                self._lobby.offers.remove(offer.number)
        else:
            await self.withdraw_as(name, number)
        client.tell([Answered((f"offer {number} is withdrawn" if number else "your offers are withdrawn",), "offers")])

    async def withdraw_as(self, name: str, number: int) -> None:
        """End an offer that this player has made, or that was made to it, which is stored then.

        Refused: NOT_NOW, there is no such; OVERLOAD, the database is in trouble, and it stands.
        """
        offer = self._lobby.offers.get(number)
        if offer is None or not name:
            raise no_offer(number)
        mine = same_name(offer.by, name)
        if not mine and not (offer.to and same_name(offer.to, name)):
            raise Refused(Why.NOT_NOW, f"offer {number} is neither yours nor made to you")
        away = not mine and not self._lobby.here.of(offer.by)
        if not await self._lasting.end(offer, notice=away):
            raise no_offer(number)
        if offer.manual and mine:
            self._decline_answers(number)
        if mine and not offer.node:
            self._lobby.offers.remove(number)
            return
        self._lobby.offers.decline(number)
        if not offer.node:
            self.declined(offer)

    def heard(self, offer: Offer) -> None:
        """A new offer stands: tell of it all clients that are here under the name that it is made to.

        Own younger ones that it fits, for it was made at another node meanwhile, are looked at again.
        """
        self._fitting.update(self._lobby.offers.younger(offer))
        for client in self._entering.clients(offer.to) if offer.to else ():
            dialect = client.dialect
            if (dialect.hears_talk or dialect.hears_seeks) and dialect.can_play(offer.settings.game):
                client.tell([Answered((in_line(offer, offer.to),), "offers")])

    def declined(self, offer: Offer) -> None:
        """An offer of this node was declined by whom it was made to, or withdrawn at another node."""
        kept = self._kept.pop(offer.number, None)
        if kept is not None and (maker := self._maker(offer, kept)) is not None:
            how = f"{offer.to} declines offer {offer.number}" if offer.to else f"offer {offer.number} is withdrawn"
            maker.tell([Answered((how,), "offers")])

    def _maker(self, offer: Offer, kept: Kept) -> Speaker | None:
        """The client that is told of an offer of this node: of one that lasts, any that its maker has here by now."""
        if not offer.lasts:
            return kept.maker
        for client in self._entering.clients(offer.by):
            if not client.ended and client.dialect.hears_talk and is_own_account(client, offer.by):
                return client
        return None

    async def follow(self) -> None:
        """Look after the offers of this node until cancelled."""
        while True:
            await trio.sleep(LOOK_S)
            self._called.look(trio.current_time())
            for restored in await self._lasting.look():
                self._stands_here(restored)
            if self._kept:
                await self._look_at_all()
            self._fitting &= self._kept.keys()

    async def _look_at_all(self) -> None:
        """Look at each offer once. In a frame of its own, which holds no client until the next look."""
        seeks = self._seeks()
        for number, kept in list(self._kept.items()):
            offer = self._lobby.offers.get(number)
            if offer is None or offer.node:
                self._kept.pop(number, None)
                continue
            try:
                await self._look(offer, kept, seeks.get(offer.settings, ()))
            except Refused as refused:
                _log.debug("an offer waits", offer=number, why=refused.text)

    def _stands_here(self, offer: Offer) -> None:
        """An offer that lasts stands here from now on: this node, or the one that held it, has ended meanwhile."""
        begun, lasts_s = trio.current_time(), offer.until - time.time()
        maker = Offerer(offer.by, True, "")
        self._kept[offer.number] = Kept(maker, "", None, begun, begun + lasts_s, frozenset())
        self._fitting.add(offer.number)
        self._lobby.offers.post(offer)
        self.heard(offer)

    async def _look(self, offer: Offer, kept: Kept, seeks: Iterable[Notice]) -> None:
        now, maker = trio.current_time(), kept.maker
        if maker is not None:
            maker.since = now  # it waits for an opponent: that is no idling
        if self._tables.unfinished(offer.number):
            self._was_taken(offer)
        elif kept.until <= now:
            self._ends(offer, kept, Answered((f"nobody took offer {offer.number}",), "offers"))
        elif offer.number in self._fitting and (found := self._fitting_now(offer)) is not None:
            await self._taken_by(found, offer.by, kept.by, offer.side, offer.digest)
            self._comes(found, offer.by, maker, partial(self._stands_again, offer, kept))
            with suppress(Refused):  # the table is opened, and the next look tries again
                await self._lasting.end(offer)
            client, told = self._maker(offer, kept), f"{found.by} plays that"
            self._ends(offer, kept, led_to(found, client, kept.ticket, told))
        elif maker is not None and is_open(offer) and (notice := seek_for(offer, seeks, kept.apart)) is not None:
            text, start = f"{notice.name} waits for that at a table", Start(offer.settings, offer.side)
            self._ends(offer, kept, Called(to_seek(offer, notice), start, text))
        elif self._bot_is_due(offer, kept, now):
            await self._taken_by(offer, BOT, kept.by, None, "")

    def _fitting_now(self, offer: Offer) -> Offer | None:
        """The offer from which a game begins with this one; None: none does, or its maker is awaited."""
        found = self._lobby.offers.matching(offer)
        return None if found is None or self._waits(found) or self._waits(offer) else found

    def _bot_is_due(self, offer: Offer, kept: Kept, now: float) -> bool:
        after_s = (self._rules if kept.maker is None else kept.maker.rules).bot_after_s
        if after_s is None or not is_open(offer) or now < kept.made + after_s or not self._bots.present:
            return False
        return bool(registry.game(offer.settings.game).judged)

    def _ends(self, offer: Offer, kept: Kept, told: Notification) -> None:
        """An offer of this node stands no more, and its maker is told why."""
        self._lobby.offers.remove(offer.number)
        maker = self._maker(offer, kept)
        if maker is not None and not maker.ended:
            maker.tell([told])

    def _seeks(self) -> dict[Settings | None, list[Notice]]:
        """By what they propose, the players who wait at tables."""
        found: dict[Settings | None, list[Notice]] = {}
        for notice in self._lobby.notices.all():
            found.setdefault(notice.start.settings, []).append(notice)
        return found

    async def _named(self, client: Maker, wanted: str) -> str:
        """The name of a client that has no seat. Refused: it has one, or may not be called so."""
        if client.table is not None and client.seat is not None:
            raise Refused(Why.ALREADY_SEATED, "you have a seat; leave it first")
        await self._tables.recovery.until(lambda: False)
        before = self._lobby.here.entry(client.speaks_for)
        name = self._entering.enter(client, wanted)
        if before is None or before.name != name:
            self._entering.tell(client, wanted, name)
        return name

    def _entered(self, client: Maker) -> str:
        entry = self._lobby.here.entry(client.speaks_for)
        return client.called if entry is None else entry.name

    def _known(self, name: str) -> bool:
        return bool(self._lobby.here.of(name) or self._lobby.names.owned(name) or self._lobby.tables_of(name))

    def _wanted(self, name: str, asked: Take) -> Offer:
        """The offer that is meant. Refused (NOT_NOW): there is none."""
        if asked.number:
            offer = self._lobby.offers.get(asked.number)
            if offer is None:
                raise no_offer(asked.number)
            return offer
        mine = [offer for offer in self._lobby.offers if offer.to and same_name(offer.to, name)]
        found = [offer for offer in mine if not asked.by or same_name(offer.by, asked.by)]
        if not found:
            raise Refused(Why.NOT_NOW, f"{asked.by} offers you no game" if asked.by else "nobody offers you a game")
        return found[-1]

    async def _check_and_take(
        self, offer: Offer, by: Offerer, side: int | None, apart: frozenset[str], client: Maker | None = None
    ) -> Made:
        rating.check_wish(by.name, Start(offer.settings), lambda _: by.account)
        if why := takeable(offer, by.name, apart):
            raise Refused(Why.NOT_NOW, why)
        if self._waits(offer):
            raise Refused(Why.NOT_NOW, f"{offer.by} is not here: take it when you both are, it stands until then")
        points = await self._ratings.rating_of(by.name, offer.settings) if any(offer.ratings) else 0
        if why := unsuited(offer, points):
            raise Refused(Why.NOT_NOW, why)
        if offer.manual:
            return await self._ask_maker(offer, by, side, client)
        ticket = new_ticket()
        seat = await self._taken_by(offer, by.name, by, side, ticket_digest(ticket).hex())
        if offer.answers:
            self._decline_answers(offer.answers)
            self._lobby.offers.decline(offer.answers)
        return Made(offer, ticket, seat)

    async def _ask_maker(self, offer: Offer, by: Offerer, side: int | None, client: Maker | None) -> Made:
        """Offer the game to the maker of a manual offer, which stands meanwhile. Refused as by ``make``."""
        if any(same_name(asked.by, by.name) for asked in self._lobby.offers.answers(offer.number)):
            raise Refused(Why.NOT_NOW, f"you have asked {offer.by} already: wait for the answer")
        theirs = side if offer.side is None else 1 - offer.side
        left = max(1, min(int(LONGEST_S), int(offer.until - time.time())) // 60)
        return await self.make(by, Start(offer.settings, theirs), offer.by, left, client=client, answers=offer.number)

    def _decline_answers(self, number: int) -> None:
        """The maker of a manual offer has accepted another answer, or has withdrawn it."""
        for answer in self._lobby.offers.answers(number):
            self._lobby.offers.decline(answer.number)
            if not answer.node:
                self.declined(answer)

    async def _taken_by(self, offer: Offer, name: str, by: Offerer, side: int | None, digest: str) -> int:
        """Register the table of an offer, which counts as registered ``by`` a player; the seat of the taker ``name``.

        ``digest`` is of its ticket, "" where it needs none. Refused: the offer does not stand any more, tables cannot
        be opened now, or this player has registered too many.
        """
        seats = seats_of(offer, name, side, await self._drawn(offer, name, side))
        mine = 0 if seats[0] == name else 1
        digests = [bytes.fromhex(digest), bytes.fromhex(offer.digest)]
        kept = self._kept.get(offer.number)
        usual = self._rules if kept is None or kept.maker is None else kept.maker.rules
        rules = replace(usual, bot_after_s=None, waits_s=self._registered_s if by_days(offer) else COMES_S + CLOSES_S)
        asked = Registration(offer.settings, seats, rules, offer=offer.number)
        registrant = Registrant(account=by.name if by.account else "", address=by.address)
        with trio.CancelScope(shield=True):  # a stored table runs, even if its taker has gone
            await self._takes(asked, registrant, digests if mine == 0 else digests[::-1])
        if offer.node:
            self._lobby.offers.taken(offer.number)
        else:
            self._was_taken(offer)
        return mine

    async def _drawn(self, offer: Offer, name: str, side: int | None) -> int:
        """The seat of an offer's maker where nobody wished one: in a rated game of two people by their last games."""
        due = None
        if offer.settings.rated and name != BOT and offer.side is None and side is None:
            due = await self._ratings.side_of(offer.by, name, offer.settings)
        return secrets.randbelow(PLAYERS) if due is None else due

    def _was_taken(self, offer: Offer) -> None:
        """Lead the maker of an offer of this node to its table; its other offers end."""
        self._lobby.offers.remove(offer.number)
        kept = self._kept.pop(offer.number, None)
        if kept is None:
            return
        self._comes(offer, offer.by, kept.maker, partial(self._stands_again, offer, kept))
        if offer.lasts and (client := self._maker(offer, kept)) is not None:
            client.tell([led_to(offer, client, kept.ticket, f"offer {offer.number} was taken")])
        if kept.maker is None:
            return
        for other in self._lobby.offers.of_client(offer.client):
            self._lobby.offers.remove(other.number)
        if kept.maker.table is None and not kept.maker.ended:
            kept.maker.tell([called_to(offer, kept.ticket, f"offer {offer.number} was taken")])

    def _comes(self, offer: Offer, name: str, client: Maker | None, again: Again | None = None) -> None:
        """A player was called to the table of an offer; ``again`` is called where the other one does not come."""
        if not by_days(offer):
            self._called.called(CalledPlayer(offer.number, name, client, trio.current_time() + COMES_S, again))

    def _stands_again(self, offer: Offer, kept: Kept, table: int, other: str) -> None:
        """An offer of this node, whose maker came and ``other`` did not, stands for the rest of its time, under a new
        number: that of its table is spent."""
        if kept.until <= trio.current_time():
            return
        number, ticket = self._tables.next_number(), new_ticket()
        stands = structs.replace(offer, number=number, digest=ticket_digest(ticket).hex())
        self._kept[number] = replace(kept, ticket=ticket)
        self._fitting.add(number)
        self._lobby.offers.post(stands)
        if kept.maker is not None:
            lines = (f"{other} did not come: your offer stands again", in_line(stands, offer.by))
            kept.maker.tell([Answered(lines, "offers", again=(table, number))])
        self.heard(stands)

    def _state(self, table: int) -> State | None:
        own = self._tables.get(table)
        return self._state_of(table) if own is None else own.state
