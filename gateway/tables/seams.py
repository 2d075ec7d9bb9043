"""Defines what a table and a client's connection need of each other, and nothing else of either.

Tables know ``Subscriber`` and ``Asker``, connections know ``Table``. The contracts say what may wait and what may fail,
because the two sides may one day run in different processes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import trio

from gateway.lobby.claims import Claim, Ticket
from gateway.lobby.party import Party
from gateway.table.refusals import away
from gateway.table.state import State
from protocols.core.commands import Command, Join
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused, Why
from protocols.core.events import Said
from protocols.core.notifications import Notification


def check_hears(words: Said, dialect: Dialect, *, gone: bool) -> None:
    """Refused (NOT_NOW): a client of this dialect cannot be told these words, or is ``gone``."""
    if gone:
        raise away(words.to)
    if not dialect.hears_talk:
        raise Refused(Why.NOT_NOW, f"{words.to} plays with a program that has no words for talk")


class Asker(Protocol):
    """Asks a table for commands of its seat: a client, or a request that is told its answer alone. No method waits or
    raises."""

    @property
    def number(self) -> int:
        """Identifies the client on this server; 0 for a request."""

    @property
    def address(self) -> str:
        """The network address it comes from."""

    @property
    def speaks(self) -> str:
        """The name of its dialect; "api" for a request."""

    @property
    def table(self) -> Table | None:
        """The table where it sits or looks on, or which it asks."""

    @property
    def seat(self) -> int | None:
        """Its seat; None without one, as a spectator too."""

    @property
    def asking(self) -> int:
        """The id of the command it asks, where that came from another node; else 0."""

    def turned(self, seat: int) -> None:
        """The seats of its table turned: its player has another one now."""

    def refuse(self, refused: Refused) -> None:
        """Say that the command it asked last is refused."""

    def answered(self) -> None:
        """One of its commands has been served or refused; called once for each ``Table.ask`` and ``play_now``."""

    def moved(self, took_s: float) -> None:
        """All subscribers have been told of its move, so many seconds after it was heard."""

    def close(self) -> None:
        """Hang up: its table has ended."""


class Subscriber(Asker, Protocol):
    """A client as its table sees it. No method but ``hears`` waits or raises: a client that fails ends by itself.

    A table calls ``seated`` and ``released``, and only the table does: so one object at a time says where a client
    sits. Messages are told in the order of the record; a client has been told everything before it.
    """

    called_away: trio.Event | None
    """Set by the table while it lets the client go to another table; the client asks its table nothing meanwhile."""

    @property
    def account(self) -> str:
        """The account it is logged in as; "" for a guest."""

    @property
    def dialect(self) -> Dialect | type[Dialect]:
        """The dialect it speaks, of which seating and its table ask what the class knows."""

    @property
    def program(self) -> str:
        """The name that its program gives itself; "" where it does not say."""

    @property
    def ready(self) -> bool:
        """True if it sat down ready: its wish stands as long as it sits."""

    @property
    def party(self) -> Party | None:
        """Its last request for a seat."""

    @property
    def ended(self) -> bool:
        """True if it is gone: a table seats it no more."""

    def seated(self, table: Table, seat: int | None, *, ready: bool = False, name: str = "") -> None:
        """The client belongs to ``table`` now; ``seat`` None: it looks on, called ``name``."""

    def released(self) -> None:
        """The client belongs to no table any more."""

    def displaced(self) -> None:
        """Another client speaks for its seat: it is told so and closed."""

    def tell(self, messages: Sequence[Notification], seq: int = 0) -> None:
        """Say all of this as one step; ``seq`` is the number of its first stored event in the record, 0: none is."""

    async def hears(self, words: Said) -> None:
        """Say to it alone what somebody elsewhere says. Refused: it has no words for that, or has gone."""

    def lag_s(self) -> float:
        """Its measured network delay in seconds; 0.0 where nothing is measured."""


class Table(Protocol):
    """A table as a connection sees it. Times are trio's, in seconds. Refused: the table says no, or has closed."""

    @property
    def state(self) -> State:
        """The table's stored state."""

    @property
    def epoch(self) -> int:
        """The epoch under which its server owns it."""

    @property
    def seq(self) -> int:
        """The number of its last stored event."""

    def play_now(self, asker: Subscriber, command: Command, since: float) -> bool:
        """Serve a move at once; False, and nothing done, where it must be asked. Never waits."""

    async def ask(self, asker: Subscriber, command: Command, since: float) -> None:
        """Hand in a command; it counts from ``since``. Waits while the table has too much to do.

        The answer comes by ``Asker.answered``, after the asker has been told or refused.
        """

    async def sit(self, newcomer: Subscriber, join: Join, claim: Claim | None, ticket: Ticket | None) -> None:
        """Take the seat that ``claim`` stands for at that moment, or any open one. Told ``Seated`` when it returns."""

    async def watch(self, newcomer: Subscriber, name: str) -> None:
        """Look on. Told ``Seated`` when it returns."""

    async def leave(self, subscriber: Subscriber, *, lost: bool = True) -> None:
        """Go: returns when everything that was asked before has been answered. ``lost``: the seat is kept."""

    def gone(self, subscriber: Subscriber) -> None:
        """The client has ended; called while it unwinds. Never waits."""
