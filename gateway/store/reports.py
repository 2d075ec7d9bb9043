"""Reports in a database: what players tell the host of a table or another player.

Making and closing one are acts (acts.py), noted in the same transaction. Everything here blocks.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Select, func, insert, select, update

from gateway.store import acts
from gateway.store.engine import ReadsAndWrites
from gateway.store.schema import reports

MOST_OPEN: Final = 2000
"""Reports that may wait for the host: more are a flood, and nobody reads them."""

SHOWN: Final = 100
"""Reports of one page."""


@dataclass(frozen=True, slots=True)
class Report:
    """``by`` is an account or a guest with its address; ``table`` None and ``player`` "" where it is not about one.

    ``at`` and ``closed_at`` are Unix time in seconds; the latter None while it waits for the host.
    """

    at: float
    by: str
    address: str
    table: int | None
    player: str
    text: str
    closed_at: float | None = None
    id: int = 0


class Reports(ReadsAndWrites):
    """Reports over SQLite or PostgreSQL."""

    def add(self, report: Report) -> bool:
        """Keep a report for the host; False and nothing kept: MOST_OPEN wait already."""
        about = {"table_id": report.table, "player": report.player, "text": report.text}
        row = {"at": report.at, "by": report.by, "address": report.address, **about}
        with self._writing.begin() as connection:
            if connection.execute(_count()).scalar_one() >= MOST_OPEN:
                return False
            number = connection.execute(insert(reports).values(**row).returning(reports.c.id)).scalar_one()
            told = {"player": report.player or None, "table": report.table}
            acts.note(connection, acts.made(report.at, report.by, "report.made", f"report {number}", **told))
        return True

    def waiting(self) -> list[Report]:
        """The reports that wait, the newest first, at most SHOWN."""
        columns = (reports.c.at, reports.c.by, reports.c.address, reports.c.table_id, reports.c.player, reports.c.text)
        wanted = select(*columns, reports.c.closed_at, reports.c.id).where(reports.c.closed_at.is_(None))
        with self._reading.connect() as connection:
            return [Report(*row) for row in connection.execute(wanted.order_by(reports.c.id.desc()).limit(SHOWN))]

    def count(self) -> int:
        """The number of reports that wait."""
        with self._reading.connect() as connection:
            return int(connection.execute(_count()).scalar_one())

    def close_report(self, number: int, by: str) -> bool:
        """The host has read it; False: it does not wait."""
        now = time.time()
        waits = (reports.c.id == number) & reports.c.closed_at.is_(None)
        with self._writing.begin() as connection:
            if connection.execute(update(reports).where(waits).values(closed_at=now)).rowcount != 1:
                return False
            acts.note(connection, acts.made(now, by, "report.closed", f"report {number}"))
        return True


def _count() -> Select[Any]:
    return select(func.count()).select_from(reports).where(reports.c.closed_at.is_(None))
