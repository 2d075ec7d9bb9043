"""Registers tables: checks registrant and request, stores the table with its seats and tickets whole, then runs it.

A registered table is in the record before its registrant is answered.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

import structlog
import trio
from msgspec import UNSET
from sqlalchemy.exc import SQLAlchemyError

from gateway import registry
from gateway.admission.ban_enforcer import BanEnforcer
from gateway.admission.table_limits import StorageLimits
from gateway.commits.commit_queue import CommitQueue, NotStored, say_not_stored
from gateway.config import Config
from gateway.lobby.claims import Ticket, new_ticket, ticket_digest
from gateway.lobby.join_options import with_bot
from gateway.lobby.lobby import Lobby
from gateway.lobby.registration import Registered, Registration, bot_of, seats_for
from gateway.net.addresses import address_key
from gateway.store import acts
from gateway.store.records import (
    Act,
    Conflict,
    MaybeStored,
    PairTaken,
    RowChanges,
    SeatRow,
    TableRow,
    TicketRow,
    pair_of,
)
from gateway.table import seating
from gateway.table.draft import Draft
from gateway.table.state import State, opened, waiting
from gateway.tables.bots import HouseBots
from gateway.tables.directory import Tables
from gateway.tables.journal import Journal
from gateway.tables.requests import STOPPING
from protocols.core.errors import Refused, Why
from protocols.core.events import TableOpened
from protocols.core.model import HouseRules, Seat, SeatKind

T = TypeVar("T")

NOT_STORED: Final = "the table could not be stored, try again"

TRIES: Final = 5
"""Numbers tried for a table while another server on the same database takes them too."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Registrant:
    """A registrant: with the ``admin`` token, as an ``account`` ("" none), or as a guest from ``address``."""

    admin: bool = False
    account: str = ""
    address: str = ""

    @property
    def host(self) -> str:
        """The host's name in the log of acts: holders of the token are told apart by the address alone."""
        return f"host token from {self.address}" if self.address else acts.SERVER


THE_HOUSE: Final = Registrant(admin=True)
"""The server itself, which may register any names."""


def no_offer(number: int) -> Refused:
    """The refusal of an offer that somebody has taken, or that its maker has withdrawn."""
    return Refused(Why.NOT_NOW, f"offer {number} does not stand any more")


class Forbidden(Refused):
    """This asker may not do this; another may. ``known`` says whether the server knows the registrant."""

    def __init__(self, text: str, *, known: bool) -> None:
        super().__init__(Why.BAD_TICKET, text)
        self.known = known


Takes: TypeAlias = Callable[[Registration, Registrant, Sequence[bytes]], Awaitable[int]]
"""Has the node with the lobby, which may be this one, take a table in; its number. Refused as by it.

Its tickets have these digests by seat, b"" where there is none: no ticket is sent to another node.
"""


class Registrar:
    """Registers the tables of one server."""

    def __init__(
        self,
        config: Config,
        commits: CommitQueue,
        lobby: Lobby,
        tables: Tables,
        bots: HouseBots,
        rules: HouseRules,
        bans: BanEnforcer,
        storage: StorageLimits,
        takes: Takes,
    ) -> None:
        self._config = config
        self._commits = commits
        self._lobby = lobby
        self._tables = tables
        self._bots = bots
        self._house_rules = rules
        self._bans = bans
        self._storage = storage
        self._one_counts = trio.Lock()  # from the count of a registrant's tables until one more is stored
        self._takes = takes

    def reread(self, config: Config) -> None:
        """Register by these settings from now on. Tables keep the rules they were registered with."""
        self._config = config
        self._house_rules = config.house_rules

    async def register(self, asked: Registration, by: Registrant = THE_HOUSE) -> Registered:
        """The table is stored and can be asked when this returns.

        Refused: BAD_OPTION names what cannot be registered, NAME_TAKEN that the two have a game already, BANNED that a
        name is banned, OVERLOAD that there are too many tables; Forbidden that the asker may not. Nothing has happened
        then.
        """
        seats = self._checked(asked, by)[1]
        taken_by_ticket = (SeatKind.RESERVED, SeatKind.OPEN) if asked.private else (SeatKind.RESERVED,)
        tickets = tuple(new_ticket() if seat.kind in taken_by_ticket else "" for seat in seats)
        digests = [ticket_digest(ticket) if ticket else b"" for ticket in tickets]
        with trio.CancelScope(shield=True):  # a stored table runs, even if its registrant has gone
            number = await self._takes(asked, by, digests)
        return Registered(number, tuple(self._handed(seat, tickets[seat.index], by) for seat in seats))

    async def take_in(self, asked: Registration, by: Registrant, digests: Sequence[bytes]) -> int:
        """The number of the table, which runs here. Its tickets have these ``digests``, b"" where there is none.

        Refused as by ``register``.
        """
        await self._tables.recovery.until(lambda: False)  # the names of its players may be anywhere in the record
        asked, seats = self._checked(asked, by)
        async with self._one_counts if _registrant(by) else contextlib.nullcontext():
            await self._check_count(by)
            if asked.offer and self._lobby.offers.get(asked.offer) is None:
                raise no_offer(asked.offer)
            state, journal = await self._open(asked, seats, digests, by)
        if by.address and not by.admin:
            self._storage.charge(by.address, journal.written)
        await self._tables.take_over(state, journal)
        self._lobby.report(state, None, [""] * len(seats))
        number, game = state.table, asked.settings.game
        _log.info("table registered", table=number, game=game, by=by.account or by.address or "the house")
        return number

    def _checked(self, asked: Registration, by: Registrant) -> tuple[Registration, tuple[Seat, ...]]:
        """The registration, with the house bot that takes seats, and its seats. Refused as by ``register``."""
        game = registry.game(asked.settings.game)
        names = self._bots.names(game.name)
        if names and (bot := bot_of(asked, names)) is not None:
            asked = replace(asked, house=with_bot(self._rules(asked), bot))
        seats = seats_for(asked, game, bots=self._bots.present)
        self._check(seats, by, offered=asked.offer > 0)
        if asked.settings.rated:
            self._check_rated(seats)
        return asked, seats

    async def reissue(self, table: int, by: Registrant) -> tuple[int, str]:
        """A new ticket for the asker's own seat: the seat, the ticket. The old one ends; the player of the seat stays.

        Forbidden: the asker has no account. Refused (NOT_SEATED): no seat there is registered for its name.
        """
        if not by.account:
            raise Forbidden("only the owner of an account gets a new ticket", known=by.admin)
        none = Refused(Why.NOT_SEATED, f"no seat of table {table} is registered for {by.account}")
        ticket = new_ticket()
        try:
            found = self._tables.asked(table)
            return await found.reissue(by.account, Ticket(ticket_digest(ticket), ticket)), ticket
        except Refused as refused:
            raise (none if refused.why is Why.TABLE_FULL else refused) from None

    def _check(self, seats: Sequence[Seat], by: Registrant, *, offered: bool) -> None:
        """Refused: this asker may not register, or not these players, or not now.

        Whoever may sit down at an open table may take an offer: both players have asked for that table.
        """
        rules, free = self._config.registration, by.admin or offered
        if rules.who == "admin" and not free:
            raise Forbidden("only the host of this server registers tables", known=bool(by.account))
        if rules.who == "accounts" and not (free or by.account):
            raise Forbidden("tables are registered by those who have an account here", known=False)
        for seat in seats:
            if seat.kind is not SeatKind.RESERVED:
                continue
            self._bans.check(seat.name)
            if not self._lobby.names.owned(seat.name):
                self._lobby.names.checked(seat.name)
            elif not (free or by.account):
                raise Forbidden(f"{seat.name} is the name of an account: its owner registers", known=False)
        self._tables.check_room()

    async def _check_count(self, by: Registrant) -> None:
        """Refused: as many tables of this registrant as there may be are not over."""
        rules, registrant = self._config.registration, _registrant(by)
        if registrant and by.address:
            self._storage.check(by.address)
        most = rules.tables_per_account if by.account else rules.tables_per_address
        if registrant and await self._read(self._commits.log.registered_by, registrant) >= most:
            whose = "by your account" if by.account else "from your address"
            raise Refused(Why.TOO_FAST, f"{most} tables registered {whose} are not over")

    async def _read(self, function: Callable[..., T], *arguments: object) -> T:
        """Call a reading method of the log. Refused (OVERLOAD) while the database is in trouble."""
        try:
            return await self._commits.call(function, *arguments)
        except SQLAlchemyError as error:
            _log.warning("a registrant's tables cannot be read", error=str(error))
            raise Refused(Why.OVERLOAD, NOT_STORED) from None

    def _check_rated(self, seats: Sequence[Seat]) -> None:
        """Refused: rated games are between accounts."""
        for seat in seats:
            if seat.kind is SeatKind.BOT:
                continue
            if seat.kind is not SeatKind.RESERVED or not self._lobby.names.owned(seat.name):
                who = seat.name or "an open seat"
                raise Refused(Why.BAD_OPTION, f"a rated game is between accounts, and {who} has none")

    def _handed(self, seat: Seat, ticket: str, by: Registrant) -> str:
        """The ticket of an account's name goes to its owner only."""
        owned = self._lobby.names.owned(seat.name)
        return ticket if by.admin or not owned or seat.name.casefold() == by.account.casefold() else ""

    async def _open(
        self, asked: Registration, seats: Sequence[Seat], digests: Sequence[bytes], by: Registrant
    ) -> tuple[State, Journal]:
        for _ in range(TRIES):
            number = asked.offer or self._tables.next_number()
            try:
                return await self._store(number, asked, seats, digests, by)
            except PairTaken:
                names = tuple(seat.name for seat in seats)
                if not await self._supersede(asked.settings.game, names, by):
                    text = f"a game between {names[0]} and {names[1]} is registered already"
                    raise Refused(Why.NAME_TAKEN, text) from None
            except Conflict:  # another server has taken the number meanwhile, or somebody else this offer
                if asked.offer:
                    raise no_offer(asked.offer) from None
                await self._tables.number_taken()
            except MaybeStored as error:
                say_not_stored(error, table=number)
                raise Refused(Why.OVERLOAD, STOPPING) from None
            except NotStored as error:
                say_not_stored(error, table=number)
                break
        raise Refused(Why.OVERLOAD, NOT_STORED)

    async def _supersede(self, game: str, names: tuple[str, ...], by: Registrant) -> bool:
        """End the abandoned game of these two, so that they can be registered anew; whether there was one.

        Not a game that another registrant is known to have registered: only the host and its players' accounts end it.
        """
        ours = by.admin or by.account.casefold() in {name.casefold() for name in names}
        for number in self._lobby.pairs.tables(names):
            found = await self._read(self._commits.log.load, [number])
            others = any(one.row.registrant not in (None, _registrant(by)) for one in found)
            if ours or not others:
                try:
                    await self._tables.asked(number).supersede(game)
                except Refused as refused:
                    if refused.why is Why.OVERLOAD:
                        raise
                else:
                    return True
        return False

    async def _store(
        self, number: int, asked: Registration, seats: Sequence[Seat], digests: Sequence[bytes], by: Registrant
    ) -> tuple[State, Journal]:
        """Row, first events, seats, tickets, and that the host has done it, if so: one transaction."""
        settings, rules, secret = asked.settings, self._rules(asked), secrets.token_bytes(32)
        state = opened(number, registry.game(settings.game), settings, rules, secret)
        draft = Draft(waiting(state, trio.current_time() + rules.waits_s))
        seating.register(draft, seats, trio.current_time())
        registered = len(seats) == 2 and not asked.offer  # two players may come to several games by offers
        pair = pair_of([seat.name for seat in seats if seat.kind is SeatKind.RESERVED]) if registered else None
        now, node = time.time(), self._tables.elsewhere().me
        row = TableRow(
            number, 1, "open", settings.game, settings.variant, secret, now, pair, node=node, registrant=_registrant(by)
        )
        journal = Journal(self._commits, number, row.epoch, row, TableOpened(settings, rules))
        kept = tuple(SeatRow(seat.index, seat.kind, seat.name) for seat in draft.state.seats)
        tickets = tuple(TicketRow(digest, number, seat) for seat, digest in enumerate(digests) if digest)
        acts = (_act(number, asked, by),) if by.admin else ()
        with self._tables.opening(number):
            await journal.write(draft.events, RowChanges(seats=kept, tickets=tickets, acts=acts))
        self._lobby.restore((ticket.digest, ticket.table, ticket.seat) for ticket in tickets)
        return draft.state, journal

    def _rules(self, asked: Registration) -> HouseRules:
        waits_s = self._config.seats.registered_s
        given = asked.house or replace(self._house_rules, bot_after_s=None, waits_s=waits_s)
        speak = given.observers_speak if asked.observers_speak is None else asked.observers_speak
        return replace(
            given,
            waits_s=given.waits_s or waits_s,
            private=asked.private or given.private,
            watched=asked.watched,
            observers_speak=speak,
            offered=asked.offer > 0 or UNSET,
        )


def _act(number: int, asked: Registration, by: Registrant) -> Act:
    told = {"game": asked.settings.game, "players": ", ".join(asked.seats)}
    return acts.made(time.time(), by.host, "table.registered", f"table {number}", **told)


def _registrant(by: Registrant) -> str | None:
    """The account or address whose tables are counted together, in the record's words. None: they are not."""
    if by.admin:
        return None
    if by.account:
        return f"account {by.account.casefold()}"
    return f"place {address_key(by.address)}" if by.address else None
