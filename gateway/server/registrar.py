"""Registers tables: checks who asks for what, stores the table with its seats and tickets whole, then runs it.

A registered table is in the record before anybody is answered. Not here: what a registration may hold
(gateway.lobby.registration), HTTP, and how accounts are recognised (gateway.accounts).
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import structlog
import trio

from gateway import registry
from gateway.lobby.lobby import ticket_digest
from gateway.lobby.registration import Registered, Registration, bot_of, seats_for
from gateway.lobby.wishes import with_bot
from gateway.net.addresses import place_of
from gateway.server import reissue
from gateway.server.ledger import Ledger
from gateway.server.reception import TICKET_BYTES
from gateway.server.scribe import NotStored, say_not_stored
from gateway.server.table_task import TableTask
from gateway.store import acts
from gateway.store.records import Act, Conflict, PairTaken, SeatRow, TableRow, TicketRow, pair_of
from gateway.table import seating
from gateway.table.draft import Draft
from gateway.table.state import opened, waiting
from protocols.core.errors import Refused, Why
from protocols.core.events import TableOpened
from protocols.core.model import HouseRules, Seat, SeatKind

if TYPE_CHECKING:
    from gateway.server.house import House

TRIES: Final = 5
"""Numbers tried for a table while another server on the same database takes them too."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Registrant:
    """Who asks: with the ``admin`` token, as an ``account`` ("" none), or as a guest from ``address``."""

    admin: bool = False
    account: str = ""
    address: str = ""

    @property
    def host(self) -> str:
        """Who acts with the host's rights, as it is noted: whoever has the token is told apart by the address alone."""
        return f"host token from {self.address}" if self.address else acts.SERVER


THE_HOUSE: Final = Registrant(admin=True)
"""The server itself, which may register anybody."""


class Forbidden(Refused):
    """This asker may not do this; another may. ``known`` says whether the server knows who asks."""

    def __init__(self, text: str, *, known: bool) -> None:
        super().__init__(Why.BAD_TICKET, text)
        self.known = known


class Registrar:
    """Everybody who registers a table comes here."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._registered: dict[tuple[str, str], set[int]] = {}  # whose (see _asker) -> the tables registered

    async def register(self, asked: Registration, by: Registrant = THE_HOUSE) -> Registered:
        """The table is stored and can be asked when this returns.

        Refused: BAD_OPTION names what cannot be registered, NAME_TAKEN that the two have a game already, OVERLOAD
        that there are too many tables; Forbidden that the asker may not. Nothing has happened then.
        """
        game = registry.game(asked.settings.game)
        names = self._house.bot_names(game.name)
        if names and (bot := bot_of(asked, names)) is not None:
            asked = replace(asked, house=with_bot(self._rules(asked), bot))
        seats = seats_for(asked, game, bots=self._house.bots is not None)
        self._check(seats, by)
        if asked.settings.rated:
            self._check_rated(seats)
        tickets = tuple(_new_ticket() if seat.kind is SeatKind.RESERVED else "" for seat in seats)
        with trio.CancelScope(shield=True):  # a table that is stored runs, whoever asked for it has gone or not
            table = await self._open(asked, seats, tickets, by)
            await self._house.take_over(table)
            self._house.lobby.report(table.state, None, [""] * len(seats))
        number = table.state.table
        if asker := _asker(by):
            self._registered.setdefault(asker, set()).add(number)
        _log.info("table registered", table=number, game=game.name, by=by.account or by.address or "the house")
        return Registered(number, tuple(self._handed(seat, tickets[seat.index], by) for seat in seats))

    async def reissue(self, table: int, by: Registrant) -> tuple[int, str]:
        """A new ticket for the asker's own seat: the seat, the ticket. The old one ends; whoever sits there stays.

        Forbidden: the asker has no account. Refused (NOT_SEATED): no seat there is registered for its name.
        """
        if not by.account:
            raise Forbidden("only the owner of an account gets a new ticket", known=by.admin)
        running = await self._house.table(table)
        if running is None:
            raise Refused(Why.NOT_SEATED, f"no seat of table {table} is registered for {by.account}")
        ticket = _new_ticket()
        return await reissue.ask(running, by.account, ticket), ticket

    def _check(self, seats: Sequence[Seat], by: Registrant) -> None:
        """Refused: this asker may not register, or not these players, or not now."""
        rules, house = self._house.config.registration, self._house
        if rules.who == "admin" and not by.admin:
            raise Forbidden("only the host of this server registers tables", known=bool(by.account))
        if rules.who == "accounts" and not (by.admin or by.account):
            raise Forbidden("tables are registered by those who have an account here", known=False)
        for seat in seats:
            if seat.kind is SeatKind.RESERVED and house.lobby.names.owned(seat.name) and not (by.admin or by.account):
                raise Forbidden(f"{seat.name} is the name of an account: its owner registers", known=False)
        house.drain.check()
        if not house.running or len(house.tables) >= house.config.limits.tables:
            raise Refused(Why.OVERLOAD, "server overload, try again later")
        asker = _asker(by)
        most = rules.tables_per_account if by.account else rules.tables_per_address
        if asker and self._unfinished(asker) >= most:
            whose = "by your account" if by.account else "from your address"
            raise Refused(Why.TOO_FAST, f"{most} tables registered {whose} are not over")

    def _check_rated(self, seats: Sequence[Seat]) -> None:
        """Refused: a rating is an account's, so whoever plays a rated game has one."""
        for seat in seats:
            if seat.kind is not SeatKind.RESERVED or not self._house.lobby.names.owned(seat.name):
                who = seat.name or "an open seat"
                raise Refused(Why.BAD_OPTION, f"a rated game is between accounts, and {who} has none")

    def _unfinished(self, asker: tuple[str, str]) -> int:
        """How many tables this asker has registered that are not over."""
        left = {
            table
            for table in self._registered.pop(asker, ())
            if table in self._house.tables or table in self._house.resting
        }
        if left:
            self._registered[asker] = left
        return len(left)

    def _handed(self, seat: Seat, ticket: str, by: Registrant) -> str:
        """The ticket of a name that is somebody else's account goes to nobody but its owner."""
        owned = self._house.lobby.names.owned(seat.name)
        return ticket if by.admin or not owned or seat.name.casefold() == by.account.casefold() else ""

    async def _open(
        self, asked: Registration, seats: Sequence[Seat], tickets: Sequence[str], by: Registrant
    ) -> TableTask:
        house = self._house
        for _ in range(TRIES):
            number = house.next_table()
            try:
                return await self._store(number, asked, seats, tickets, by)
            except PairTaken:
                names = tuple(seat.name for seat in seats)
                if not await self._supersede(asked.settings.game, names, by):
                    text = f"a game between {names[0]} and {names[1]} is registered already"
                    raise Refused(Why.NAME_TAKEN, text) from None
            except Conflict:  # another server has taken the number meanwhile
                await house.count_on()
            except NotStored as error:
                say_not_stored(error, table=number)
                break
        raise Refused(Why.OVERLOAD, "the table could not be stored, try again")

    async def _supersede(self, game: str, names: tuple[str, ...], by: Registrant) -> bool:
        """End the abandoned game of these two, so that they can be registered anew; whether there was one.

        Not a game that another registrant is known to have registered: only the host and its players' accounts end it.
        """
        ours = by.admin or by.account.casefold() in {name.casefold() for name in names}
        for number in self._house.lobby.registered_tables(names):
            others = any(number in tables for asker, tables in self._registered.items() if asker != _asker(by))
            table = None if others and not ours else await self._house.table(number)
            if table is not None and table.state.game.name == game:
                with contextlib.suppress(Refused):
                    await table.supersede()
                    return True
        return False

    async def _store(
        self, number: int, asked: Registration, seats: Sequence[Seat], tickets: Sequence[str], by: Registrant
    ) -> TableTask:
        """Row, first events, seats, tickets, and that the host has done it, if so: one transaction."""
        house, settings, rules, secret = self._house, asked.settings, self._rules(asked), secrets.token_bytes(32)
        state = opened(number, registry.game(settings.game), settings, rules, secret)
        draft = Draft(waiting(state, trio.current_time() + rules.waits_s))
        seating.register(draft, seats, trio.current_time())
        pair = pair_of([seat.name for seat in seats if seat.kind is SeatKind.RESERVED]) if len(seats) == 2 else None
        row = TableRow(number, 1, "open", settings.game, settings.variant, secret, time.time(), pair)
        ledger = Ledger(house.scribe, number, row.epoch, row, TableOpened(settings, rules))
        kept = tuple(SeatRow(seat.index, seat.kind, seat.name) for seat in draft.state.seats)
        digests = [(ticket_digest(ticket), number, seat) for seat, ticket in enumerate(tickets) if ticket]
        ticket_rows, act = tuple(TicketRow(*row) for row in digests), _act(number, asked, by)
        await ledger.write(draft.events, None, kept, ticket_rows, acts=(act,) if by.admin else ())
        house.lobby.restore(digests)
        return TableTask(house, draft.state, ledger)

    def _rules(self, asked: Registration) -> HouseRules:
        waits_s = self._house.config.seats.registered_s
        if asked.house is not None:
            return replace(asked.house, waits_s=asked.house.waits_s or waits_s)
        return replace(self._house.house_rules(), bot_after_s=None, waits_s=waits_s)


def _new_ticket() -> str:
    return secrets.token_urlsafe(TICKET_BYTES)


def _act(number: int, asked: Registration, by: Registrant) -> Act:
    told = {"game": asked.settings.game, "players": ", ".join(asked.seats)}
    return acts.made(time.time(), by.host, "table.registered", f"table {number}", **told)


def _asker(by: Registrant) -> tuple[str, str] | None:
    """Whose tables are counted together: an account's, or those of guests of one place. None: nobody counts them."""
    if by.admin:
        return None
    if by.account:
        return "account", by.account.casefold()
    return ("place", place_of(by.address)) if by.address else None
