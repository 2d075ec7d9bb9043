"""News of reports for the host waits in the database until it is sent, on every database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace

import pytest

from gateway.store.mail import Letters
from gateway.store.report_news import MOST_COUNTED, NewsOfReports
from gateway.store.reports import BY_MAIL, BY_WEBHOOK, LASTS_S, Report, Reports
from tests.store.conftest import at_once

NOW = 100.0
ABOUT_EVE = Report(NOW, "anna", "192.0.2.1", 12, "Eve", "says bad things")
SLOW = Report(NOW + 1, "a guest", "192.0.2.2", None, "", "the server is slow")


@dataclass
class Kept:
    reports: Reports
    news: NewsOfReports


@pytest.fixture
def kept(url: str) -> Iterator[Kept]:
    with closing(Reports(url)) as reports, closing(NewsOfReports(url)) as news:
        yield Kept(reports, news)


def test_reports_that_are_due_are_one_message_for_each_way(kept: Kept) -> None:
    kept.reports.add(ABOUT_EVE, (BY_MAIL, BY_WEBHOOK))
    kept.reports.add(SLOW, (BY_MAIL,))
    kept.reports.add(SLOW)
    (mail,), (hook,) = kept.news.due(BY_MAIL, NOW + 1), kept.news.due(BY_WEBHOOK, NOW + 1)
    assert [(report.by, report.text) for report in mail.reports] == [
        ("anna", "says bad things"),
        ("a guest", "the server is slow"),
    ]
    assert (mail.tries, mail.until, hook.numbers) == (0, NOW + 1 + LASTS_S, mail.numbers[:1])
    assert kept.news.due(BY_MAIL, NOW - 1) == []


def test_one_of_two_nodes_sends_and_what_was_sent_is_forgotten(kept: Kept, url: str) -> None:
    kept.reports.add(ABOUT_EVE, (BY_MAIL, BY_WEBHOOK))
    kept.reports.add(SLOW, (BY_MAIL,))
    (mail,) = kept.news.due(BY_MAIL, NOW + 1)
    won = at_once(lambda: closing(NewsOfReports(url)), lambda node: node.claim(mail, NOW + 60))
    assert sum(won) == 1
    assert kept.news.due(BY_MAIL, NOW + 59) == []
    (again,) = kept.news.due(BY_MAIL, NOW + 60)
    assert again.tries == 1
    kept.news.done(again)
    assert kept.news.due(BY_MAIL, NOW + 1000) == []
    assert len(kept.news.due(BY_WEBHOOK, NOW + 1000)) == 1


def test_a_message_of_which_another_has_a_part_is_not_claimed(kept: Kept) -> None:
    kept.reports.add(ABOUT_EVE, (BY_MAIL,))
    (first,) = kept.news.due(BY_MAIL, NOW + 1)
    kept.reports.add(SLOW, (BY_MAIL,))
    (both,) = kept.news.due(BY_MAIL, NOW + 1)
    assert kept.news.claim(first, NOW + 60)
    assert not kept.news.claim(both, NOW + 60)
    (slow,) = kept.news.due(BY_MAIL, NOW + 2)
    assert (slow.numbers, slow.tries) == (both.numbers[1:], 0)


def test_a_message_is_tried_until_its_time_is_over(kept: Kept) -> None:
    kept.reports.add(ABOUT_EVE, (BY_WEBHOOK,))
    for round_ in range(2 * MOST_COUNTED):
        (news,) = kept.news.due(BY_WEBHOOK, NOW + round_)
        assert news.tries == min(round_, MOST_COUNTED)
        assert kept.news.claim(news, NOW + 90)
        kept.news.put_off(news, NOW + round_ + 1)
    kept.news.tidy(NOW + LASTS_S - 1)
    assert len(kept.news.due(BY_WEBHOOK, NOW + LASTS_S)) == 1
    kept.news.tidy(NOW + LASTS_S)
    assert kept.news.due(BY_WEBHOOK, NOW + LASTS_S) == []


def test_a_report_that_the_host_has_closed_is_not_told(kept: Kept) -> None:
    kept.reports.add(ABOUT_EVE, (BY_MAIL,))
    kept.reports.add(SLOW, (BY_MAIL,))
    (news,) = kept.news.due(BY_MAIL, NOW + 1)
    kept.reports.close_report(news.reports[0].id, "host token")
    (left,) = kept.news.due(BY_MAIL, NOW + 1)
    assert ([report.text for report in left.reports], left.numbers, left.seen) == ([SLOW.text], news.numbers, False)
    kept.reports.close_report(news.reports[1].id, "host token")
    (none,) = kept.news.due(BY_MAIL, NOW + 1)
    assert none.seen


def test_messages_to_people_and_to_the_host_do_not_meet(kept: Kept, url: str) -> None:
    kept.reports.add(ABOUT_EVE, (BY_MAIL, BY_WEBHOOK))
    with closing(Letters(url)) as letters:
        letters.ask("anna", NOW, NOW + 900)
        (letter,) = letters.due(NOW + 1)
        assert letter.folded == "anna"
        (news,) = kept.news.due(BY_MAIL, NOW + 1)
        kept.news.done(news)
        assert letters.due(NOW + 1) == [letter]


def test_the_oldest_report_that_waits_is_known(kept: Kept) -> None:
    assert (kept.reports.open().count, kept.reports.open().oldest_at) == (0, 0.0)
    kept.reports.add(replace(SLOW, at=NOW + 5))
    kept.reports.add(ABOUT_EVE)
    assert (kept.reports.open().count, kept.reports.open().oldest_at) == (2, NOW)
    kept.reports.close_report(kept.reports.waiting()[0].id, "host token")
    assert (kept.reports.open().count, kept.reports.open().oldest_at) == (1, NOW + 5)
