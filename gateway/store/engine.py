"""Connections to the record's database: SQLite with its pragmas and its lock, or PostgreSQL as it is.

The writer's connections begin with BEGIN IMMEDIATE, so that two writers queue up instead of failing at their first
write; readers' are read-only and see the last commit without disturbing the writer. A PostgreSQL that is gone is
noticed within seconds, and one that has lost us gives our locks back.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Mapping
from threading import Event
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.pool import ConnectionPoolEntry

from gateway.postgres_arrays import Array
from gateway.store.read_only import ReadOnlyRecord
from gateway.store.wrong_server import leaves_wrong_servers

BUSY_S: Final = 5.0
"""Time that a statement waits for another process (a backup, a migration) before it fails: longer than any commit,
shorter than a player's patience."""

CACHE_KIB: Final = 32 * 1024
"""Page cache of the writer: the pages that some thousand running tables append to."""

OLDEST_SQLITE: Final = (3, 35, 0)
"""UPDATE FROM and RETURNING are used."""


CONNECT_S: Final = 5
"""Time that a connection to PostgreSQL may take to be made: longer than networks need, shorter than players wait."""

SILENT_S: Final = 10
"""Time that PostgreSQL's system may leave our bytes unacknowledged, or a lost connection of ours may hold locks."""

SESSION: Final = "boardgate"
"""The name that our sessions bear in PostgreSQL, unless the URL says another."""

REACH: Final[Mapping[str, str | int]] = {
    "application_name": SESSION,
    "connect_timeout": CONNECT_S,
    "keepalives_idle": SILENT_S // 2,
    "keepalives_interval": 1,
    "keepalives_count": SILENT_S // 2,
    "tcp_user_timeout": SILENT_S * 1000,
    "options": f"-c idle_in_transaction_session_timeout={SILENT_S}s -c lock_timeout={int(BUSY_S)}s",
}
"""Options for PostgreSQL beyond the URL, in libpq's words; the URL may say otherwise."""


SESSIONS: Final = text(
    "SELECT count(*) FROM pg_stat_activity"
    f" WHERE datname = current_database() AND application_name ~ '^{SESSION}(/|$)' AND pid <> pg_backend_pid()"
)
"""Counts the sessions of other servers and commands in this PostgreSQL database, those of nodes too."""


class DatabaseInUse(Exception):
    """Another server has this database file open."""


def session_of(node: int | str) -> str:
    """The name of a node's sessions: whoever buries the node ends them by it (nodes.py)."""
    return f"{SESSION}/{node}"


def writer_engine(url: str, session: str = SESSION) -> Engine:
    """The engine of a process that writes, SQLite's only one. ValueError for a database that cannot keep a record."""
    if not is_sqlite(url):
        return _hosted(url, session, writes=True)
    database_path(url)
    _check_version()
    engine = create_engine(url, hide_parameters=True)
    event.listen(engine, "connect", _prepare_writer)
    event.listen(engine, "begin", _begin_immediate)
    return _closes_what_is_out(engine)


def reader_engine(url: str, session: str = SESSION) -> Engine:
    """An engine for queries, usable from several threads; it cannot change anything.

    On PostgreSQL each query sees the commits until then, with BEGIN and ROLLBACK around it or not: they are not said.
    """
    if not is_sqlite(url):
        engine = _hosted(url, session, writes=False, isolation_level="AUTOCOMMIT")
        event.listen(engine, "connect", _only_read)
        return engine
    record = ReadOnlyRecord(database_path(url))
    engine = create_engine(url, hide_parameters=True)
    event.listen(engine, "do_connect", lambda _dialect, _record, _words, options: record.connect(**options))
    event.listen(engine, "engine_disposed", lambda _: record.close())
    event.listen(engine, "connect", _prepare_reader)
    event.listen(engine, "begin", _begin)
    return _closes_what_is_out(engine)


def record_engine(url: str, session: str = SESSION) -> Engine:
    """The same, for the record's writer: on PostgreSQL a statement commits by itself unless BEGIN was said before it.

    A move is one statement: it takes one round trip, and a process that freezes in it holds no row.
    """
    if is_sqlite(url):
        return writer_engine(url)
    return _hosted(url, session, writes=True, isolation_level="AUTOCOMMIT")


def _hosted(url: str, session: str, *, writes: bool, **options: Any) -> Engine:
    """A pooled connection is tried before it is used again: PostgreSQL may have been restarted meanwhile.

    The name of a node's sessions stands against the URL's: they could not be ended otherwise.
    """
    said = make_url(url).query
    reach = {name: setting for name, setting in REACH.items() if name not in said}
    if session != SESSION:
        reach["application_name"] = session
    engine = create_engine(url, hide_parameters=True, pool_pre_ping=True, connect_args=reach, **options)
    event.listen(engine, "connect", _send_arrays)
    return _closes_what_is_out(leaves_wrong_servers(engine, writes=writes))


def _send_arrays(connection: Any, _record: Any) -> None:
    """Have a connection of psycopg send our arrays as they are."""
    from psycopg.adapt import Dumper  # it is there only where PostgreSQL is used
    from psycopg.pq import Format

    class ArrayDumper(Dumper):
        format = Format.BINARY

        def dump(self, array: Array) -> Array:
            return array

    connection.adapters.register_dumper(Array, ArrayDumper)


def _only_read(connection: Any, _record: Any) -> None:
    connection.execute("SET default_transaction_read_only = on")


def _closes_what_is_out(engine: Engine) -> Engine:
    """The same, but a connection that is out when the engine is disposed is closed when it comes back.

    A server that ends does not wait for the threads that still read; their connections would lie in a pool of nobody.
    """
    over = Event()

    def comes_back(_: object, entry: ConnectionPoolEntry) -> None:
        if over.is_set():
            entry.invalidate()

    event.listen(engine, "engine_disposed", lambda _: over.set())
    event.listen(engine, "checkin", comes_back)
    return engine


class Reads:
    """A part of a database that is only read, from several threads."""

    def __init__(self, url: str) -> None:
        self._reading = reader_engine(url)

    def close(self) -> None:
        """Let its connections go. Idempotent."""
        self._reading.dispose()


class ReadsAndWrites(Reads):
    """A part of a database, SQLite or PostgreSQL, that several processes may use at once."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._writing = writer_engine(url)

    def close(self) -> None:
        """Let its connections go. Idempotent."""
        super().close()
        self._writing.dispose()


def is_sqlite(url: str) -> bool:
    """True if this is the embedded database."""
    return make_url(url).get_backend_name() == "sqlite"


def database_path(url: str) -> str:
    """The file of an SQLite URL. ValueError for a database in memory: each connection would have its own."""
    path = make_url(url).database
    if not path or path == ":memory:":
        raise ValueError(f"a record needs a file, not {url!r}")
    return path


class FileLock:
    """The right to write to an SQLite file, held by one process until ``release`` or its end, however that comes.

    The lock is on a file of its own beside the database: locks on the database file are SQLite's.
    """

    def __init__(self, database: str) -> None:
        """DatabaseInUse names the file when another server has it."""
        self._file = os.open(f"{database}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(self._file, 20).decode("ascii", "replace").strip()
            os.close(self._file)
            raise DatabaseInUse(f"{database} is in use by another server (process {owner or 'unknown'})") from None
        os.ftruncate(self._file, 0)
        os.write(self._file, b"%d\n" % os.getpid())

    def release(self) -> None:
        """Let another process have the file. The lock file stays: removing it would let two in."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _check_version() -> None:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        oldest = ".".join(str(part) for part in OLDEST_SQLITE)
        raise ValueError(f"SQLite {sqlite3.sqlite_version} is too old, {oldest} is needed")


def _prepare_writer(connection: sqlite3.Connection, _record: Any) -> None:
    _pragmas(
        connection,
        journal_mode="WAL",
        synchronous="FULL",
        foreign_keys="ON",
        cache_size=-CACHE_KIB,
        temp_store="MEMORY",  # or every upsert of several rows opens a file of its own
    )


def _prepare_reader(connection: sqlite3.Connection, _record: Any) -> None:
    _pragmas(connection, query_only="ON")


def _pragmas(connection: sqlite3.Connection, **pragmas: str | int) -> None:
    connection.isolation_level = None  # or the driver begins transactions of its own, at the first change only
    for name, setting in {"busy_timeout": int(BUSY_S * 1000), **pragmas}.items():
        connection.execute(f"PRAGMA {name}={setting}")


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")
