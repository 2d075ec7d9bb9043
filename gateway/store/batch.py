"""One transaction's worth of steps: the checks and the statements.

The driver lets go of the interpreter lock around every row it steps through and has to win it back from a busy main
thread each time. So a batch is few statements of many rows: one UPDATE proves epoch and seq of all its tables, one
INSERT stores its events, each cut into few sizes so that a score of texts, prepared once, serve every batch. To
PostgreSQL many rows go as one binary array a column instead: one text, which does both, serves any number of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from sqlalchemy import Connection, Table, case, delete, exists, select, update
from sqlalchemy.exc import IntegrityError

from gateway.store import acts
from gateway.store.records import Append, Conflict, PairTaken
from gateway.store.schema import OVER, events, players, seats, tables, tickets
from protocols.core.events import TableClosed
from protocols.core.model import SeatKind

STATEMENT_ROWS: Final = 512
"""Rows of the longest statement. Six values a row keep it far below SQLite's 32,766 and PostgreSQL's 65,535."""

SIZES: Final = (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, STATEMENT_ROWS)
"""Rows a statement may have: two or three statements make up nearly any number of them."""

FEW: Final = 8
"""Rows that PostgreSQL gets as VALUES, too. psycopg keeps a text of up to 50 parameters; a longer one it reads anew
each time, which costs 9 microseconds a row. Arrays cost 1, and some 30 a statement."""

PEOPLE: Final = (SeatKind.PLAYER, SeatKind.RESERVED)
"""Kinds of seats that people hold."""

CLOSED: Final = TableClosed.__name__
"""The kind of a table's last event: no node serves it any more."""


class Span(NamedTuple):
    """A batch's change to one table: it must stand at ``was`` under ``epoch`` and will stand at ``becomes``."""

    table: int
    epoch: int
    was: int
    becomes: int


def write(connection: Connection, batch: Sequence[Append]) -> None:
    """Store every step in the connection's transaction.

    Conflict, or the database's error, when any of them cannot be stored: the caller must roll all of them back.
    """
    spans = _spans(batch)
    try:
        _insert(connection, tables, _opened(batch))
        _append(connection, spans, _rows(batch))
    except IntegrityError as error:
        raise _conflict(error, spans) from error
    for append in batch:
        _change_row(connection, append)
    _insert(connection, seats, _seats(batch), "(table_id, seat)")
    _insert(connection, players, _players(batch), "(folded, table_id)")
    for append in batch:
        if append.tickets or append.revoked or append.turned:
            _replace_tickets(connection, append)
        if append.acts:
            _note(connection, append)


def ends_with(connection: Connection, append: Append) -> bool:
    """True if this very step is the last that its table was given, under the same epoch."""
    if not append.rows:
        return False
    last = append.rows[-1]
    ends = select(tables.c.epoch, tables.c.last_seq, events.c.digest)
    here = (tables.c.id == append.table) & (events.c.table_id == tables.c.id) & (events.c.seq == tables.c.last_seq)
    found = connection.execute(ends.where(here)).first()
    return found is not None and tuple(found) == (append.epoch, last.seq, last.digest)


def _conflict(error: IntegrityError, spans: dict[int, Span]) -> Conflict:
    """The violated constraint; each database names the index or its columns, and the pair is in no other.

    PostgreSQL's DETAIL is the row, the table's secret included: it is not for the log.
    """
    said = str(error.orig).partition("DETAIL")[0].strip()
    kind = PairTaken if "pair" in said else Conflict
    return kind(f"table {', '.join(str(table) for table in spans)}: {said}")


def _spans(batch: Sequence[Append]) -> dict[int, Span]:
    """Each table's span; Conflict where the steps of a table do not join, or a step's rows do not."""
    spans: dict[int, Span] = {}
    for append in batch:
        table, after = append.table, append.after
        if table is None:
            continue
        last = after
        for row in append.rows:
            last += 1
            if row.seq != last:
                raise Conflict(f"table {table}: event {row.seq} where {last} is due")
        before = spans.get(table)
        if before is None:
            spans[table] = Span(table, append.epoch, after, last)
        elif before.becomes != after or before.epoch != append.epoch or append.opened is not None:
            raise Conflict(f"table {table}: a step after {after} follows one that ends at {before.becomes}")
        else:
            spans[table] = Span(table, append.epoch, before.was, last)
    return spans


def _append(connection: Connection, spans: dict[int, Span], rows: Sequence[object]) -> None:
    """Move every table from ``was`` to ``becomes``, and store the rows of events.

    Conflict unless all tables stood there under their epoch; that of a lone table says where it stands, which takes an
    UPDATE of its own. On PostgreSQL their rows stay locked until the commit: a claim waits, and then raises the epoch.
    """
    steps = [number for span in spans.values() for number in span]
    counts = len(spans), len(rows) // len(events.columns)
    if connection.dialect.name == "postgresql" and min(counts) > FEW and max(counts) <= STATEMENT_ROWS:
        columns = (*_columns(rows, len(events.columns)), *_columns(steps, len(Span._fields)))
        _require_all(connection, spans, connection.exec_driver_sql(_BOTH_BY_ARRAYS, columns).rowcount)
        return
    moved = _execute(connection, steps, len(Span._fields), _advance_text, _ADVANCE_BY_ARRAYS)
    _require_all(connection, spans, moved)
    _execute(connection, rows, len(events.columns), _events_text, _EVENTS_BY_ARRAYS)


def _require_all(connection: Connection, spans: dict[int, Span], moved: int) -> None:
    if moved != len(spans):
        raise Conflict(_explained(connection, spans) if len(spans) == 1 else "some table was written by another")


def _explained(connection: Connection, spans: dict[int, Span]) -> str:
    ((table, epoch, was, _),) = spans.values()
    found = connection.execute(select(tables.c.epoch, tables.c.last_seq).where(tables.c.id == table)).first()
    if found is None:
        return f"table {table} does not exist"
    return f"table {table} stands at event {found.last_seq} of epoch {found.epoch}, not at {was} of {epoch}"


def _change_row(connection: Connection, append: Append) -> None:
    """A game that begins again at a table whose pair has been registered anew is not that registration's any more."""
    values: dict[str, object] = {} if append.status is None else {"status": append.status}
    if append.rows and append.rows[-1].kind == CLOSED:
        values["node"] = None
    if append.status not in (None, OVER):
        other = tables.alias()
        same = (other.c.game == tables.c.game) & (other.c.pair == tables.c.pair) & (other.c.id != tables.c.id)
        anew = exists().where(same, other.c.pair.is_not(None), other.c.status != OVER)  # as the index has it
        values["pair"] = case((anew, None), else_=tables.c.pair)
    if values:
        connection.execute(update(tables).where(tables.c.id == append.table).values(values))


def _opened(batch: Sequence[Append]) -> list[object]:
    opened = [append.opened for append in batch if append.opened is not None]
    return [
        column
        for row in opened
        for column in (
            *(row.table, row.epoch, 0, row.status, row.game, row.variant, row.secret, row.opened_at),
            *(row.pair, row.node, row.registrant),
        )
    ]


def _rows(batch: Sequence[Append]) -> list[object]:
    flat: list[object] = []
    for append in batch:
        table = append.table
        for row in append.rows:
            flat += (table, row.seq, float(row.at), row.kind, row.body, row.digest)  # an array has one type
    return flat


def _seats(batch: Sequence[Append]) -> list[object]:
    """The last word on each seat: PostgreSQL refuses to replace a row twice in one statement."""
    final = {(append.table, row.seat): row for append in batch for row in append.seats}
    return [column for (table, seat), row in final.items() for column in (table, seat, row.kind, row.name, row.address)]


def _players(batch: Sequence[Append]) -> list[object]:
    """The people on these seats, whom their tables are found by (people.py); one row each, or PostgreSQL refuses."""
    people = {
        (row.name.casefold(), append.table)
        for append in batch
        for row in append.seats
        if row.name and row.kind in PEOPLE
    }
    return [column for person in sorted(people, key=repr) for column in person]


def _replace_tickets(connection: Connection, append: Append) -> None:
    """A seat's new ticket ends its earlier ones: who held it before must not find it by an old secret."""
    freed = {*append.revoked, *(row.seat for row in append.tickets)}
    if freed and append.opened is None:
        connection.execute(delete(tickets).where(tickets.c.table_id == append.table, tickets.c.seat.in_(freed)))
    flat: list[object] = [column for row in append.tickets for column in (row.table, row.digest, row.seat)]
    _insert(connection, tickets, flat, "(table_id, digest)")
    if append.turned:
        of_table = tickets.c.table_id == append.table
        turned = (tickets.c.seat + append.turned) % len(append.seats)
        connection.execute(update(tickets).where(of_table).values(seat=turned))


def _note(connection: Connection, append: Append) -> None:
    """A table's step is in its own way when it is handed in again, acts and all; one that is but acts has to look."""
    note = acts.note if append.table is not None else acts.note_once
    for act in append.acts:
        note(connection, act)


def _execute(
    connection: Connection, flat: Sequence[object], width: int, text: Callable[[int, str], str], by_arrays: str
) -> int:
    """Run a statement on rows given as one flat list; the number of rows that it changed."""
    if connection.dialect.name == "postgresql" and len(flat) > FEW * width:
        most = STATEMENT_ROWS * width
        parts = [_columns(flat[start : start + most], width) for start in range(0, len(flat), most)]
        return sum(connection.exec_driver_sql(by_arrays, columns).rowcount for columns in parts)
    mark = _mark(connection)
    return sum(connection.exec_driver_sql(text(rows, mark), values).rowcount for rows, values in _cut(flat, width))


def _insert(connection: Connection, table: Table, flat: list[object], key: str = "") -> None:
    """Insert rows given as one flat list, columns in the schema's order; with ``key``, replace those that have it."""
    if flat:
        for rows, values in _cut(flat, len(table.columns)):
            connection.exec_driver_sql(_insert_text(table, rows, _mark(connection), key), values)


def _cut(flat: Sequence[object], width: int) -> Iterator[tuple[int, tuple[object, ...]]]:
    """(rows, their values) of statements that together take the list, each of one of SIZES, the largest first."""
    start, left = 0, len(flat) // width
    while left:
        rows = SIZES[bisect_right(SIZES, left) - 1]
        yield rows, tuple(flat[start : start + rows * width])
        start, left = start + rows * width, left - rows


def _columns(flat: Sequence[object], width: int) -> tuple[Sequence[object], ...]:
    return tuple(flat[column::width] for column in range(width))


def _mark(connection: Connection) -> str:
    """The driver's mark for a parameter."""
    return "?" if connection.dialect.paramstyle == "qmark" else "%s"


@cache
def _advance_text(rows: int, mark: str) -> str:
    return _advancing(f"(VALUES {_marks(rows, len(Span._fields), mark)}) AS step")


def _advancing(step: str) -> str:
    return (
        f"UPDATE tables SET last_seq = step.column4 FROM {step} WHERE tables.id = step.column1"
        " AND tables.epoch = step.column2 AND tables.last_seq = step.column3"
    )


def _events_text(rows: int, mark: str) -> str:
    return _insert_text(events, rows, mark, "")


@cache
def _insert_text(table: Table, rows: int, mark: str, key: str) -> str:
    names = [column.name for column in table.columns]
    text = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES {_marks(rows, len(names), mark)}"
    if not key:
        return text
    replaced = ", ".join(
        f"{column.name} = excluded.{column.name}" for column in table.columns if not column.primary_key
    )
    return f"{text} ON CONFLICT {key} DO {f'UPDATE SET {replaced}' if replaced else 'NOTHING'}"


def _marks(rows: int, width: int, mark: str) -> str:
    return ", ".join([f"({', '.join([mark] * width)})"] * rows)


def _arrays(*types: str) -> str:
    """A function that makes rows of arrays; psycopg sends each in the narrowest type that holds its numbers."""
    return f"unnest({', '.join(f'%b::{name}[]' for name in types)})"


_ADVANCE_BY_ARRAYS: Final = _advancing(
    f"{_arrays('bigint', 'integer', 'integer', 'integer')} AS step (column1, column2, column3, column4)"
)
_EVENTS_BY_ARRAYS: Final = (
    f"INSERT INTO events ({', '.join(column.name for column in events.columns)})"
    f" SELECT * FROM {_arrays('bigint', 'integer', 'double precision', 'text', 'text', 'bytea')}"
)
_BOTH_BY_ARRAYS: Final = f"WITH stored AS ({_EVENTS_BY_ARRAYS}) {_ADVANCE_BY_ARRAYS}"
"""Changes as many rows as tables were moved. A round trip less is a fifth of the writer's time for fifty steps."""
