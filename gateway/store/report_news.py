"""News of reports for the host: rows that wait for the mail server, or for the host's webhook, one for each report.

They stand among the messages that wait for the mail server, under the name "", which no account has. Those of one way
that are due are read as one message. Everything here blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, select, update

from gateway.store.mail import HOST
from gateway.store.reports import NewsWay, Report
from gateway.store.schema import mail_deliveries, reports
from gateway.store.waiting import Queued, Waits

AT_ONCE: Final = 50
"""Reports of one message."""

MOST_COUNTED: Final = 6
"""Tries that are counted: from here on each waits as long as the one before, and only time gives it up."""


@dataclass(frozen=True, slots=True)
class ReportNews:
    """One message about ``reports``, the oldest first: those of ``numbers`` that are not closed by now."""

    way: NewsWay
    numbers: tuple[int, ...]
    reports: tuple[Report, ...]
    tries: int
    due_at: float
    until: float

    @property
    def key(self) -> Mapping[str, object]:
        return {"kind": self.way, "table_id": self.numbers}

    @property
    def seen(self) -> bool:
        """True if there is nothing to tell any more."""
        return not self.reports


class NewsOfReports(Queued):
    """Such rows over SQLite or PostgreSQL."""

    waiting = mail_deliveries

    def due(self, way: NewsWay, now: float) -> list[ReportNews]:
        """All that is due this way as one message; none: nothing is."""
        columns = mail_deliveries.c
        rows = select(columns.table_id, columns.tries, columns.due_at, columns.until)
        rows = rows.where(columns.folded == HOST, columns.kind == way, columns.due_at <= now)
        with self._reading.connect() as connection:
            found = connection.execute(rows.order_by(columns.table_id).limit(AT_ONCE)).all()
            if not found:
                return []
            numbers = tuple(row.table_id for row in found)
            of = reports.c
            told = (of.at, of.by, of.address, of.table_id, of.player, of.text, of.closed_at, of.id)
            wanted = select(*told).where(of.id.in_(numbers), of.closed_at.is_(None)).order_by(of.id)
            waiting = tuple(Report(*row) for row in connection.execute(wanted))
        tries, due_at = min(row.tries for row in found), max(row.due_at for row in found)
        return [ReportNews(way, numbers, waiting, tries, due_at, max(row.until for row in found))]

    def claim(self, message: Waits, again_at: float) -> bool:
        """True if the caller is the one that sends all of it now."""
        columns = self.waiting.c
        wanted = update(self.waiting).where(*self._is(message), columns.due_at <= message.due_at)
        tries = min(message.tries + 1, MOST_COUNTED)
        with self._writing.begin() as connection:
            claimed = connection.execute(wanted.values(due_at=again_at, tries=tries)).rowcount
            if claimed != len(self._numbers(message)):
                connection.rollback()
                return False
        return True

    def _is(self, message: Waits) -> list[ColumnElement[bool]]:
        columns, kind = self.waiting.c, message.key["kind"]
        return [columns.folded == HOST, columns.kind == kind, columns.table_id.in_(self._numbers(message))]

    @staticmethod
    def _numbers(message: Waits) -> tuple[int, ...]:
        numbers = message.key["table_id"]
        assert isinstance(numbers, tuple)
        return numbers

    def tidy(self, now: float) -> None:
        """Give up what could not be sent in time."""
        with self._writing.begin() as connection:
            self.give_up(connection, now)
