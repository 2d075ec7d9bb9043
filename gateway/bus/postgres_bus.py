"""The bus over PostgreSQL: one session that listens on two channels and notifies those of others.

libpq is used as it is, without blocking, in trio's own task: a thread would compete for the interpreter with the one it
hands each message to, and cannot be cancelled. A node's channel is ``PREFIX_ID``, that of all nodes ``PREFIX_all``.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from typing import Final

import psycopg
import trio
from psycopg import pq
from psycopg.conninfo import make_conninfo
from psycopg.pq import ConnStatus, ExecStatus, PollingStatus
from psycopg.pq.abc import PGconn, PGresult
from sqlalchemy import make_url

from gateway.bus.broker_bus import BrokerBus, LineLost
from gateway.bus.envelope import Post
from gateway.postgres_arrays import texts

PREFIX: Final = "boardgate"
"""Begins the names of the channels."""

PORT: Final = "5432"
"""PostgreSQL's port unless the URL says otherwise."""

BINARY: Final = 1
"""Format of a parameter."""

NOTIFY: Final = (
    b"SELECT count(pg_notify(channel, body)), current_setting('transaction_read_only')"
    b" FROM unnest($1::text[], $2::text[]) AS post (channel, body)"
)
"""Notifies in the order of the arrays, and answers with one row: where the session is read-only after a failover, the
other nodes listen to another server."""


def postgres_bus(url: str, me: int, application_name: str, chance: Random, prefix: str = PREFIX) -> BrokerBus:
    """``url`` is SQLAlchemy's; the session shows as ``application_name``."""
    return BrokerBus(me, partial(_dial, _parameters(url, application_name), me, prefix), chance)


def _parameters(url: str, application_name: str) -> dict[str, str]:
    """The URL in libpq's words. Text is UTF-8 whatever the database's encoding."""
    hosted = make_url(url).set(drivername="postgresql+psycopg")
    _, words = hosted.get_dialect()().create_connect_args(hosted)
    said = {name: str(value) for name, value in words.items()}
    return said | {"application_name": application_name, "client_encoding": "UTF8"}


async def _dial(parameters: Mapping[str, str], me: int, prefix: str) -> PostgresLine:
    """Try every address of every host in turn. LineLost has the last one's reason."""
    why = ""
    for target in _hosts(parameters):
        try:
            for address in await _addresses(target):
                try:
                    return await _connect(make_conninfo(**address).encode(), me, prefix)
                except (LineLost, psycopg.Error) as error:
                    why = str(error).strip()
        except OSError as error:
            why = f"{target['host']}: {error}"
    raise LineLost(why)


def _hosts(parameters: Mapping[str, str]) -> list[dict[str, str]]:
    """The parameters once for each host: libpq takes several, with a port each or one for all."""
    hosts = parameters.get("host", "").split(",")
    ports = parameters.get("port", PORT).split(",")
    ports = ports if len(ports) > 1 else ports * len(hosts)
    return [{**parameters, "host": host, "port": port or PORT} for host, port in zip(hosts, ports, strict=True)]


async def _addresses(target: dict[str, str]) -> list[dict[str, str]]:
    """The same once for each address of its host: libpq would block while it resolves a name. OSError."""
    if not target["host"] or target["host"].startswith(("/", "@")) or "hostaddr" in target:
        return [target]
    found = await trio.socket.getaddrinfo(target["host"], target["port"], type=socket.SOCK_STREAM)
    return [target | {"hostaddr": str(address[0])} for *_, address in found]


async def _connect(conninfo: bytes, me: int, prefix: str) -> PostgresLine:
    connection = pq.PGconn.connect_start(conninfo)
    try:
        await _poll(connection)
        connection.nonblocking = 1
        for channel in (me, "all"):
            await _execute(connection, f'LISTEN "{prefix}_{channel}"'.encode())
        await _execute(connection, b"PREPARE post (text[], text[]) AS " + NOTIFY)
    except BaseException:
        connection.finish()
        raise
    return PostgresLine(connection, prefix)


async def _poll(connection: PGconn) -> None:
    """Finish connecting."""
    wait = PollingStatus.WRITING
    while wait != PollingStatus.OK:
        if wait == PollingStatus.FAILED or connection.status == ConnStatus.BAD:
            raise LineLost(connection.get_error_message().strip())
        ready = trio.lowlevel.wait_readable if wait == PollingStatus.READING else trio.lowlevel.wait_writable
        await ready(connection.socket)
        wait = PollingStatus(connection.connect_poll())


async def _execute(connection: PGconn, statement: bytes) -> None:
    """Run a statement to its end."""
    connection.send_query(statement)
    await _flush(connection)
    while True:
        while connection.is_busy():
            await trio.lowlevel.wait_readable(connection.socket)
            connection.consume_input()
        result = connection.get_result()
        if result is None:
            return
        if result.status == ExecStatus.FATAL_ERROR:
            raise LineLost(result.get_error_message())


async def _flush(connection: PGconn) -> None:
    while connection.flush():
        await trio.lowlevel.wait_writable(connection.socket)


class PostgresLine:
    """A session that listens, as a ``Line``."""

    def __init__(self, connection: PGconn, prefix: str) -> None:
        self._connection = connection
        self._prefix = prefix
        self._answered: trio.Event | None = None
        self._refused = ""
        self._notice = ""  # the last: why PostgreSQL ends a session is one
        connection.notice_handler = self._take_notice

    async def receive(self) -> Sequence[bytes]:
        """See Line."""
        try:
            await trio.lowlevel.wait_readable(self._connection.socket)
            self._connection.consume_input()
            self._take_answer()
            heard = []
            while notification := self._connection.notifies():
                heard.append(notification.extra)
        except psycopg.Error as error:
            raise LineLost(self._reason(error)) from None
        return heard

    def _take_notice(self, notice: PGresult) -> None:
        self._notice = notice.get_error_message()

    def _reason(self, error: psycopg.Error) -> str:
        first, *_ = str(error).strip().splitlines()
        return f"{self._notice}: {first}" if self._notice else first

    def _take_answer(self) -> None:
        """``is_busy`` also reads what has come, notifications among it."""
        while not self._connection.is_busy() and self._answered is not None:
            result = self._connection.get_result()
            if result is None:
                self._answered.set()
                self._answered = None
            elif result.status == ExecStatus.FATAL_ERROR:
                self._refused = result.get_error_message()
            elif result.get_value(0, 1) == b"on":
                self._refused = "the server takes no writes any more"

    async def send(self, posts: Sequence[Post]) -> None:
        """See Line. Returns when PostgreSQL has committed; messages gather meanwhile."""
        channels = [f"{self._prefix}_{'all' if post.to is None else post.to}".encode() for post in posts]
        parameters = [texts(channels), texts([post.text for post in posts])]
        answered = self._answered = trio.Event()
        try:
            self._connection.send_query_prepared(b"post", parameters, param_formats=[BINARY, BINARY])
            await _flush(self._connection)
        except psycopg.Error as error:
            raise LineLost(self._reason(error)) from None
        await answered.wait()
        if self._refused:
            raise LineLost(self._refused)

    async def ping(self) -> None:
        """See Line: a statement that notifies no channel."""
        await self.send(())

    async def aclose(self) -> None:
        """See Line. libpq closes a socket that is broken by itself, so that its number may be another's already."""
        self._connection.finish()
