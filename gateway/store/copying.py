"""Copies a whole database into an empty one: every row of every table, in one transaction, compared before its commit.

For moving from SQLite to PostgreSQL, or back. The nodes of a cluster are no part of it: no table of the copy has one.
Rows are read and written by pages, so that memory is bounded whatever the record's size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any, Final, NamedTuple

from sqlalchemy import Column, Connection, Row, Table, func, insert, make_url, select, text, tuple_, union_all

from gateway.store import acts, codec
from gateway.store.engine import (
    SESSIONS,
    DatabaseInUse,
    FileLock,
    database_path,
    is_sqlite,
    reader_engine,
    writer_engine,
)
from gateway.store.schema import LASTING, events, lasting_offers, table_ids, tables
from protocols.core.errors import BoardgateError

PAGE: Final = 1000
"""Rows that are in memory at once: events of some hundred bytes each."""

Progress = Callable[[str, int, int], None]
"""Told what is being done, of how many rows, and how many there are."""


class CannotCopy(BoardgateError):
    """Nothing was copied; says why, and what to do."""


class NotTheSame(BoardgateError):
    """The copy differs from the original: the target was left empty."""


class Break(NamedTuple):
    """The first event of a table that is not what the record says of it."""

    table: int
    seq: int


@dataclass(frozen=True, slots=True)
class Copied:
    """``rows`` by table. ``broken`` are the records that are not whole, in the source and therefore here as well."""

    rows: dict[str, int]
    broken: tuple[Break, ...]


def copy(source: str, target: str, progress: Progress, by: str = "somebody") -> Copied:
    """Copy the database at one URL into the empty one at another; both have this version's schema.

    Then the target has one row more than the source: that ``by`` has copied it, in the log of acts.
    CannotCopy: the target holds something, or the source is not there. DatabaseInUse: a server has one of them open.
    NotTheSame: what was written differs. After any error the target is as empty as before.
    """
    if make_url(source) == make_url(target):
        raise CannotCopy("a database cannot be copied into itself")
    if is_sqlite(source) and not Path(database_path(source)).exists():
        raise CannotCopy(f"there is no database {database_path(source)}")
    with ExitStack() as stack:
        reading = stack.enter_context(_only_user(source, reading=True))
        writing = stack.enter_context(_only_user(target, reading=False))
        stack.enter_context(reading.begin())
        stack.enter_context(writing.begin())
        _require_empty(writing)
        rows = {table.name: _copy(reading, writing, table, progress) for table in LASTING}
        _go_on_numbering(writing)
        for table in LASTING:
            _go_on_counting(writing, table)
            _require_same(reading, writing, table, progress)
        shown = make_url(source).set(query={}).render_as_string(hide_password=True)  # a password may be there, too
        acts.note(writing, acts.made(time(), by, "database.copied", shown, rows=sum(rows.values())))
        return Copied(rows, tuple(_broken(writing, progress)))


@contextmanager
def _only_user(url: str, *, reading: bool) -> Iterator[Connection]:
    """A connection to a database for exclusive use. DatabaseInUse."""
    with ExitStack() as stack:
        if is_sqlite(url):
            stack.callback(FileLock(database_path(url)).release)
        engine = reader_engine(url) if reading else writer_engine(url)
        stack.callback(engine.dispose)
        connection = stack.enter_context(engine.connect())
        if not is_sqlite(url):
            with connection.begin():
                others = connection.execute(SESSIONS).scalar()
            if others:
                shown = make_url(url).render_as_string(hide_password=True)
                raise DatabaseInUse(f"{shown} is in use by another server or command of Boardgate")
            connection.execute(text("SET idle_in_transaction_session_timeout = 0"))  # it waits while the other works
            connection.commit()
        yield connection


def _require_empty(connection: Connection) -> None:
    for table in LASTING:
        if count := _count(connection, table):
            raise CannotCopy(f"the database to copy into is not empty: {table.name} has {count:,} rows")


def _copy(reading: Connection, writing: Connection, table: Table, progress: Progress) -> int:
    done, total = 0, _count(reading, table)
    progress(f"{table.name} copied", done, total)
    for page in _pages(reading, table):
        writing.execute(insert(table), [row._asdict() for row in page])
        done += len(page)
        progress(f"{table.name} copied", done, total)
    return done


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def _pages(connection: Connection, table: Table) -> Iterator[Sequence[Row[Any]]]:
    """All rows, by rising primary key as this database orders it; without the node that serves a table there."""
    key: list[Column[Any]] = list(table.primary_key.columns)
    copied = [column for column in table.columns if column is not tables.c.node]
    wanted = select(*copied).order_by(*key).limit(PAGE)
    page = connection.execute(wanted).all()
    while page:
        yield page
        last = tuple(getattr(page[-1], column.key) for column in key)
        page = connection.execute(wanted.where(tuple_(*key) > tuple_(*last))).all() if len(page) == PAGE else []


def _go_on_counting(connection: Connection, table: Table) -> None:
    """The next key that the database gives by itself comes after those that were copied."""
    counted = table.autoincrement_column
    if counted is None or connection.dialect.name != "postgresql":
        return
    highest = connection.execute(select(func.max(counted))).scalar()
    if highest is not None:
        connection.execute(select(func.setval(func.pg_get_serial_sequence(table.name, counted.name), highest)))


def _go_on_numbering(connection: Connection) -> None:
    """The next block of table numbers begins behind those that were copied."""
    if connection.dialect.supports_sequences:
        ids = union_all(select(tables.c.id), select(lasting_offers.c.number)).subquery()
        behind = func.coalesce(func.max(ids.c[0]), 0) + 1
        connection.execute(select(func.setval(table_ids.name, behind, False)).select_from(ids))


def _require_same(reading: Connection, writing: Connection, table: Table, progress: Progress) -> None:
    """The same rows on both sides, in any order."""
    read, written = _sum(reading, table, progress), _sum(writing, table, progress)
    if read != written:
        raise NotTheSame(f"{table.name}: what was written is not what was read; nothing was kept")


def _sum(connection: Connection, table: Table, progress: Progress) -> tuple[int, int]:
    """The number of rows, and the sum of their digests: two databases may sort texts differently."""
    count, total, of = 0, 0, _count(connection, table)
    for page in _pages(connection, table):
        total += sum(int.from_bytes(sha256(repr(tuple(row)).encode()).digest()) for row in page)
        count += len(page)
        progress(f"{table.name} in {connection.dialect.name}", count, of)
    return count, total


def _broken(connection: Connection, progress: Progress) -> Iterator[Break]:
    """Broken chains, and records that do not end where their table's row says."""
    done, of, last = 0, _count(connection, events), Break(0, 0)
    digest, broken = codec.GENESIS, False
    for page in _pages(connection, events):
        for row in page:
            if row.table_id != last.table:
                last, digest, broken = Break(row.table_id, 0), codec.GENESIS, False
            linked = codec.link(digest, row.table_id, row.seq, row.at, row.kind, row.body)
            if not broken and (row.seq, row.digest) != (last.seq + 1, linked):
                broken = True
                yield Break(row.table_id, row.seq)
            last, digest = Break(row.table_id, row.seq), row.digest
        done += len(page)
        progress("hash chains", done, of)
    ends = func.coalesce(func.max(events.c.seq), 0)
    of_table = (
        select(tables.c.id, ends)
        .select_from(tables.outerjoin(events, events.c.table_id == tables.c.id))
        .group_by(tables.c.id, tables.c.last_seq)
    )
    for table, seq in connection.execute(of_table.having(ends != tables.c.last_seq)):
        yield Break(table, seq + 1)
