"""One transaction's worth of steps: the checks and the statements.

The driver lets go of the interpreter lock around every row it steps through and has to win it back from a busy main
thread each time. So a batch is few statements of many rows: one UPDATE proves epoch and seq of all its tables, one
INSERT stores its events, each cut into few sizes so that a score of texts, prepared once, serve every batch. To
PostgreSQL the rows go as one binary array a column instead: one text, which does both, serves any number of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from operator import methodcaller
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Table, case, delete, exists, insert, select, update
from sqlalchemy.exc import DataError, IntegrityError

from gateway.postgres_arrays import Array, bigints, byte_strings, doubles, integers, texts
from gateway.store import acts, results
from gateway.store.rating_schema import result_players
from gateway.store.rating_schema import results as result_rows
from gateway.store.records import USED, Append, Conflict, PairTaken, Result
from gateway.store.schema import OVER, events, notices, players, seats, tables, tickets
from protocols.core.events import TableClosed
from protocols.core.model import SeatKind

STATEMENT_ROWS: Final = 512
"""Rows of the longest statement. Seven values a row keep it far below SQLite's 32,766 and PostgreSQL's 65,535."""

SIZES: Final = (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, STATEMENT_ROWS)
"""Rows a statement may have: two or three statements make up nearly any number of them."""

DIVIDED_BY_ZERO: Final = "22012"
"""PostgreSQL's code (SQLSTATE) of the error by which a statement of ours takes itself back."""

PEOPLE: Final = (SeatKind.PLAYER, SeatKind.RESERVED)
"""Kinds of seats that people hold."""

CLOSED: Final = TableClosed.__name__
"""The kind of a table's last event: no node serves it any more."""

ELSEWHERE: Final = "a table does not stand where its step follows"
"""Of a batch; ``ends_with`` says where the table of a step alone stands."""


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
    write_events(connection, batch)
    for append in batch:
        _change_row(connection, append)
    _insert(connection, seats, _seats(batch), "(table_id, seat)")
    _insert(connection, players, _players(batch), "(folded, table_id)")
    for append in batch:
        if append.tickets or append.revoked or append.turned:
            _replace_tickets(connection, append)
        if append.acts:
            _note(connection, append)
        if append.seen or append.notices:
            _notice(connection, append)
        for result in append.results:
            _keep_result(connection, result)


def write_events(connection: Connection, batch: Sequence[Append]) -> None:
    """Store the tables that steps open, and their events: all there is of plain steps. Errors as of ``write``."""
    spans = _spans(batch)
    try:
        _insert(connection, tables, _opened(batch))
        _append(connection, spans, _rows(batch))
    except IntegrityError as error:
        raise _conflict(error, spans) from error


def is_plain(batch: Sequence[Append]) -> bool:
    """True if these steps store events and nothing else, as those of moves do: one statement on PostgreSQL."""
    return all(map(_has_events_only, batch))


def _has_events_only(append: Append) -> bool:
    if append.opened is not None or append.status is not None or append.seats or append.tickets or append.revoked:
        return False
    if append.turned or append.acts or append.seen or append.notices or append.results:
        return False
    return bool(append.rows) and append.rows[-1].kind != CLOSED


def ends_with(connection: Connection, append: Append) -> bool:
    """True if this very step is the last that its table was given, under the same epoch.

    Conflict: the table stands elsewhere than the step follows.
    """
    if append.table is None:
        return False
    stands = select(tables.c.epoch, tables.c.last_seq, events.c.digest).where(tables.c.id == append.table)
    last = (events.c.table_id == tables.c.id) & (events.c.seq == tables.c.last_seq)
    found = connection.execute(stands.select_from(tables.outerjoin(events, last))).first()
    if found is not None and append.rows:
        final = append.rows[-1]
        if tuple(found) == (append.epoch, final.seq, final.digest):
            return True
    if append.opened is None:
        _require_place(append, found)
    return False


def _require_place(append: Append, found: Any) -> None:
    if found is None:
        raise Conflict(f"table {append.table} does not exist")
    if (found.epoch, found.last_seq) != (append.epoch, append.after):
        stands = f"table {append.table} stands at event {found.last_seq} of epoch {found.epoch}"
        raise Conflict(f"{stands}, not at {append.after} of {append.epoch}")


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


def _append(connection: Connection, spans: dict[int, Span], rows: Sequence[Any]) -> None:
    """Move every table from ``was`` to ``becomes``, and store the rows of events.

    Conflict unless all tables stood there under their epoch. On PostgreSQL their rows stay locked until the commit: a
    claim waits, and then raises the epoch.
    """
    steps = [number for span in spans.values() for number in span]
    if connection.dialect.name != "postgresql":
        moved = _execute(connection, steps, len(Span._fields), _advance_text)
        if moved != len(spans):
            raise Conflict(ELSEWHERE)
        _execute(connection, rows, len(events.columns), _events_text)
    elif spans:
        columns = (*_span_arrays(steps), *_event_arrays(connection, rows), len(spans))
        try:
            connection.exec_driver_sql(_BOTH_BY_ARRAYS, columns)
        except DataError as error:
            if getattr(error.orig, "sqlstate", None) != DIVIDED_BY_ZERO:
                raise
            raise Conflict(ELSEWHERE) from None


def _span_arrays(flat: Sequence[int]) -> tuple[Array, ...]:
    number, *three = _columns(flat, len(Span._fields))
    return bigints(number), *map(integers, three)


def _event_arrays(connection: Connection, flat: Sequence[Any]) -> tuple[Array, ...]:
    """The columns of ``events``, its texts in the encoding of the session."""
    driver: Any = connection.connection.driver_connection
    coded = methodcaller("encode", driver.info.encoding)
    number, seq, at, kind, body, digest, served = _columns(flat, len(events.columns))
    said = (texts([*map(coded, column)]) for column in (kind, body))
    return bigints(number), integers(seq), doubles(at), *said, byte_strings(digest), bigints(served)


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


def _rows(batch: Sequence[Append]) -> list[Any]:
    flat: list[Any] = []
    for append in batch:
        table = append.table
        for row in append.rows:
            flat += (table, row.seq, row.at, row.kind, row.body, row.digest, row.served)
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
    freed = {*append.revoked, *(row.seat for row in append.tickets)} - {USED}
    if freed and append.opened is None:
        connection.execute(delete(tickets).where(tickets.c.table_id == append.table, tickets.c.seat.in_(freed)))
    flat: list[object] = [column for row in append.tickets for column in (row.table, row.digest, row.seat)]
    _insert(connection, tickets, flat, "(table_id, digest)")
    if append.turned:
        of_table = (tickets.c.table_id == append.table) & (tickets.c.seat != USED)
        turned = (tickets.c.seat + append.turned) % len(append.seats)
        connection.execute(update(tickets).where(of_table).values(seat=turned))


def _note(connection: Connection, append: Append) -> None:
    """A table's step is in its own way when it is handed in again, acts and all; one that is but acts has to look."""
    note = acts.note if append.table is not None else acts.note_once
    for act in append.acts:
        note(connection, act)


def _notice(connection: Connection, append: Append) -> None:
    """The seats' older notices are out of date; then the new ones, which stand behind the step's last event."""
    last = append.rows[-1]
    if append.seen:
        of_seats = (notices.c.table_id == append.table) & notices.c.seat.in_(append.seen)
        connection.execute(update(notices).where(of_seats, notices.c.seen_at.is_(None)).values(seen_at=last.at))
    for notice in append.notices:
        place = {"table_id": append.table, "seq": last.seq, "seat": notice.seat}
        connection.execute(insert(notices).values(**place, kind=notice.kind, at=last.at))


def _keep_result(connection: Connection, result: Result) -> None:
    """To PostgreSQL the game and its players go in one statement, which saves a round trip."""
    row, found = results.columns(result), results.players_of(result)
    flat = tuple(column for player in found for column in (player, result.table, result.number))
    mark = _mark(connection)
    first, second = _insert_text(result_rows, 1, mark, ""), _insert_text(result_players, len(found), mark, "")
    if not found:
        connection.exec_driver_sql(first, row)
    elif connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"WITH ended AS ({first}) {second}", (*row, *flat))
    else:
        connection.exec_driver_sql(first, row)
        connection.exec_driver_sql(second, flat)


def _execute(connection: Connection, flat: Sequence[object], width: int, text: Callable[[int, str], str]) -> int:
    """Run a statement on rows given as one flat list; the number of rows that it changed."""
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


def _columns(flat: Sequence[Any], width: int) -> tuple[Sequence[Any], ...]:
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
    """A function that makes rows of arrays."""
    return f"unnest({', '.join(f'%b::{name}[]' for name in types)})"


_STEPS: Final = f"{_arrays('bigint', 'integer', 'integer', 'integer')} AS step (column1, column2, column3, column4)"
_EVENTS: Final = (
    f"INSERT INTO events ({', '.join(column.name for column in events.columns)})"
    f" SELECT * FROM {_arrays('bigint', 'integer', 'double precision', 'text', 'text', 'bytea', 'bigint')}"
)
_BOTH_BY_ARRAYS: Final = (
    f"WITH moved AS ({_advancing(_STEPS)} RETURNING 1), stored AS ({_EVENTS})"
    " SELECT 1 / (count(*) = %b)::integer FROM moved"
)
"""Divides by zero, and changes nothing, unless all tables were moved."""
