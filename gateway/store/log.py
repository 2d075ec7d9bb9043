"""The record in a database: what the server appends, and what it reads when it takes tables over.

The queries of commands and pages are in views.py. Reads use connections of their own and may be called from several
threads; they see every commit that ``deliver`` has told of.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Connection, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from gateway.store import codec
from gateway.store.engine import SESSION, FileLock, database_path, is_sqlite, reader_engine, record_engine
from gateway.store.records import (
    HIGHEST,
    USED,
    Append,
    EventRow,
    Held,
    Loaded,
    SeatRow,
    StoredEvent,
    TableRow,
    TicketRow,
    Unreadable,
)
from gateway.store.schema import ADJOURNED, OPEN, OVER, PLAYING, events, lasting_offers, seats, tables, tickets
from gateway.store.writer import Deliver, Writer
from gateway.tally import StoreTally

ROW: Final[tuple[Column[Any], ...]] = (
    tables.c.id,
    tables.c.epoch,
    tables.c.status,
    tables.c.game,
    tables.c.variant,
    tables.c.secret,
    tables.c.opened_at,
    tables.c.pair,
    tables.c.last_seq,
    tables.c.node,
    tables.c.registrant,
)
"""TableRow's columns, in its order."""

_SEAT: Final = (seats.c.table_id, seats.c.seat, seats.c.kind, seats.c.name, seats.c.address)
_EVENT: Final = (
    *(events.c.table_id, events.c.seq, events.c.at, events.c.kind, events.c.body, events.c.digest),
    events.c.served,
)

PAGE: Final = 1000
"""Numbers in one statement: below what any database takes."""

UNFINISHED: Final = tables.c.status.in_((OPEN, PLAYING, ADJOURNED))


class SqlLog:
    """records.Log over SQLite or PostgreSQL. The schema must be there: see migrations.upgrade."""

    def __init__(self, url: str, deliver: Deliver, session: str = SESSION) -> None:
        """``session`` is the name that its sessions bear in PostgreSQL; a node's is ``session_of(node)``.

        DatabaseInUse when another server has the SQLite file; SQLAlchemyError when the database cannot be opened.
        """
        self._writing = record_engine(url, session)
        self._reading = reader_engine(url, session)
        self._lock = FileLock(database_path(url)) if is_sqlite(url) else None
        self.tally = StoreTally()
        try:
            self._writer = Writer(self._writing, deliver, self.tally)
        except BaseException:
            self._let_go()
            raise

    def submit(self, *appends: Append) -> None:
        """Queue steps; ``deliver`` gets them back from the writer's thread."""
        self._writer.submit(*appends)

    def read(self, table: int, after: int = 0) -> list[StoredEvent]:
        """The events of a table with seq > ``after``, in order.

        Unreadable when the database fails, ValueError when an event cannot be decoded.
        """
        wanted = (
            select(events.c.seq, events.c.at, events.c.kind, events.c.body, events.c.digest)
            .where(events.c.table_id == table, events.c.seq > after)
            .order_by(events.c.seq)
        )
        try:
            with self._reading.connect() as connection:
                found = connection.execute(wanted).all()
        except SQLAlchemyError as error:
            raise Unreadable(f"the record of table {table}: {error}") from error
        return [StoredEvent(seq, at, codec.decode(kind, body), digest) for seq, at, kind, body, digest in found]

    def claim(self, after: int = 0, last: int = HIGHEST, most: int = HIGHEST) -> list[TableRow]:
        """Take over the first ``most`` tables of (after, last] that are not over, under new epochs; by rising id."""
        theirs = select(tables.c.id).where(UNFINISHED, tables.c.id > after, tables.c.id <= last)
        first = theirs.order_by(tables.c.id).limit(most)
        taken = update(tables).where(tables.c.id.in_(first)).values(epoch=tables.c.epoch + 1).returning(*ROW)
        with self._writing.begin() as connection:
            return sorted((TableRow(*row) for row in connection.execute(taken)), key=lambda row: row.table)

    def holders(self, of: Sequence[int] | None = None) -> Held:
        """The seats and tickets of these tables, or of all, as far as they are not over; tickets by table and seat."""
        columns = (tickets.c.digest, tickets.c.table_id, tickets.c.seat)
        which = select(tables.c.id).where(UNFINISHED)
        if of is not None:
            which = which.where(tables.c.id.in_(of))
        found = select(*columns).where(tickets.c.table_id.in_(which), tickets.c.seat != USED)
        with self._reading.connect() as connection:
            held = _seats(connection, seats.c.table_id.in_(which))
            rows = connection.execute(found.order_by(tickets.c.table_id, tickets.c.seat, tickets.c.digest))
            return Held(held, [TicketRow(*row) for row in rows])

    def ticketed(self, digest: bytes) -> int | None:
        """The table where the ticket with this digest stands for a seat, unless it is over; None: none does."""
        found = select(tickets.c.table_id).join(tables, tables.c.id == tickets.c.table_id)
        standing = (tickets.c.digest == digest) & (tickets.c.seat != USED)
        with self._reading.connect() as connection:
            table: int | None = connection.execute(found.where(standing, UNFINISHED)).scalar()
        return table

    def paired(self, pair: str) -> int | None:
        """The newest table of this pair (``records.pair_of``) that is not over; None: there is none."""
        theirs = select(func.max(tables.c.id)).where(tables.c.pair == pair, tables.c.status != OVER)
        with self._reading.connect() as connection:
            table: int | None = connection.execute(theirs).scalar()
        return table

    def registered_by(self, registrant: str) -> int:
        """The number of tables of this registrant that are not over."""
        theirs = select(func.count()).where(tables.c.registrant == registrant, tables.c.status != OVER)
        with self._reading.connect() as connection:
            return connection.execute(theirs).scalar_one()

    def load(self, numbers: Sequence[int]) -> list[Loaded]:
        """These tables with their seats and events, by rising id; those that do not exist are left out."""
        wanted = select(*ROW).where(tables.c.id.in_(numbers)).order_by(tables.c.id)
        written = select(*_EVENT).where(events.c.table_id.in_(numbers)).order_by(events.c.table_id, events.c.seq)
        with self._reading.connect() as connection:
            rows = [TableRow(*row) for row in connection.execute(wanted)]
            held = _seats(connection, seats.c.table_id.in_(numbers))
            found = groupby(connection.execute(written), itemgetter(0))
            record = {table: [EventRow(*row[1:]) for row in of_table] for table, of_table in found}
        return [Loaded(row, held.get(row.table, []), record.get(row.table, [])) for row in rows]

    def last_table(self) -> int:
        """The highest table id ever used, or given to an offer that lasts; 0 when there is none."""
        with self._reading.connect() as connection:
            ids = (tables.c.id, lasting_offers.c.number)
            found = [connection.execute(select(func.max(each))).scalar() for each in ids]
        return max(highest or 0 for highest in found)

    def close(self) -> None:
        """Store what is queued, stop, and let the file go. Idempotent. Raises what the writer has to report."""
        try:
            self._writer.close()
        finally:
            self._let_go()

    def _let_go(self) -> None:
        self._reading.dispose()
        self._writing.dispose()
        if self._lock is not None:
            self._lock.release()


def _seats(connection: Connection, which: ColumnElement[bool]) -> dict[int, list[SeatRow]]:
    """By table, the seats by number."""
    found = connection.execute(select(*_SEAT).where(which).order_by(seats.c.table_id, seats.c.seat))
    return {table: [SeatRow(*row[1:]) for row in of_table] for table, of_table in groupby(found, itemgetter(0))}
