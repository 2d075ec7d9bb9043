"""Reports for the host, on every database."""

from __future__ import annotations

from contextlib import closing

import pytest

from gateway.store import reports
from gateway.store.acts import ActLog
from gateway.store.reports import Report, Reports

ABOUT_EVE = Report(100.0, "anna", "192.0.2.1", 12, "Eve", "says <b>bad</b> things")


def test_a_report_waits_for_the_host_until_it_is_closed(url: str) -> None:
    with closing(Reports(url)) as kept:
        assert kept.add(ABOUT_EVE)
        assert kept.add(Report(101.0, "guest-2", "192.0.2.2", None, "", "the server is slow"))
        newest, oldest = kept.waiting()
        assert (newest.text, newest.table) == ("the server is slow", None)
        assert oldest == Report(100.0, "anna", "192.0.2.1", 12, "Eve", "says <b>bad</b> things", None, oldest.id)
        assert kept.close_report(oldest.id, "host token")
        assert not kept.close_report(oldest.id, "host token")
        assert not kept.close_report(999, "host token")
        assert [report.id for report in kept.waiting()] == [newest.id]
        assert kept.count() == 1


def test_making_and_closing_a_report_are_acts(url: str) -> None:
    with closing(Reports(url)) as kept, closing(ActLog(url)) as log:
        kept.add(ABOUT_EVE)
        kept.close_report(kept.waiting()[0].id, "host token")
        made, closed = log.acts("report")
        assert (made.at, made.by, made.act, made.detail) == (
            100.0,
            "anna",
            "report.made",
            '{"player":"Eve","table":12}',
        )
        assert (closed.by, closed.act, closed.object) == ("host token", "report.closed", made.object)


def test_a_flood_of_reports_is_not_kept(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "MOST_OPEN", 1)
    with closing(Reports(url)) as kept:
        assert kept.add(ABOUT_EVE)
        assert not kept.add(ABOUT_EVE)
        assert kept.count() == 1
