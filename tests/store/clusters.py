"""Clusters to test on: one in memory and one on PostgreSQL, whose time passes as the test wants."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from typing import Final, Protocol

import pytest
from sqlalchemy import text

from gateway.store import codec
from gateway.store.engine import SESSION, session_of
from gateway.store.log import SqlLog
from gateway.store.nodes import LEASE_S, Nodes, SqlNodes
from gateway.store.records import Append
from protocols.core.events import TableClosed
from tests.store.conftest import Desk, connected, hosted
from tests.store.memory import MemoryLog, MemoryRecord
from tests.store.nodes_memory import MemoryNodes
from tests.store.steps import AT, opening

LATE_S: Final = LEASE_S + 1.0
"""Seconds after which a lease that was not renewed has ended."""

_LATER: Final = text("UPDATE nodes SET until = until - :s, since = since - :s, started_at = started_at - :s")


class World(Protocol):
    """One cluster."""

    def process(self) -> Nodes:
        """The nodes as one more process uses them."""

    def desk(self, me: int | None = None) -> Desk:
        """A log of that node, or of no node."""

    def passes(self, seconds: float) -> None:
        """Let time pass for leases."""


class InMemory:
    def __init__(self) -> None:
        self._record = MemoryRecord()
        self._now = 1000.0
        self._nodes = MemoryNodes(self._record, lambda: self._now)

    def process(self) -> Nodes:
        return self._nodes

    def desk(self, me: int | None = None) -> Desk:
        return Desk(lambda deliver: MemoryLog(deliver, self._record))

    def passes(self, seconds: float) -> None:
        self._now += seconds


class Hosted:
    """``url`` is the database's. Instead of the clock going on, all that is stored of times goes back."""

    def __init__(self, url: str, stack: ExitStack) -> None:
        self.url = url
        self._stack = stack

    def process(self) -> SqlNodes:
        return self._stack.enter_context(closing(SqlNodes(self.url)))

    def desk(self, me: int | None = None) -> Desk:
        session = SESSION if me is None else session_of(me)
        desk = Desk(lambda deliver: SqlLog(self.url, deliver, session))
        self._stack.callback(desk.log.close)
        return desk

    def passes(self, seconds: float) -> None:
        with connected(self.url) as connection, connection.begin():
            connection.execute(_LATER, {"s": seconds})


@contextmanager
def on_postgresql(request: pytest.FixtureRequest) -> Iterator[Hosted]:
    """A cluster in a database of the test's own."""
    with hosted(request) as url, ExitStack() as stack:
        yield Hosted(url, stack)


def opened_at(node: int | None, table: int, status: str = "open") -> Append:
    """The first step of a table that a node serves."""
    step = opening(table, "opened")
    assert step.opened is not None
    step.opened = replace(step.opened, node=node, status=status)
    return step


def closing_step(before: Append) -> Append:
    """The last step of a table."""
    assert before.table is not None
    last = before.rows[-1]
    rows = codec.rows(last.digest, before.table, last.seq, AT, [TableClosed()])
    return Append(before.table, before.epoch, last.seq, rows, status="over")
