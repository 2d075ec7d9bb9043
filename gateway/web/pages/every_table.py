"""Shows pages the running tables of all nodes: this node's, and those of others as far as is heard of them.

What is heard of a table has no position and no clocks: for the few that a page draws, far_boards.py reads the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from gateway.ops.server import GameServer
from gateway.table.state import State, attended
from gateway.tables.subscribers import Subscribers
from gateway.web.pages.cards import Cards
from gateway.web.pages.far_boards import FarBoards
from gateway.web.pages.open_tables import Running

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

    return every, Cards(every, read)
