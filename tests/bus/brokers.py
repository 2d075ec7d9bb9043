"""The brokers that buses are tried on: a switchboard in memory, a PostgreSQL server, a NATS server.

Each makes buses, ends a node's session, and stops answering, so that the same tests run on all.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Any, Final, Protocol
from uuid import uuid4

import trio
from sqlalchemy import create_engine, make_url

from bench.free_port import free_port
from gateway.bus.broker_bus import BrokerBus
from gateway.bus.bus import Bus
from gateway.bus.nats_bus import nats_bus
from gateway.bus.postgres_bus import postgres_bus
from tests import peers
from tests.bus.memory_bus import Switchboard

PATIENCE_S: Final = 20.0
"""Seconds that a test waits for what must come: far beyond what a loaded machine needs."""


class Broker(Protocol):
    """One of them; ``run`` is a task of the test."""

    async def run(self) -> None: ...

    def bus(self, me: int) -> Bus: ...

    def lose(self, me: int) -> None:
        """End the session of one node, or of all."""

    def find(self, me: int) -> None:
        """Let it have another, if it could not have one meanwhile."""


class Memory:
    """A switchboard that loses nothing."""

    def __init__(self) -> None:
        self._board = Switchboard(Random(0))

    async def run(self) -> None:
        await self._board.run()

    def bus(self, me: int) -> Bus:
        return self._board.bus(me)

    def lose(self, me: int) -> None:
        self._board.cut(me)

    def find(self, me: int) -> None:
        self._board.mend(me)


class Postgres:
    """Channels of a test's own in a database that tests share."""

    def __init__(self, url: str) -> None:
        self.database = make_url(url)
        self._engine = create_engine(url, isolation_level="AUTOCOMMIT")
        self.prefix = f"test_{uuid4().hex}"

    @property
    def port(self) -> int:
        """Where it listens."""
        return self.database.port or 5432

    async def run(self) -> None:
        await trio.sleep_forever()

    def bus(self, me: int, port: int | None = None) -> BrokerBus:
        """Through another ``port`` if one is given."""
        url = self.database.set(port=port or self.port).render_as_string(hide_password=False)
        return postgres_bus(url, me, self.name(me), Random(me), self.prefix)

    def lose(self, me: int) -> None:
        self.ask(f"SELECT pg_terminate_backend({self.session(me)})")

    def find(self, me: int) -> None:
        """It has one already."""

    def session(self, me: int) -> int:
        """The process of PostgreSQL that serves a node."""
        return int(self.ask(f"SELECT pid FROM pg_stat_activity WHERE application_name = '{self.name(me)}'"))

    def ask(self, statement: str) -> Any:
        """The one answer to a statement."""
        with self._engine.connect() as connection:
            return connection.exec_driver_sql(statement).scalar_one()

    def name(self, me: int) -> str:
        return f"{self.prefix}/{me}"

    @contextmanager
    def frozen(self, me: int) -> Iterator[None]:
        """PostgreSQL says nothing to the node, and takes what its system has room for."""
        with stopped(self.session(me)):
            yield

    def close(self) -> None:
        self._engine.dispose()


class Nats:
    """A server of a test's own, with further ``options`` if wanted."""

    def __init__(self, *options: str) -> None:
        self.port = free_port()
        program = peers.program("nats-server", "usr/sbin")
        self._command = [str(program), "--addr", "127.0.0.1", "--port", str(self.port), *options]
        self._start()

    def _start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S).close()
                return
            except ConnectionRefusedError:
                assert self._process.poll() is None, "nats-server has ended"
                assert time.monotonic() < end
                time.sleep(0.01)

    async def run(self) -> None:
        await trio.sleep_forever()

    def bus(self, me: int, port: int | None = None) -> BrokerBus:
        """Through another ``port`` if one is given."""
        return nats_bus(f"nats://127.0.0.1:{port or self.port}", "test", me, f"boardgate/{me}", Random(me))

    def lose(self, me: int) -> None:
        self._process.kill()
        self._process.wait()

    def find(self, me: int) -> None:
        self._start()

    @contextmanager
    def frozen(self, me: int) -> Iterator[None]:
        """The server says nothing to any node."""
        with stopped(self._process.pid):
            yield

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """A process that does not run, though it lives."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


async def until(happened: Callable[[], bool]) -> None:
    """Look in each of trio's rounds; fails after PATIENCE_S."""
    with trio.fail_after(PATIENCE_S):
        while not happened():  # what is waited for may last one round only
            await trio.lowlevel.checkpoint()
