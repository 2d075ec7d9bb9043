"""Who comes to which table: by ticket, by address, by name, to one that waits or to a new one; and who only looks on.

Not here: the tables (table_task.py), what is known of them (gateway.lobby), who may connect at all (house.py).
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import structlog

from gateway import registry
from gateway.lobby.lobby import Place
from gateway.lobby.names import check
from gateway.lobby.party import Party
from gateway.lobby.spelling import tidy
from gateway.lobby.table_words import kept_line, people_line, table_line
from gateway.lobby.wishes import Wanted, party_of, wanted
from gateway.net.addresses import place_of
from gateway.server.about import about
from gateway.server.calling import evict, look_around
from gateway.server.connection import Connection
from gateway.server.entry import Entry
from gateway.server.sayings import Sayings
from gateway.server.table_task import TableTask
from gateway.server.tickets import Tickets
from protocols.core.commands import Inquire, Join, Watch
from protocols.core.errors import Refused, Why
from protocols.core.model import SeatKind
from protocols.core.told import Named

if TYPE_CHECKING:
    from gateway.server.house import House

_log = structlog.get_logger()

TICKET_BYTES: Final = 18
"""Random bytes of a ticket: 144 bits, nobody guesses it."""

MOST_SHOWN: Final = 20
"""Lines of an answer: what fits a terminal."""


class Reception:
    """Everybody who asks for a seat, or to look on, comes here."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.tickets = Tickets(house.lobby, house.config.limits)
        self.sayings = Sayings(house.config.limits)
        self.entry = Entry(house.logins, self.tickets, house.barred, house.lobby)
        self._tickets_on_the_way: set[str] = set()

    async def seat(self, connection: Connection, join: Join) -> None:
        """Find a seat for ``connection``; it has been told Seated then. Refused with the reason."""
        if connection.table is not None and connection.seat is None:
            await connection.table.leave(connection)  # who looked on sits down
        if connection.table is not None:
            raise Refused(Why.ALREADY_SEATED, "you have a seat; connect again for another one")
        join = await self.entry.introduced(connection, join)
        self._house.barred.check(join.name)
        if self._house.doors.crowded:
            raise Refused(Why.OVERLOAD, "server overload, try again later")
        before, connection.party = connection.party, None
        try:
            await self._seat(connection, join, before)
        finally:
            if before is not None and before.called is not None:
                self._house.lobby.settled(before)
                look_around(self._house, 0)

    async def _seat(self, connection: Connection, join: Join, before: Party | None) -> None:
        """Find a seat for ``connection``, which was ``before`` when it asked for one the last time."""
        called = before if before is not None and before.called is not None else None
        kept = self.tickets.seat(join.ticket, connection.address)
        if kept is None and connection.dialect.by_name:
            kept = self._registered(join, connection.account)
        if kept is None and join.by_address:
            kept = self._house.lobby.by_address(registry.game(join.game).name, connection.address)
        if kept is not None and await self._return(connection, join, kept):
            return
        sought = wanted(join, connection.door.house_rules, self._house.bot_names)
        asked = join.name or ("" if called is None else called.name)
        name = self._house.lobby.names.choose(asked, connection.account)
        guest = not self._house.lobby.names.owned(name)
        roams = connection.dialect.roams
        connection.party = party_of(join, sought, name, connection.number, roams=roams, guest=guest)
        if before is not None:
            connection.party.goes_on(before)
        with self._on_the_way(name, join.ticket):
            await self._sit_somewhere(
                connection, replace(join, name=name, settings=sought.settings if join.wishes else None), sought
            )
        if called is None:
            self._tell_name(connection, join.name, name)

    def _tell_name(self, connection: Connection, wanted: str, name: str) -> None:
        """Tell a player who has got another name than the one that was asked for, and why."""
        if not wanted or tidy(wanted).casefold() == name.casefold():
            return
        owned = self._house.lobby.names.owned(wanted)
        why = "is the name of an account, and you have not logged in" if owned else "is somebody else's name here"
        connection.tell([Named(name, f"{wanted} {why}: you are {name}")])

    def _registered(self, join: Join, account: str) -> Place:
        """The seat that was registered for these two names. Refused: there is none, or the name needs a ticket."""
        opponent = dict(join.wishes).get("opponent", "")
        place = self._house.lobby.registered_pair(join.name, opponent)
        if place is None:
            raise Refused(Why.NOT_SEATED, f"no game between {join.name} and {opponent} is registered")
        if self._house.lobby.names.owned(join.name) and tidy(join.name).casefold() != account.casefold():
            raise Refused(Why.BAD_TICKET, f"{join.name} is the name of an account: its seat is taken with a ticket")
        return place

    async def watch(self, connection: Connection, command: Watch) -> None:
        """Let ``connection`` look on at a table; it has been told Seated, without a seat. Refused with the reason."""
        if connection.table is not None and connection.seat is None:
            await connection.table.leave(connection)
        if connection.table is not None:
            raise Refused(Why.ALREADY_SEATED, "you have a seat; connect again to look on")
        if command.secret:
            await self.entry.login(connection, command.name, command.secret)
        self._house.barred.check(command.name)
        number = self._house.lobby.table_of(command.whom) if command.whom else command.table
        table = await self._house.table(number)
        if table is None:
            wanted = f"player {command.whom!r} at a table" if command.whom else f"table {command.table}"
            raise Refused(Why.NOT_NOW, f"there is no {wanted}")
        asked = command.name or connection.account
        name = asked if asked == connection.account else check(asked)
        names = self._house.lobby.names
        seen = names.choose(name, connection.account) if names.owned(name) else name
        await table.watch(connection, seen or "observer")
        self._tell_name(connection, name, seen)
        _log.debug("looks on", **about(connection, table))

    async def answer(self, connection: Connection, asked: Inquire) -> tuple[str, ...]:
        """Lines for a person; of people and tables the newest last."""
        if asked.topic == "moves":
            return _legal_moves(connection)
        if asked.topic == "kept":
            return await self._kept(connection, asked.name)
        line = people_line if asked.topic == "who" else table_line
        states = [table.state for number, _ in self._house.lobby.people() if (table := self._house.tables.get(number))]
        shown = [line(state) for state in states if not state.house.private]
        return tuple(shown[-MOST_SHOWN:]) or ("nobody is here",)

    async def _kept(self, connection: Connection, name: str) -> tuple[str, ...]:
        """The newest seats that wait for a player of this name, and how its wire presents their tickets."""
        shown = []
        for number, seat in self._house.lobby.kept(name)[-MOST_SHOWN:]:
            table = await self._house.table(number)
            if (
                table is not None
                and not table.state.house.private
                and connection.dialect.can_play(table.state.game.name)
            ):
                how = connection.dialect.ticket_words.format(game=table.state.game.name, name=name, ticket="TICKET")
                shown.append(f"{kept_line(table.state, seat)}; its ticket takes it back: {how}")
        return tuple(shown)

    @contextmanager
    def _on_the_way(self, name: str, ticket: str) -> Iterator[None]:
        """Nobody else gets this name, or a seat for this secret, while somebody is on the way to a seat with them."""
        if ticket and ticket in self._tickets_on_the_way:
            raise Refused(Why.BAD_TICKET, "this ticket is just being used by another connection; try again")
        self._house.lobby.names.hold(name)
        self._tickets_on_the_way.add(ticket)
        try:
            yield
        finally:
            self._tickets_on_the_way.discard(ticket)
            self._house.lobby.names.free(name)

    async def _sit_somewhere(self, connection: Connection, join: Join, sought: Wanted) -> None:
        ticket = join.ticket or (secrets.token_urlsafe(TICKET_BYTES) if connection.dialect.ticketed else "")
        while True:
            async with self._table_for(sought, connection) as (table, evicted):
                try:
                    if evicted is not None:
                        await evict(self._house, table, evicted)
                    await table.sit(connection, join, None, ticket)
                    if connection.ended:
                        table.gone(connection)  # while it was led here
                    _log.debug("seated", seat=connection.seat, **about(connection, table))
                    return
                except Refused as refused:
                    if refused.why is not Why.TABLE_FULL:
                        raise

    async def _return(self, connection: Connection, join: Join, kept: Place) -> bool:
        """Take a seat back; False when its table has closed meanwhile."""
        table = await self._house.table(kept.table)
        if table is None:
            return False
        if kept.seat is not None:
            self._house.barred.check(table.state.seats[kept.seat].name)
        if join.ready and registry.game(join.game) is not table.state.game:
            raise Refused(Why.BAD_TICKET, f"this ticket is for a table of {table.state.game.title}")
        name = self._name_at(table, kept.seat, join, connection.account)
        try:
            await table.sit(connection, replace(join, name=name), kept.seat, "")
        except Refused as refused:
            if refused.why is not Why.TABLE_FULL:
                raise
            return False
        if name:
            self._tell_name(connection, join.name, name)
        _log.debug("came back", seat=connection.seat, **about(connection, table))
        return True

    def _name_at(self, table: TableTask, seat: int | None, join: Join, account: str) -> str:
        """Nothing where the seat still has its player's name, else a free one like the name that was asked for."""
        if seat is not None and table.state.seats[seat].kind not in (SeatKind.OPEN, SeatKind.BOT):
            return ""
        return self._house.lobby.names.choose(join.name, account)

    @asynccontextmanager
    async def _table_for(self, sought: Wanted, connection: Connection) -> AsyncIterator[tuple[TableTask, int | None]]:
        """The table to go to, and who has to leave it before; the lobby knows of who is on the way there."""
        lobby, party = self._house.lobby, connection.party
        place = lobby.room(sought, party)
        try:
            table = await self._house.table(place.table) or self._open(sought, connection)
        except Refused:
            lobby.spared(place)
            raise
        number = table.state.table
        if party is not None:
            lobby.comes(number, party)
        try:
            yield table, place.evicts
        finally:
            if party is not None and lobby.arrived(number, party):
                look_around(self._house, number)

    def _open(self, sought: Wanted, connection: Connection) -> TableTask:
        """A new table. Refused: there are too many, of all or of this address."""
        openers, opener = self._house.lobby.openers, place_of(connection.address)
        openers.admit(opener, self._house.config.limits)
        table = self._house.open_table(sought)
        openers.opened(table.state, opener)
        return table


def _legal_moves(connection: Connection) -> tuple[str, ...]:
    """What the seat to move may play at the asker's table. Refused: it is at none."""
    if connection.table is None:
        raise Refused(Why.NOT_SEATED, "take a seat first")
    state = connection.table.state
    if state.turn is None:
        return ()
    return tuple(state.game.notation(state.position, move) for move in state.game.legal_moves(state.position))
