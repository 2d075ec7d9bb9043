"""Which table somebody comes to: by ticket, by address, to the oldest open table, or to a new one.

Pure state plus methods; tables report what changed after each of their steps. Not here: the tables themselves, and
whether they accept (their ``decide``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from gateway.lobby.names import Names
from gateway.lobby.wishes import Wanted
from gateway.table.state import State, Status, seats_of
from protocols.core.errors import Refused, Why
from protocols.core.model import SeatKind, Settings

OWN_TICKET: Final = 22
"""Characters a peer's own secret must have at least: 128 random bits in base64."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody may sit: ``table`` None is a new table, ``seat`` None any open seat."""

    table: int | None
    seat: int | None = None


def ticket_digest(ticket: str) -> bytes:
    """What is stored of a ticket."""
    return hashlib.sha256(ticket.encode()).digest()


class Lobby:
    """Open tables by what is played, tickets and lost seats of every table that is not closed."""

    def __init__(self) -> None:
        self.names = Names()
        self._open: dict[Settings, dict[int, int]] = {}  # settings -> {table: seats nobody is on the way to}
        self._holders: dict[int, tuple[str, ...]] = {}
        self._tickets: dict[bytes, tuple[int, int]] = {}
        self._issued: dict[int, list[bytes]] = {}  # table -> digests of its tickets
        self._lost: dict[tuple[str, str], list[tuple[int, int]]] = {}  # (game, address) -> seats, lost last at the end
        self._losers: dict[tuple[int, int], tuple[str, str]] = {}  # (table, seat) -> (game, address)

    def by_ticket(self, ticket: str) -> Place | None:
        """The seat a ticket stands for; None for "" and for a secret a peer brings along.

        Refused (BAD_TICKET) for one that is neither known nor long enough to become one.
        """
        if not ticket:
            return None
        if (held := self._tickets.get(ticket_digest(ticket))) is not None:
            return Place(*held)
        if len(ticket) < OWN_TICKET:
            raise Refused(Why.BAD_TICKET, f"unknown ticket; a secret of your own has at least {OWN_TICKET} characters")
        return None

    def by_address(self, game: str, address: str) -> Place | None:
        """The seat that was lost last by this address, for a dialect that can carry neither ticket nor name."""
        lost = self._lost.get((game, address))
        return Place(*lost[-1]) if lost else None

    def room(self, wanted: Wanted) -> Place:
        """The oldest open table with these settings, one of its seats now spoken for; or a new table."""
        if wanted.alone:
            return Place(None)
        for table, free in self._open.get(wanted.settings, {}).items():
            if free > 0:
                self._open[wanted.settings][table] = free - 1
                return Place(table)
        return Place(None)

    def issue(self, ticket: str, table: int, seat: int) -> None:
        """This secret now stands for this seat."""
        self.restore([(ticket_digest(ticket), table, seat)])

    def ticketed(self, table: int) -> frozenset[int]:
        """The seats of a table that somebody has a ticket for."""
        return frozenset(self._tickets[digest][1] for digest in self._issued.get(table, ()) if digest in self._tickets)

    def revoke(self, table: int, seat: int) -> None:
        """No secret stands for this seat any more."""
        issued = self._issued.get(table, [])
        for digest in [digest for digest in issued if self._tickets.get(digest) == (table, seat)]:
            del self._tickets[digest]
            issued.remove(digest)

    def restore(self, digests: Iterable[tuple[bytes, int, int]]) -> None:
        """Tickets from the record: digest, table, seat."""
        for digest, table, seat in digests:
            self._tickets[digest] = (table, seat)
            self._issued.setdefault(table, []).append(digest)

    def report(self, state: State, before: State | None, addresses: Sequence[str] = ()) -> None:
        """A table's seats or status changed: who may come there now, and whose address has a claim to a lost seat.

        ``before`` is the state that was reported last, None for a table from the record; ``addresses`` are by seat, ""
        for holders who have tickets.
        """
        self._report_lost(state, before, addresses)
        self._report_names(state)
        free = len(seats_of(state, SeatKind.OPEN))
        if state.status is Status.OPEN and free and not state.house.private:
            self._open.setdefault(state.settings, {})[state.table] = free
        elif state.table in (tables := self._open.get(state.settings, {})):
            del tables[state.table]
            if not tables:
                del self._open[state.settings]
        if state.status is Status.CLOSED:
            self._forget(state)

    def left(self, state: State) -> None:
        """A table's task has ended, however it did: nobody may come there."""
        self.report(replace(state, status=Status.CLOSED), state)

    def lost(self, game: str, address: str, table: int, seat: int) -> None:
        """A connection without a ticket was lost; its address may take the seat back."""
        self.found(table, seat)
        self._lost.setdefault((game, address), []).append((table, seat))
        self._losers[table, seat] = (game, address)

    def found(self, table: int, seat: int) -> None:
        """Somebody sits on this seat again, or nobody will: no address has a claim to it."""
        key = self._losers.pop((table, seat), None)
        if key is None:
            return
        self._lost[key].remove((table, seat))
        if not self._lost[key]:
            del self._lost[key]

    def open_tables(self) -> int:
        """How many tables wait for players."""
        return sum(len(tables) for tables in self._open.values())

    def _report_lost(self, state: State, before: State | None, addresses: Sequence[str]) -> None:
        for seat in state.seats:
            if before is not None and seat is before.seats[seat.index]:
                continue
            if seat.kind is SeatKind.RESERVED and addresses[seat.index]:
                self.lost(state.game.name, addresses[seat.index], state.table, seat.index)
            else:
                self.found(state.table, seat.index)

    def _report_names(self, state: State) -> None:
        people = (SeatKind.PLAYER, SeatKind.RESERVED)
        now = tuple(seat.name for seat in state.seats if seat.kind in people and state.status is not Status.CLOSED)
        before = self._holders.get(state.table, ())
        if now == before:
            return
        for name in now:
            self.names.hold(name)
        for name in before:
            self.names.free(name)
        if now:
            self._holders[state.table] = now
        else:
            self._holders.pop(state.table, None)

    def _forget(self, state: State) -> None:
        for digest in self._issued.pop(state.table, ()):
            if self._tickets.get(digest, (0, 0))[0] == state.table:
                del self._tickets[digest]
        for seat in state.seats:
            self.found(state.table, seat.index)
