"""Deletes old finished tables: whole, with everything that belongs to them, in small transactions.

The table of the highest id is never deleted, so that ids are counted on from it and none is ever used again; nor is one
that is not over, nor one that may still run on some server, for its players may begin another game: its record does not
end with TableClosed then, and its node is a living one in a cluster. A server that was killed has closed nothing, so
what is LEFT_S old goes without it. Every other record stays whole, for each is a chain of its own. One act is noted for
all that goes (acts.py), in the first of the transactions. Everything here blocks.
"""

from __future__ import annotations

import time
from collections.abc import Container
from itertools import accumulate
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, delete, exists, func, or_, select

from gateway.store import acts
from gateway.store.batch import CLOSED
from gateway.store.engine import ReadsAndWrites
from gateway.store.schema import (
    OVER,
    analyses,
    events,
    guest_seats,
    nodes,
    notices,
    players,
    scores,
    seats,
    shares,
    tables,
    tickets,
)

STEP_TABLES: Final = 50
STEP_EVENTS: Final = 2000
"""Rows a transaction may delete: it keeps every move of the server waiting, some 4 ms on SQLite."""

LEFT_S: Final = 30 * 86_400.0
"""Seconds after the last event of a table that was never closed: no players sit there so long without a word."""

OBJECT: Final = "finished games"
"""The act's object: no list of ids, because the tables are gone."""


class Old(NamedTuple):
    """Number of old tables, and of their events."""

    tables: int
    events: int


class Plan(NamedTuple):
    """One run: tables ``below`` an id, so many ``games`` of them; ``left`` are those spared."""

    below: int
    games: int
    left: frozenset[int]


class Pruning(ReadsAndWrites):
    """Goes through the record once, in order of ids; ``before`` is Unix time: older is whose last event is earlier.

    ``by`` is whose doing it is. The log of acts gets one row, with the first that go: its rows are never changed, and
    one written at the end would be missing after a crash. So what there is to delete is settled at the first step;
    what becomes free later waits for another time.
    """

    def __init__(self, url: str, before: float, by: str) -> None:
        super().__init__(url)
        self._before = before
        self._left_before = time.time() - LEFT_S
        self._by = by
        self._after = 0
        self._plan: Plan | None = None
        self._noted = False

    def old(self) -> Old:
        """The tables to delete, from the last one on."""
        found = self._old().subquery()
        with self._reading.connect() as connection:
            count, rows = connection.execute(select(func.count(), func.sum(found.c.last_seq)).select_from(found)).one()
        return Old(count, rows or 0)

    def step(self, spared: Container[int] = ()) -> int | None:
        """Delete the next tables, all or none of them, but for those ``spared``; how many. None: there are no more."""
        plan = self._plan = self._plan or self._planned(spared)
        wanted = self._old().where(tables.c.id < plan.below).order_by(tables.c.id).limit(STEP_TABLES)
        with self._reading.connect() as connection:
            found = connection.execute(wanted).all()
        if not found:
            return None
        few = sum(total <= STEP_EVENTS for total in accumulate(row.last_seq for row in found))
        found = found[: max(1, few)]
        gone = self._delete([row.id for row in found if row.id not in spared and row.id not in plan.left], plan)
        self._after = found[-1].id
        return gone

    def _planned(self, spared: Container[int]) -> Plan:
        games, left = 0, set[int]()
        with self._reading.connect() as connection:
            below = connection.execute(select(func.max(tables.c.id))).scalar() or 0
            for table in connection.execute(self._old().where(tables.c.id < below)).scalars():
                if table in spared:
                    left.add(table)
                else:
                    games += 1
        return Plan(below, games, frozenset(left))

    def _old(self) -> Select[Any]:
        last = (events.c.table_id == tables.c.id) & (events.c.seq == tables.c.last_seq)
        last_at = func.coalesce(events.c.at, tables.c.opened_at)
        return (
            select(tables.c.id, tables.c.last_seq)
            .select_from(tables.outerjoin(events, last))
            .where(tables.c.status == OVER, tables.c.id > self._after, tables.c.opened_at < self._before)
            .where(last_at < self._before, or_(events.c.kind == CLOSED, last_at < self._left_before))
            .where(tables.c.id < select(func.max(tables.c.id)).scalar_subquery())
            .where(~exists().where(nodes.c.id == tables.c.node, nodes.c.buried.is_(False)))
        )

    def _delete(self, ids: list[int], plan: Plan) -> int:
        """The tables, of these, that are still over: a rematch may have begun at one. Their rows are held meanwhile."""
        over = select(tables.c.id).where(tables.c.id.in_(ids), tables.c.status == OVER).with_for_update()
        with self._writing.begin() as connection:
            ids = list(connection.execute(over).scalars())
            for belonging in (events, seats, tickets, players, analyses, notices, guest_seats, shares, scores):
                connection.execute(delete(belonging).where(belonging.c.table_id.in_(ids)))
            connection.execute(delete(tables).where(tables.c.id.in_(ids)))
            if ids and not self._noted:
                told = {"games": plan.games, "before_at": self._before}
                acts.note(connection, acts.made(time.time(), self._by, "games.deleted", OBJECT, **told))
        self._noted = self._noted or bool(ids)
        return len(ids)
