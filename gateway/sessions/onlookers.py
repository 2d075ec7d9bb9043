"""Onlookers: the tables that a connection looks on at aside, beside its own.

Each is a subscriber with a number of its own, so tables and other nodes know it as any other observer. What it is told
goes to the peer by Dialect.send_aside. What belongs to the connection's own table comes first: onlookers have half of
the bytes that may wait for a peer, all together, and go when it reads too slowly for these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol, TypeAlias

import trio

from gateway.sessions.collaborators import Collaborators
from gateway.sessions.participant import Participant
from gateway.sessions.states import Happening
from gateway.tables.seams import Table
from protocols.core.commands import Say, Watch
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused, Why
from protocols.core.events import GROUPS, Said
from protocols.core.model import HouseRules
from protocols.core.notifications import Notification, ToldAside, Unwatched

MOST: Final = 16
"""Tables that one connection looks on at aside: what a screen shows. Each costs its table as much as an observer."""

OVER: Final = "the table is closed, or cannot be reached"
TOO_SLOW: Final = "you read more slowly than the games that you look on at go on; look on at fewer"
OWN_TABLE: Final = "you are at this table yourself"


class Host(Protocol):
    """A connection, as its onlookers use it."""

    number: int
    address: str
    account: str
    dialect: Dialect
    rules: HouseRules
    seat: int | None
    table: Table | None
    since: float
    spoke: float

    @property
    def called(self) -> str: ...

    @property
    def program(self) -> str: ...

    def lag_s(self) -> float: ...

    def tell_aside(self, table: int, messages: Sequence[ToldAside], seq: int = 0) -> bool:
        """Say what an onlooker was told. False: it is too much for a peer that reads so slowly, and was not said."""

    async def hears(self, words: Said) -> None: ...

    def refuse(self, refused: Refused, *, at_table: bool = True) -> None: ...

    def answered(self) -> None: ...


Shared: TypeAlias = "Collaborators[Onlooker]"


class Onlooker(Participant):
    """A subscriber of the table ``at``, 0 until it is there. It ends with its table, or with its connection."""

    __slots__ = ("_asked", "_onlookers", "at")
    movable = False

    def __init__(self, onlookers: Onlookers, host: Host, number: int) -> None:
        super().__init__(host.dialect.name, host.address, number, trio.current_time())
        self._onlookers = onlookers
        self.account = host.account
        self.at = 0
        self._asked = 0
        """Words that it has handed to its table, which has not answered yet."""
        self._happens(Happening.GREETED)

    @property
    def _host(self) -> Host:
        return self._onlookers.host

    @property
    def speaks_for(self) -> int:
        return self._host.number

    @property
    def spoke(self) -> float:
        return self._host.spoke

    @property
    def dialect(self) -> Dialect:
        return self._host.dialect

    @property
    def program(self) -> str:
        return self._host.program

    @property
    def rules(self) -> HouseRules:
        return self._host.rules

    def lag_s(self) -> float:
        return self._host.lag_s()

    def seated(self, table: Table, seat: int | None, *, ready: bool = False, name: str = "") -> None:
        if self.ended:
            self.table = table  # which is to hear that it has ended
            return
        super().seated(table, seat, ready=ready, name=name)
        self.at = table.state.table
        self._onlookers.came(self)

    def released(self) -> None:
        self.end(OVER)
        self.table = None

    def displaced(self) -> None:
        self.end(OVER)

    def tell(self, messages: Sequence[Notification], seq: int = 0) -> None:
        if not self.ended and not self._host.tell_aside(self.at, messages, seq):
            self._onlookers.end(TOO_SLOW)

    async def hears(self, words: Said) -> None:
        await self._host.hears(words)

    def refuse(self, refused: Refused, *, at_table: bool = True) -> None:
        self._host.refuse(refused, at_table=at_table)

    def answered(self) -> None:
        if self._asked:
            self._asked -= 1
            self._host.answered()

    def moved(self, took_s: float) -> None:
        """Nothing: it makes no moves."""

    async def asks(self, table: Table, said: Say, since: float) -> bool:
        """Hand words to its table, which answers them; whether an answer is still to be given. Refused."""
        self._asked += 1
        try:
            await table.ask(self, said, since)
        except Refused:
            if not self._asked:
                return True  # it has ended meanwhile, and that was the answer
            self._asked -= 1
            raise
        return True

    def close(self) -> None:
        self.end(OVER)

    def end(self, why: str | None) -> None:
        """Look on no more; the peer is told ``why``, None: nothing. Idempotent.

        Its table, which may be the caller, hears of it in a moment.
        """
        if self.ended:
            return
        self._happens(Happening.CLOSED)
        self._onlookers.gone(self, why)

    async def leave(self) -> None:
        """Its table and the server hear that it has ended, and what it has asked is answered."""
        if self.table is not None:
            self.table.gone(self)
        self._onlookers.shared.ended(self)
        while self._asked:
            self.answered()


class Onlookers:
    """The onlookers of one connection, at most MOST, each at another table."""

    __slots__ = ("_at", "host", "shared")

    def __init__(self, host: Host, shared: Shared) -> None:
        self.host = host
        self.shared = shared
        self._at: dict[int, Onlooker] = {}

    def __len__(self) -> int:
        return len(self._at)

    async def watch(self, command: Watch) -> None:
        """Look on at one more table; the peer has been told so then. Refused with the reason."""
        if len(self) >= MOST and command.table not in self._at:
            raise Refused(Why.OVERLOAD, f"you look on at {MOST} tables already")
        if command.table and not command.whom:
            self._check_elsewhere(command.table)
        onlooker = Onlooker(self, self.host, next(self.shared.numbers))
        try:
            await self.shared.seating.watch(onlooker, command)
            self._check_elsewhere(onlooker.at)
        except BaseException:
            onlooker.end(OWN_TABLE)
            raise

    def _check_elsewhere(self, table: int) -> None:
        own = self.host.table
        if own is not None and own.state.table == table:
            raise Refused(Why.ALREADY_SEATED, OWN_TABLE)

    def came(self, onlooker: Onlooker) -> None:
        """Know one that looks on, in place of an older one at the same table."""
        older = self._at.get(onlooker.at)
        self._at[onlooker.at] = onlooker
        if older is not None and older is not onlooker:
            older.end(None)

    def gone(self, onlooker: Onlooker, why: str | None) -> None:
        """Know that one has ended, and tell the peer ``why``."""
        if self._at.get(onlooker.at) is onlooker:
            del self._at[onlooker.at]
            self.host.since = trio.current_time()
            if why is not None:
                self.host.tell_aside(onlooker.at, [Unwatched(why)])
        self.shared.background.start_soon(onlooker.leave)

    def unwatch(self, table: int) -> None:
        """Look on there no more. Refused (NOT_NOW): it is not watched."""
        self._found(table).end("")

    def _found(self, table: int) -> Onlooker:
        if (found := self._at.get(table)) is None:
            raise Refused(Why.NOT_NOW, f"you do not look on at table {table} beside your own")
        return found

    async def say(self, said: Say, table: int, since: float) -> bool:
        """Say something at a table that is watched; whether that table answers it. Refused.

        Who plays elsewhere speaks by the name of its seat there.
        """
        onlooker = self._found(table)
        words = replace(said, table=None)
        if self.host.seat is not None and said.to in GROUPS:
            words = replace(words, name=self.host.called)
        elif (left := await self.shared.seating.carry(onlooker, words)) is None:
            return False
        else:
            words = left
        if onlooker.table is None or onlooker.ended:
            raise Refused(Why.NOT_NOW, OVER)
        return await onlooker.asks(onlooker.table, words, since)

    def beside(self, table: int) -> None:
        """The connection is at this table itself now."""
        if (found := self._at.get(table)) is not None:
            found.end(OWN_TABLE)

    def end(self, why: str | None) -> None:
        """End all of them."""
        for onlooker in list(self._at.values()):
            onlooker.end(why)
