"""Stores tables that ended, or did not, some days ago, with everything a table can have."""

from __future__ import annotations

import time
from queue import SimpleQueue

from sqlalchemy import select

from gateway import registry
from gateway.store import codec
from gateway.store.engine import reader_engine
from gateway.store.log import SqlLog
from gateway.store.records import Append, SeatRow, TableRow, TicketRow
from gateway.store.schema import events, seats, tables, tickets
from protocols.core.events import TableClosed, TableOpened
from protocols.core.model import HouseRules
from tests.store.steps import SECRET, said

DAY_S = 86_400.0
PATIENCE_S = 50.0
"""Seconds that a busy machine may need for some hundred tables."""

OPENED = TableOpened(registry.game("tic_tac_toe").settings(), HouseRules())


def days_ago(days: float) -> float:
    """Unix time."""
    return time.time() - days * DAY_S


def finished(
    table: int,
    days: float,
    *,
    opened: float | None = None,
    status: str = "over",
    length: int = 3,
    closed: bool = False,
    node: int | None = None,
) -> Append:
    """A table of ``length`` events whose last was so many days ago; it was ``opened`` that day, or longer ago.

    ``closed``: its last event says that no player sits there any more. ``node`` serves it.
    """
    at = days_ago(days)
    row = TableRow(table, 1, status, "tic_tac_toe", "standard", SECRET, days_ago(opened or days), node=node)
    happened = [OPENED, *said(*("word" for _ in range(length - 1)))]
    if closed:
        happened[-1] = TableClosed()
    rows = codec.rows(codec.GENESIS, table, 0, at, happened)
    held = (SeatRow(0, 3, "anna"), SeatRow(1, 3, "bert"))
    ticket = TicketRow(table.to_bytes(32, "big"), table, 0)
    return Append(table, 1, 0, rows, opened=row, seats=held, tickets=(ticket,))


def kept(url: str) -> dict[str, set[int]]:
    """The ids of tables of which there is anything, by where it is."""
    engine = reader_engine(url)
    columns = {
        "tables": tables.c.id,
        "events": events.c.table_id,
        "seats": seats.c.table_id,
        "tickets": tickets.c.table_id,
    }
    with engine.connect() as connection:
        found = {name: set(connection.execute(select(column)).scalars()) for name, column in columns.items()}
    engine.dispose()
    return found


def everywhere(*ids: int) -> dict[str, set[int]]:
    """As ``kept``, where these tables are there whole and there is no trace of another."""
    return {name: set(ids) for name in ("tables", "events", "seats", "tickets")}


def put(url: str, *steps: Append) -> None:
    """Into a database that no server has."""
    delivered: SimpleQueue[list[Append]] = SimpleQueue()
    log = SqlLog(url, delivered.put)
    log.submit(*steps)
    answered = 0
    while answered < len(steps):
        answered += len(delivered.get(timeout=PATIENCE_S))
    log.close()
    assert [step.error for step in steps] == [None] * len(steps)
