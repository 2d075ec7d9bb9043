"""Finds each player a seat: by ticket, by address, by name, at a waiting table or a new one; spectators too.

A player who comes back brings a claim; the table resolves it at the moment it seats the player, so a claim that has
been used meanwhile is looked up again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Final, Protocol, TypeAlias

import structlog
import trio

from gateway import registry
from gateway.accounts.circle import Circle
from gateway.admission.authentication import Authenticator
from gateway.admission.ban_enforcer import BanEnforcer
from gateway.admission.connection_limiter import ConnectionLimiter
from gateway.admission.ticket_guessing import UNKNOWN, TicketGuard
from gateway.config import Config, Limits
from gateway.lobby import rating
from gateway.lobby.claims import (
    AccountClaim,
    AddressClaim,
    Claim,
    PairClaim,
    Ticket,
    TicketClaim,
    new_ticket,
    ticket_digest,
    ticket_of,
)
from gateway.lobby.join_options import JoinOptions, options_of, party_of
from gateway.lobby.lobby import OWN_TICKET, Destination, Lobby
from gateway.lobby.party import Nearer, Party
from gateway.lobby.spelling import tidy
from gateway.log_context import log_context
from gateway.net.addresses import address_key
from gateway.seating.answers import Answers, Past, Ratings
from gateway.seating.entering import Entering, Speaker
from gateway.seating.offering import Offering
from gateway.seating.whispers import Whispers
from gateway.table.refusals import TableClosed
from gateway.table.state import State
from gateway.tables.bots import HouseBots
from gateway.tables.directory import Tables
from gateway.tables.runner import TableRunner
from gateway.tables.seams import Subscriber
from protocols.core.commands import Join, Watch
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused, Why
from protocols.core.model import HouseRules, SeatKind
from protocols.core.notifications import Named
from protocols.core.proposals import Start

_log = structlog.get_logger()

TABLES: Final = 100
"""Tables that a newcomer is led to at most: at each of them another player was faster."""

LOOKS: Final = 3
"""Times that a claim is looked up which was used by another client meanwhile."""


LOOKS_ELSEWHERE: Final = 20
"""The same where the table may be another node's, or on the way to it: for five seconds."""

AGAIN_S: Final = 0.25
"""Seconds between two of these looks."""


class Newcomer(Subscriber, Protocol):
    """A client that asks for a seat. ``party`` is what it looks for, ``account`` as whom it has logged in."""

    party: Party | None
    account: str

    @property
    def movable(self) -> bool:
        """True if another worker of its machine could go on with its connection."""

    @property
    def rules(self) -> HouseRules:
        """The rules of a table that is opened for it."""


class Known(Refused):
    """A secret that was brought for a new seat stands for one already: an earlier connection has got it."""


class OtherNodes(Protocol):
    """The other nodes of a server, as seating uses them."""

    async def seek(self, newcomer: Newcomer, join: Join, secret: str) -> bool:
        """Have the node with the lobby find a seat, for which ``secret`` will stand ("" none).

        Refused as by it; Known, Nearer.

        False: this node has the lobby, so open tables are here, and players who look for one are seated here.
        """

    def state_of(self, table: int) -> State | None:
        """A table of another node, as was heard last, without a position; None: it is not known."""

    def nearer(self, newcomer: Newcomer, table: int) -> str | None:
        """The worker where the players of a table are, which could have ``newcomer``; None: there is no such."""


GuestTicketOf: TypeAlias = Callable[[str, int], Awaitable[bytes | None]]
"""The digest of a ticket whose seat at this table the account of this name has kept; None: there is none."""


def _all() -> bool:
    """Whether there is no need to wait until all of the record is read: names, and who waits, are anywhere in it."""
    return False


class Joining:
    """Seats the clients of one server."""

    def __init__(
        self,
        limits: Limits,
        lobby: Lobby,
        tables: Tables,
        limiter: ConnectionLimiter,
        bans: BanEnforcer,
        authenticator: Authenticator,
        tickets: TicketGuard,
        bots: HouseBots,
        entering: Entering,
        whispers: Whispers,
        nodes: OtherNodes,
        guest_ticket: GuestTicketOf,
        offering: Offering,
        circle: Circle,
        ratings: Ratings,
        past: Past,
    ) -> None:
        self._circle = circle
        self._limits = limits
        self._lobby = lobby
        self._tables = tables
        self._limiter = limiter
        self._bans = bans
        self._authenticator = authenticator
        self._tickets = tickets
        self._bots = bots
        self._tickets_on_the_way: set[bytes] = set()
        self._nodes = nodes
        self._guest_ticket = guest_ticket
        self._entering = entering
        self.carry, self.logged_in, self.offered = whispers.carry, entering.logged_in, offering.serve
        answers = Answers(lobby, tables, nodes.state_of, circle, ratings, past)
        self.answer, self.introduced = answers.answer, answers.introduced

    def reread(self, config: Config) -> None:
        """Let addresses have as many tables as these settings say; those that are open stay."""
        self._limits = config.limits

    async def login(self, client: Speaker, name: str, secret: str) -> None:
        """Make a client the account's, which is here from then on. Refused as by Authenticator.login."""
        await self._authenticator.login(client, name, secret)
        self._entering.logged_in(client)

    async def enter(self, client: Speaker, wanted: str, *, exact: bool = False) -> None:
        """Let a client be here under a name without a seat; it has been told Named then. Refused: it is no name.

        ``exact``: refused (PASSWORD_NEEDED), too, where it is an account's that the client has not logged in to.
        """
        await self._tables.recovery.until(_all)
        if exact:
            self._authenticator.check_guest(client, wanted)
        if not wanted:
            self._entering.left(client.speaks_for)
        self._entering.tell(client, wanted, self._entering.enter(client, wanted))

    async def seat(self, newcomer: Newcomer, join: Join) -> None:
        """Find a seat for ``newcomer``; it has been told Seated then. Refused with the reason; Nearer."""
        if newcomer.table is not None and newcomer.seat is None:
            await newcomer.table.leave(newcomer)  # a spectator sits down
        if newcomer.table is not None:
            raise Refused(Why.ALREADY_SEATED, "you have a seat; connect again for another one")
        await self._tickets.learn(join.ticket, newcomer.address)
        if not join.ticket:
            await self._tables.recovery.until(_all)
        join = await self._authenticator.introduced(newcomer, join)
        join = _with_key(join, newcomer.dialect)
        self._know_account(newcomer)
        self._bans.check(join.name)
        if self._limiter.crowded:
            raise Refused(Why.OVERLOAD, "server overload, try again later")
        before, newcomer.party = newcomer.party, None
        try:
            if await self._came_back(newcomer, join):
                return
            secret = join.ticket or join.key or (new_ticket() if newcomer.dialect.ticketed else "")
            fresh = replace(join, ticket="", key="")
            try:
                if not await self._nodes.seek(newcomer, fresh, secret):
                    await self._seek(newcomer, fresh, ticket_of(secret), before)
            except Known:
                if not await self._came_back(newcomer, replace(join, ticket=secret)):
                    raise
        finally:
            self._tables.rematching.settled(before)
            if newcomer.table is not None and newcomer.seat is not None:
                self._entering.sat_down(newcomer.number, newcomer.table.state.seats[newcomer.seat].name)

    async def _came_back(self, newcomer: Newcomer, join: Join) -> bool:
        """Take back the seat that ``newcomer`` has a claim to; False: it has none. Refused: a wrong ticket. Nearer."""
        for _ in range(LOOKS_ELSEWHERE if self._tables.elsewhere().several else LOOKS):
            kept, claim = await self._kept_seat(newcomer, join)
            if kept is None or claim is None:
                break
            self._look_nearer(newcomer, kept.table)
            if await self._return(newcomer, join, kept, claim):
                return True
            if self._tables.elsewhere().several:
                await trio.sleep(AGAIN_S)  # its table is on the way from one node to another
                await self._tickets.learn(join.ticket, newcomer.address)
                await self._tickets.learn(join.key, newcomer.address)
        else:
            if self._tables.elsewhere().several:
                raise Refused(Why.OVERLOAD, "your seat cannot be found just now, try again in a moment")
        if join.kept:
            raise Refused(Why.BAD_TICKET, UNKNOWN)
        return False

    async def seek(self, newcomer: Newcomer, join: Join, ticket: Ticket | None) -> None:
        """Find an open seat for a client of another node; ``ticket`` will stand for it. Refused; Nearer."""
        await self._tables.recovery.until(_all)
        self._know_account(newcomer)
        before, newcomer.party = newcomer.party, None
        try:
            await self._seek(newcomer, join, ticket, before)
        finally:
            self._tables.rematching.settled(before)

    def _know_account(self, newcomer: Newcomer) -> None:
        """An account that another process made a moment ago is known as one before its name holds a seat here."""
        if newcomer.account:
            self._lobby.names.own((newcomer.account,))

    async def _seek(self, newcomer: Newcomer, join: Join, ticket: Ticket | None, before: Party | None) -> None:
        """The same for a client that was ``before`` when it asked for a seat the last time."""
        await self._tables.recovery.all_listed()
        blocks = await self._circle.blocks(newcomer.account)
        called = before if before is not None and before.called is not None else None
        sought = options_of(join, newcomer.rules, self._bots.names)
        asked = join.name or ("" if called is None else called.name)
        entered = self._lobby.here.entry(newcomer.number)
        if entered is not None and (not asked or tidy(asked).casefold() == entered.name.casefold()):
            name = entered.name
        else:
            name = self._lobby.names.choose(asked, newcomer.account)
        is_account = self._lobby.names.is_account
        rating.check_wish(name, Start(sought.settings if join.ready else join.settings), is_account)
        guest = not is_account(name)
        roams, rounds = newcomer.dialect.roams, newcomer.dialect.rounds
        newcomer.party = party = party_of(join, sought, name, newcomer.number, roams=roams, guest=guest, rounds=rounds)
        party.blocks, party.program = blocks.apart, newcomer.program
        if before is not None:
            party.goes_on(before)
        with self._on_the_way(name, ticket):
            named = replace(join, name=name, settings=sought.settings if join.wishes else None)
            await self._sit_somewhere(newcomer, party, named, sought, ticket)
        if called is None:
            self._tell_name(newcomer, join.name, name)

    async def _kept_seat(self, newcomer: Newcomer, join: Join) -> tuple[Destination | None, Claim | None]:
        """The seat that this client may come back to, and its claim to it. Refused: its ticket or name is wrong."""
        if join.table is not None:
            return await self._own_seat(join.table, newcomer)
        if self._lobby.knows(digest := ticket_digest(join.key)):  # it has sat down before, and was not told so
            return self._tickets.kept(join.key, newcomer.address), TicketClaim(digest)
        find = self._tickets.kept if join.kept else self._tickets.seat
        kept = find(join.ticket, newcomer.address)
        if kept is not None:
            return kept, TicketClaim(ticket_digest(join.ticket))
        if newcomer.dialect.by_name:
            opponent = dict(join.wishes).get("opponent", "")
            return self._registered(join, opponent, newcomer.account), PairClaim(join.name, opponent)
        if join.by_address:
            game = registry.game(join.game).name
            return self._lobby.by_address(game, newcomer.address), AddressClaim(game, newcomer.address)
        return None, None

    async def _own_seat(self, table: int, newcomer: Newcomer) -> tuple[Destination, Claim]:
        """The seat of an account at this table. Refused: it has none there, or is none."""
        account = newcomer.account
        claim = AccountClaim(table, account)
        seat = self._lobby.claimed(claim, table) if account else None
        if account and seat is None and (digest := await self._guest_ticket(account, table)) is not None:
            await self._tickets.learn_digest(digest, newcomer.address)
            if (kept := self._lobby.claimed(TicketClaim(digest), table)) is not None:
                return Destination(table, kept), TicketClaim(digest)
        if account and seat is None and (found := await self._tables.find(table)) is not None:
            owners = [held.owner.casefold() for held in found.state.seats]  # its record says for whom house bots play
            seat = owners.index(account.casefold()) if account.casefold() in owners else None
        if seat is None:
            raise Refused(
                Why.NOT_SEATED, f"no seat of table {table} is yours: log in as its player, or bring its ticket"
            )
        return Destination(table, seat), claim

    def _tell_name(self, newcomer: Newcomer, wanted: str, name: str) -> None:
        """Tell a player who has got another name than the one that was asked for, and why."""
        if not wanted or tidy(wanted).casefold() == name.casefold():
            return
        newcomer.tell([Named(name, f"{wanted} {self._lobby.names.why_other(wanted)}: you are {name}")])

    def _registered(self, join: Join, opponent: str, account: str) -> Destination:
        """The seat that was registered for these two names. Refused: there is none, or the name needs a ticket."""
        destination = self._lobby.registered_pair(join.name, opponent)
        if destination is None:
            raise Refused(Why.NOT_SEATED, f"no game between {join.name} and {opponent} is registered")
        if self._lobby.names.owned(join.name) and tidy(join.name).casefold() != account.casefold():
            raise Refused(Why.BAD_TICKET, f"{join.name} is the name of an account: its seat is taken with a ticket")
        return destination

    async def watch(self, newcomer: Newcomer, command: Watch) -> None:
        """Let ``newcomer`` look on at a table; it has been told Seated, without a seat. Refused with the reason."""
        if newcomer.table is not None and newcomer.seat is None:
            await newcomer.table.leave(newcomer)
        if newcomer.table is not None:
            raise Refused(Why.ALREADY_SEATED, "you have a seat; connect again to look on")
        self._bans.check(command.name)
        if command.whom:
            await self._tables.recovery.until(lambda: self._lobby.table_of(command.whom) is not None)
        number = self._lobby.table_of(command.whom) if command.whom else command.table
        entered = self._lobby.here.entry(newcomer.number)
        if entered is not None and (not command.name or tidy(command.name).casefold() == entered.name.casefold()):
            name = seen = entered.name
        else:
            asked = command.name or newcomer.account
            name = asked if asked == newcomer.account else self._lobby.names.checked(asked)
            names = self._lobby.names
            seen = names.choose(name, newcomer.account) if names.owned(name) else name
        try:
            await self._tables.watch(number, newcomer, seen or "observer")
        except TableClosed:
            wanted = f"player {command.whom!r} at a table" if command.whom else f"table {command.table}"
            raise Refused(Why.NOT_NOW, f"there is no {wanted}") from None
        self._tell_name(newcomer, name, seen)
        _log.debug("looks on", **log_context(newcomer))

    @contextmanager
    def _on_the_way(self, name: str, ticket: Ticket | None) -> Iterator[None]:
        """Reserve this name and this secret for a client on the way to a seat."""
        digest = b"" if ticket is None else ticket.digest
        if digest and digest in self._tickets_on_the_way:
            raise Refused(Why.BAD_TICKET, "this ticket is just being used by another connection; try again")
        if digest and self._lobby.knows(digest):
            raise Known(Why.BAD_TICKET, "this ticket has been used by another connection; try again")
        self._lobby.names.hold(name)
        self._tickets_on_the_way.add(digest)
        try:
            yield
        finally:
            self._tickets_on_the_way.discard(digest)
            self._lobby.names.free(name)

    async def _sit_somewhere(
        self, newcomer: Newcomer, party: Party, join: Join, sought: JoinOptions, ticket: Ticket | None
    ) -> None:
        for _ in range(TABLES):
            async with self._table_for(sought, newcomer, party) as (table, evicted):
                try:
                    if evicted is not None:
                        await table.evict(evicted)
                    await table.sit(newcomer, join, None, ticket)
                    _log.debug("seated", seat=newcomer.seat, **log_context(newcomer, table))
                    return
                except Refused as refused:
                    if refused.why is not Why.TABLE_FULL:
                        raise
                    if table.journal.blank:
                        await self._tables.number_taken()
        raise Refused(Why.OVERLOAD, "other players were faster at every table, try again")

    async def _return(self, newcomer: Newcomer, join: Join, kept: Destination, claim: Claim) -> bool:
        """Take a seat back; False when its table has closed, or the seat was taken meanwhile."""
        table = await self._tables.find(kept.table)
        if table is None:
            return False
        renamed = False
        if kept.seat is not None:
            seat = table.state.seats[kept.seat]
            self._bans.check(seat.name)
            renamed = seat.kind in (SeatKind.OPEN, SeatKind.BOT)
        if join.ready and registry.game(join.game) is not table.state.game:
            raise Refused(Why.BAD_TICKET, f"this ticket is for a table of {table.state.game.title}")
        try:
            await table.sit(newcomer, replace(join, key=""), claim, ticket_of(join.key))
        except Refused as refused:
            if refused.why is not Why.TABLE_FULL:
                raise
            return False
        if renamed and newcomer.seat is not None:
            self._tell_name(newcomer, join.name, table.state.seats[newcomer.seat].name)
        _log.debug("came back", seat=newcomer.seat, **log_context(newcomer, table))
        return True

    @asynccontextmanager
    async def _table_for(
        self, sought: JoinOptions, newcomer: Newcomer, party: Party
    ) -> AsyncIterator[tuple[TableRunner, int | None]]:
        """The table to go to, and the seat to free before; the lobby counts the player as on the way there."""
        destination = self._lobby.room(sought, party)
        going = destination.table
        try:
            self._look_nearer(newcomer, going)
            table = await self._waiting_table(going) or self._open(sought, newcomer)
            if table.state.table != going:
                self._comes_no_more(going, party)
                going = table.state.table
                self._lobby.comes(going, party)
            yield table, destination.evicts
        finally:
            self._comes_no_more(going, party)

    def _comes_no_more(self, table: int | None, party: Party) -> None:
        """Unless ``party`` sits at that table, the player who waits there waits for another."""
        if table is not None and self._lobby.waiting.arrived(table, party):
            self._tables.rematching.look_around(table)

    def _look_nearer(self, newcomer: Newcomer, table: int | None) -> None:
        """Nearer: it would have its opponents beside it at another worker."""
        if table is not None:
            worker = self._nodes.nearer(newcomer, table)
            if worker is not None:
                raise Nearer(worker)

    async def _waiting_table(self, number: int | None) -> TableRunner | None:
        """The open table of this number, awaited where it is on its way from the node that had the lobby before."""
        for _ in range(LOOKS_ELSEWHERE):
            table = await self._tables.local(number)
            if table is not None or number is None or not self._tables.unfinished(number):
                return table
            await trio.sleep(AGAIN_S)
        return None

    def _open(self, sought: JoinOptions, newcomer: Newcomer) -> TableRunner:
        """A new table. Refused: there are too many, of all or of this address."""
        table_quotas, opener = self._lobby.table_quotas, address_key(newcomer.address)
        table_quotas.admit(opener, self._limits)
        table = self._tables.open(sought)
        table_quotas.opened(table.state, opener)
        return table


def _with_key(join: Join, dialect: Dialect | type[Dialect]) -> Join:
    """``join`` with a key for the seat of an invitation, where its peer keeps one. Refused: its own is too short."""
    if 0 < len(join.key) < OWN_TICKET:
        raise Refused(Why.BAD_TICKET, f"a secret of your own has at least {OWN_TICKET} characters")
    return replace(join, key=join.key or new_ticket()) if dialect.rekeys and join.ticket else join
