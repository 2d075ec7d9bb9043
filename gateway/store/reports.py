"""Reports in a database: what players tell the host of a table or another player.

Making and closing one are acts (acts.py), noted in the same transaction; so is what the host is told of it
(report_news.py). Everything here blocks.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from sqlalchemy import Connection, Select, func, insert, select, update

from gateway.store import acts
from gateway.store.engine import ReadsAndWrites
from gateway.store.mail import HOST
from gateway.store.schema import mail_deliveries, reports

NewsWay = Literal["report", "rep-hook"]
"""Ways in which the host is told, by the ``kind`` of their rows: by mail, by webhook."""

BY_MAIL: Final = "report"
BY_WEBHOOK: Final = "rep-hook"

LASTS_S: Final = 3 * 86_400.0
"""Seconds that a report's news waits for its mail server, or webhook: a host comes back from a weekend."""

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


@dataclass(frozen=True, slots=True)
class Open:
    """The number of reports that wait, and when the oldest was made, in Unix time; 0.0 where none waits."""

    count: int
    oldest_at: float


class Reports(ReadsAndWrites):
    """Reports over SQLite or PostgreSQL."""

    def add(self, report: Report, ways: Sequence[NewsWay] = ()) -> bool:
        """Keep a report for the host, who is told in these ways; False and nothing kept: MOST_OPEN wait already."""
        about = {"table_id": report.table, "player": report.player, "text": report.text}
        row = {"at": report.at, "by": report.by, "address": report.address, **about}
        with self._writing.begin() as connection:
            if connection.execute(_count()).scalar_one() >= MOST_OPEN:
                return False
            number = connection.execute(insert(reports).values(**row).returning(reports.c.id)).scalar_one()
            told = {"player": report.player or None, "table": report.table}
            acts.note(connection, acts.made(report.at, report.by, "report.made", f"report {number}", **told))
            _tell(connection, number, ways, report.at)
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

    def open(self) -> Open:
        """The reports that wait, as figures."""
        wanted = select(func.count(), func.min(reports.c.at)).where(reports.c.closed_at.is_(None))
        with self._reading.connect() as connection:
            count, oldest_at = connection.execute(wanted).one()
        return Open(count, oldest_at or 0.0)

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


def _tell(connection: Connection, number: int, ways: Sequence[NewsWay], now: float) -> None:
    same = {"folded": HOST, "table_id": number, "seat": 0, "seq": 0, "made_at": now, "tries": 0, "due_at": now}
    for way in ways:
        connection.execute(insert(mail_deliveries).values(**same, kind=way, until=now + LASTS_S))
