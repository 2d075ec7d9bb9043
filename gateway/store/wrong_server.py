"""Failover behind one address: connections to a PostgreSQL that takes no writes any more are dropped and made anew.

The old primary may keep its connections open, to be read only. A writer finds that out by the error of a statement. A
reader would never: it would be shown the past. So what one writer of the process has found counts for all its pools.

A commit that began before the failover may wait for its standby for ever, for the standby is the primary now. A
statement without an answer has somebody ask who answers at the address, and is cut off where that is another server.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from threading import Lock, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry

if TYPE_CHECKING:
    import psycopg

WRONG: Final = frozenset({"25006", "42501", "58030", "58P01"})
"""PostgreSQL's codes (SQLSTATE) of a server that takes no writes: read-only, or a standby; its disk read-only, or we
have lost our rights; its disk failing, or gone."""

MADE: Final = "made at"
"""Where a pooled connection keeps when it was made."""

LOOK_S: Final = 1.0
"""Seconds between two looks at what waits for an answer."""

LOOKS: Final = 5
"""Looks at which a connection waited before somebody asks: more than a statement takes, less than players wait."""

WHO: Final = "SELECT pg_postmaster_start_time()"
"""Tells two servers apart whose addresses and ports are one, and asks for no rights."""

_found_at: dict[str, float] = {}
"""By database, when a writer last found its server to be a wrong one."""


def is_wrong_server(error: BaseException | None) -> bool:
    """True if PostgreSQL has refused a statement because this server takes no writes."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return getattr(cause, "sqlstate", None) in WRONG


def leaves_wrong_servers(engine: Engine, *, writes: bool) -> Engine:
    """The same engine; its connections are used no more once a writer has found their server to be a wrong one."""
    database = engine.url.render_as_string()
    words: dict[str, Any] = {}

    def connects(_dialect: object, _entry: object, _arguments: object, parameters: Mapping[str, Any]) -> None:
        words.update(parameters)

    def made(connection: psycopg.Connection[Any], entry: ConnectionPoolEntry) -> None:
        entry.info[MADE] = monotonic()
        if writes:
            _watch.follow(connection, database, words)

    def taken(_: object, entry: ConnectionPoolEntry, __: object) -> None:
        if entry.info[MADE] <= _found_at.get(database, -1.0):
            raise DisconnectionError("the server takes no writes any more")

    def failed(context: ExceptionContext) -> None:
        if is_wrong_server(context.original_exception):
            _found_at[database] = monotonic()
            context.is_disconnect = True

    listeners: dict[str, Any] = {"connect": made, "checkout": taken}
    if writes:
        listeners |= {"do_connect": connects, "handle_error": failed}
    for name, listener in listeners.items():
        event.listen(engine, name, listener)
    return engine


class _Waiting:
    """A writer's connection: its database, how to make another one, its server, at how many looks it waited."""

    def __init__(self, database: str, words: Mapping[str, Any], server: object) -> None:
        self.database, self.words, self.server = database, words, server
        self.looks = 0


class _Watch:
    """One thread of the process, from its first connection to PostgreSQL that writes: looks at all of them."""

    def __init__(self) -> None:
        self._followed: WeakKeyDictionary[psycopg.Connection[Any], _Waiting] = WeakKeyDictionary()
        self._lock = Lock()
        self._thread: Thread | None = None

    def follow(self, connection: psycopg.Connection[Any], database: str, words: Mapping[str, Any]) -> None:
        server = _who(connection)
        connection.rollback()
        with self._lock:
            self._followed[connection] = _Waiting(database, words, server)
            if self._thread is None:
                self._thread = Thread(target=self._run, name="old primaries", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            sleep(LOOK_S)
            with self._lock:
                followed = list(self._followed.items())
            for connection, waiting in followed:
                waiting.looks = waiting.looks + 1 if _waits(connection) else 0
                if waiting.looks >= LOOKS:
                    waiting.looks = 0
                    _look(connection, waiting)


def _look(connection: psycopg.Connection[Any], waiting: _Waiting) -> None:
    """Cut the connection off where another server is at its address now; nothing where none answers."""
    import psycopg  # it is there only where PostgreSQL is used

    try:
        with psycopg.connect(**waiting.words) as other:
            now = _who(other)
    except psycopg.Error:
        return
    if now != waiting.server:
        _found_at[waiting.database] = monotonic()
        _cut(connection)


def _who(connection: psycopg.Connection[Any]) -> object:
    return connection.execute(WHO).fetchone()


def _waits(connection: psycopg.Connection[Any]) -> bool:
    from psycopg.pq import TransactionStatus

    return connection.pgconn.transaction_status == TransactionStatus.ACTIVE


def _cut(connection: psycopg.Connection[Any]) -> None:
    """Shut a connection's socket down: the statement that waits fails as at any lost connection.

    A connection that still waits behind the ``dup`` had its socket's number until then: no other socket is meant.
    """
    with suppress(OSError, ValueError):
        copy = socket.socket(fileno=os.dup(connection.pgconn.socket))
        with copy:
            if _waits(connection):
                copy.shutdown(socket.SHUT_RDWR)


_watch: Final = _Watch()
