"""Reads the boards of other nodes' tables in the record, for pages that draw them, when their table has moved on."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

import trio

from gateway.cluster.replays import replayed
from gateway.store import codec
from gateway.store.records import EventRow, Loaded
from gateway.table.state import State
from protocols.core.errors import Refused
from protocols.core.events import ClockSet, TurnStarted

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
        self._read[table] = Read(replayed(loaded, last, _shift_s(loaded.rows)).state, bell)


def _shift_s(rows: Sequence[EventRow]) -> float:
    """Seconds from the monotonic line of the table's node to this one's, by the time when a clock was last set."""
    for row in reversed(rows):
        if row.kind in _CLOCKED:
            event = codec.decode(row.kind, row.body)
            clock = event.clock if isinstance(event, TurnStarted | ClockSet) else None
            if clock is not None:
                return trio.current_time() - max(0.0, time.time() - row.at) - clock.since
    return 0.0
