"""Reads what a proof holds a record against: a table's row, its seats, and what the log of acts says was deleted.

Secrets of dice are in it: it is for the host's commands, not for views.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import Select, func, select

from gateway.store.engine import Reads
from gateway.store.schema import acts, seats, tables

PAGE: Final = 200
"""Tables read in one statement."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The rows of one table as one statement read them; ``seats`` are (kind, name) by seat."""

    table: int
    last_seq: int
    status: str
    game: str
    variant: str
    secret: bytes
    seats: tuple[tuple[int, str], ...]


class _Deleted(msgspec.Struct):
    """The detail of an act "games.deleted"."""

    before_at: float = 0.0


class Proving(Reads):
    """Queries over one database. ``close`` lets its connections go."""

    def count(self) -> int:
        """Number of tables."""
        with self._reading.connect() as connection:
            return connection.execute(select(func.count()).select_from(tables)).scalar_one()

    def kept(self, table: int) -> Kept | None:
        """The rows of one table, None where there is none of this id."""
        with self._reading.connect() as connection:
            found = connection.execute(_with_seats(select(tables).where(tables.c.id == table))).all()
        return next(_gathered(found), None)

    def all(self) -> Iterator[Kept]:
        """The rows of every table in order of ids, read page by page; tables that are opened meanwhile included."""
        after = 0
        while True:
            page = select(tables).where(tables.c.id > after).order_by(tables.c.id).limit(PAGE)
            with self._reading.connect() as connection:
                found = list(_gathered(connection.execute(_with_seats(page)).all()))
            yield from found
            if len(found) < PAGE:
                return
            after = found[-1].table

    def deleted_before(self) -> float:
        """Unix time in seconds: finished games whose last event is older may have been deleted; 0.0: none were."""
        wanted = select(acts.c.detail).where(acts.c.act == "games.deleted")
        with self._reading.connect() as connection:
            details = connection.execute(wanted).scalars().all()
        return max((msgspec.json.decode(detail, type=_Deleted).before_at for detail in details), default=0.0)


def _with_seats(found: Select[Any]) -> Select[Any]:
    """These tables with a row for each seat: one statement, so that a step between two cannot part them."""
    page = found.subquery()
    columns = (page.c.id, page.c.last_seq, page.c.status, page.c.game, page.c.variant, page.c.secret)
    joined = page.outerjoin(seats, seats.c.table_id == page.c.id)
    return (
        select(*columns, seats.c.seat, seats.c.kind, seats.c.name).select_from(joined).order_by(page.c.id, seats.c.seat)
    )


def _gathered(found: Any) -> Iterator[Kept]:
    by_table: dict[int, list[Any]] = {}
    for row in found:
        by_table.setdefault(row.id, []).append(row)
    for table, held in by_table.items():
        first = held[0]
        sat = tuple((row.kind, row.name) for row in held if row.seat is not None)
        yield Kept(table, first.last_seq, first.status, first.game, first.variant, first.secret, sat)
