"""Calls players that wait for a game to another table, where their opponent is: what the lobby says, done by tables.

A table lets go of the players it calls, in its own turn and only before its game has begun; the dialect then asks for
a seat like a newcomer. Who can play whom is decided in gateway.lobby.matching.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

import structlog

from gateway.background import Background
from gateway.lobby.lobby import Lobby
from gateway.lobby.party import Party
from gateway.log_context import log_context
from gateway.table.state import State, Status
from gateway.tables.requests import Call, Request
from gateway.tables.seams import Subscriber
from gateway.tables.subscribers import Subscribers
from protocols.core.errors import Refused, Why
from protocols.core.notifications import Unmatched
from protocols.core.proposals import Start

_log = structlog.get_logger()


class Calling(Protocol):
    """The side of a table that rematching uses."""

    @property
    def state(self) -> State:
        """Its stored state."""

    @property
    def subscribers(self) -> Subscribers:
        """The clients that follow it."""

    async def put_late(self, request: Request) -> None:
        """Hand in a request without waiting for its answer."""


class Rematching:
    """Rematches at all tables of one server; ``tables`` are the running ones by number."""

    def __init__(self, lobby: Lobby, tables: Mapping[int, Calling], background: Background) -> None:
        self._lobby = lobby
        self._tables = tables
        self._background = background

    def look_around(self, table: int) -> None:
        """Call the players that the lobby wants called after a step at ``table``; tell players that wait in vain."""
        for number, seat in self._lobby.waiting.calls(table):
            subscriber = self._at(number, seat)
            if subscriber is not None:
                self._background.start_soon(self._tables[number].put_late, Call(subscriber))
        for number, seat, others in self._lobby.unmatched():
            subscriber = self._at(number, seat)
            if subscriber is not None:
                subscriber.tell([Unmatched(tuple(others))])

    def _at(self, number: int, seat: int) -> Subscriber | None:
        table = self._tables.get(number)
        return None if table is None else table.subscribers.at(seat)

    def settled(self, party: Party | None) -> None:
        """A party that was called has found a seat, or none, or is gone: a player who waits there waits for another."""
        if party is not None and party.called is not None:
            self._lobby.waiting.settled(party)
            self.look_around(0)

    def check(self, state: State, party: Party | None) -> None:
        """Refused (TABLE_FULL): a party that cannot be called later would sit apart from one that it matches."""
        if party is not None and self._lobby.waiting.strays(state.table, party, state.game.name):
            raise Refused(Why.TABLE_FULL, "the player whom you match waits at another table")

    def goes(self, table: Calling, subscriber: Subscriber) -> bool:
        """True if ``subscriber``, who sits at ``table``, still does so before any game, and with a reason to go."""
        if subscriber.seat is None or table.state.status is not Status.OPEN:
            return False
        if not self._lobby.waiting.leaves(table.state.table, subscriber.seat):
            self.look_around(table.state.table)
            return False
        _log.info("called to another table", name=table.state.seats[subscriber.seat].name, **log_context(subscriber))
        return True

    def lapsed(self, state: State, at: Callable[[int], Subscriber | None]) -> tuple[int, Start] | None:
        """A seat whose player sat down ready and proposes nothing any more, and what it wants; None: there is none.

        Its wish stands after another player declined it and left, at a registered table as well.
        """
        found = self._lobby.waiting.lapsed(state.table)
        if found is not None or not any(state.registered):
            return found
        starts = {made.seat for made in state.proposals if isinstance(made.proposal, Start)}
        for seat in range(len(state.seats)):
            subscriber = at(seat)
            if subscriber is not None and subscriber.ready and seat not in starts:
                return seat, Start()
        return None
