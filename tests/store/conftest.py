"""Databases and logs to test on: real files in a folder of the test's own.

A database more is one more line in DATABASES: its name, and what makes a fresh, migrated one and takes it away.
PostgreSQL is a server of this run's own (cluster.py), or the one that BOARDGATE_TEST_POSTGRESQL names: the URL of a
database whose user may create others.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Barrier
from typing import TypeVar
from uuid import uuid4

import pytest
from sqlalchemy import Connection, create_engine, make_url

import migrations
from gateway.store.engine import writer_engine
from gateway.store.log import SqlLog
from gateway.store.records import Append, Log, TicketRow
from tests import peers
from tests.postgresql import cluster
from tests.running import made_record
from tests.store.memory import MemoryLog

N = TypeVar("N")
T = TypeVar("T")

PATIENCE_S = 20.0
"""Seconds that a test waits for a delivery: far beyond any commit on a loaded machine."""


def sqlite(folder: Path) -> str:
    return made_record(folder / "record.db")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a PostgreSQL server's own database."""
    if HOSTED in os.environ:
        yield os.environ[HOSTED]
        return
    with ExitStack() as server:
        yield server.enter_context(cluster()).url()
        with peers.watched(allowed=True):  # the run's last test may be one without the mark
            server.close()


@contextmanager
def embedded(request: pytest.FixtureRequest) -> Iterator[str]:
    yield sqlite(request.getfixturevalue("tmp_path"))


@contextmanager
def hosted(request: pytest.FixtureRequest) -> Iterator[str]:
    with unmigrated(request) as url:
        migrations.upgrade(url)
        yield url


@contextmanager
def unmigrated(request: pytest.FixtureRequest) -> Iterator[str]:
    """A PostgreSQL database without anything in it."""
    server = make_url(request.getfixturevalue("postgresql"))
    name = f"boardgate_{uuid4().hex}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
        try:
            yield server.set(database=name).render_as_string(hide_password=False)
        finally:
            connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")
    engine.dispose()


HOSTED = "BOARDGATE_TEST_POSTGRESQL"
DATABASES: dict[str, Callable[[pytest.FixtureRequest], AbstractContextManager[str]]] = {
    "sqlite": embedded,
    "postgresql": hosted,
}
EACH = [pytest.param(name, marks=[] if name == "sqlite" else peers.needed) for name in DATABASES]
"""DATABASES as parameters: all but the embedded one are programs of others."""


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    """A connection of the writing kind, closed for good afterwards."""
    engine = writer_engine(url)
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def at_once(node: Callable[[], AbstractContextManager[N]], ask: Callable[[N], T], times: int = 4) -> list[T]:
    """The answers of so many nodes, each with connections of its own, that ask in the same moment."""
    together = Barrier(times)

    def asks(_: int) -> T:
        with node() as own:
            together.wait()
            return ask(own)

    with ThreadPoolExecutor(times) as threads:
        return list(threads.map(asks, range(times)))


class Desk:
    """A log and what it delivered."""

    def __init__(self, make: Callable[[Callable[[list[Append]], None]], Log]) -> None:
        self.batches: SimpleQueue[list[Append]] = SimpleQueue()
        self.log = make(self.batches.put)

    def store(self, *steps: Append) -> list[BaseException | None]:
        """Submit all, wait for all; their errors in the same order."""
        for step in steps:
            self.log.submit(step)
        waiting = len(steps)
        while waiting:
            waiting -= len(self.batches.get(timeout=PATIENCE_S))
        return [step.error for step in steps]

    def tickets(self, table: int) -> list[TicketRow]:
        """The tickets of a table that is not over, by seat."""
        return [row for row in self.log.holders().tickets if row.table == table]


@pytest.fixture(params=EACH)
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database without anything in it, not even tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'a.db'}"
        return
    with unmigrated(request) as url:
        yield url


@pytest.fixture(params=EACH)
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A migrated database, empty."""
    with DATABASES[request.param](request) as made:
        yield made


@pytest.fixture
def sql(url: str) -> Iterator[Desk]:
    """A log in a database."""
    desk = Desk(lambda deliver: SqlLog(url, deliver))
    yield desk
    desk.log.close()


@pytest.fixture(params=["memory", *EACH])
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    """Every log there is: they behave alike."""
    if request.param == "memory":
        made = Desk(MemoryLog)
        yield made
        made.log.close()
        return
    with DATABASES[request.param](request) as database:
        made = Desk(lambda deliver: SqlLog(database, deliver))
        yield made
        made.log.close()
