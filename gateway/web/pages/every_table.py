"""Shows pages the running tables of all nodes: this node's, and those of others as far as is heard of them.

What is heard of a table has no position and no clocks: for the few that a page draws, the record is read when their
table has moved on.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import trio

from gateway.cluster.replays import replayed
from gateway.ops.server import GameServer
from gateway.store import codec
from gateway.store.records import EventRow, Loaded
from gateway.table.state import State, attended
from gateway.tables.subscribers import Subscribers
from gateway.web.pages.cards import Cards
from gateway.web.pages.open_tables import Running
from protocols.core.errors import Refused
from protocols.core.events import ClockSet, TurnStarted

NO_ONE: Final = Subscribers(most=0)
"""The clients of a table of another node, as they are known here."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A table of another node."""

    state: State
    subscribers: Subscribers = NO_ONE


class EveryTable(Mapping[int, Running]):
    """``own`` are this node's running tables; ``state_of`` and ``states`` are of those of other nodes.

    ``read_of`` are states with a position, where one has been read.
    """

    def __init__(
        self,
        own: Mapping[int, Running],
        state_of: Callable[[int], State | None] = lambda table: None,
        states: Callable[[], Iterable[State]] = tuple,
        read_of: Callable[[int], State | None] = lambda table: None,
    ) -> None:
        self._own = own
        self._state_of = state_of
        self._states = states
        self._read_of = read_of

    def __getitem__(self, table: int) -> Running:
        found = self._own.get(table)
        if found is not None:
            return found
        state = self._state_of(table)
        if state is None or not attended(state):
            raise KeyError(table)
        return Heard(self._read_of(table) or state)

    def __iter__(self) -> Iterator[int]:
        yield from list(self._own)
        yield from (state.table for state in self._elsewhere())

    def __len__(self) -> int:
        return len(self._own) + sum(1 for _ in self._elsewhere())

    def _elsewhere(self) -> Iterator[State]:
        return (state for state in self._states() if state.table not in self._own and attended(state))


Bell = Callable[[int, int], trio.Event | None]
"""Rings when a table may have an event behind that one; None: it is over."""

_CLOCKED = (TurnStarted.__name__, ClockSet.__name__)


@dataclass(frozen=True, slots=True)
class Read:
    """A table as it was read; there is news of it when ``bell`` has rung."""

    state: State
    bell: trio.Event


class FarBoards:
    """``load`` reads a table's record."""

    def __init__(self, load: Callable[[int], Awaitable[Loaded | None]], bell: Bell) -> None:
        self._load = load
        self._bell = bell
        self._read: dict[int, Read] = {}
        self._reading = trio.Lock()

    def state_of(self, table: int) -> State | None:
        """The state as it was read last; None: it never was, or is over."""
        found = self._read.get(table)
        return None if found is None else found.state

    async def read(self, tables: Iterable[int]) -> None:
        """Read those that have moved on, once for all pages that want them; others are forgotten."""
        async with self._reading:
            wanted = dict.fromkeys(tables)
            self._read = {table: read for table, read in self._read.items() if table in wanted}
            for table in wanted:
                found = self._read.get(table)
                if found is None or found.bell.is_set():
                    await self._read_one(table)

    async def _read_one(self, table: int) -> None:
        try:
            loaded = await self._load(table)
        except Refused:  # the database is in trouble: what is known is shown
            return
        last = 0 if loaded is None else loaded.rows[-1].seq
        bell = self._bell(table, last)
        if loaded is None or bell is None:
            self._read.pop(table, None)
            return
        self._read[table] = Read(replayed(loaded, last, shift_s(loaded.rows, trio.current_time())).state, bell)


def shift_s(rows: Sequence[EventRow], now: float) -> float:
    """Seconds from the monotonic line of the table's node to this one's, by the time when a clock was last set."""
    for row in reversed(rows):
        if row.kind in _CLOCKED:
            event = codec.decode(row.kind, row.body)
            clock = event.clock if isinstance(event, TurnStarted | ClockSet) else None
            if clock is not None:
                return now - max(0.0, time.time() - row.at) - clock.since
    return 0.0


def every_table(server: GameServer, far: FarBoards | None = None) -> EveryTable:
    """The tables that the pages of this node show; ``far`` has read boards of others."""
    node = server.node
    return EveryTable(server.tables, node.state_of, node.states, *(() if far is None else (far.state_of,)))


def cards_of(server: GameServer) -> tuple[EveryTable, Cards]:
    """The same, and their cards."""
    far = FarBoards(server.node.load, server.tables.bell)
    every = every_table(server, far)
    here = server.tables

    async def read(tables: Iterable[int]) -> None:
        await far.read(table for table in tables if table not in here)

    return every, Cards(every, server.seat_ratings, read)
