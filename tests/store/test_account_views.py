"""The host's view of accounts: a bounded list with a search, and one account with all but its secrets."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial

import pytest
from sqlalchemy import insert

from gateway.store.account_views import NEWEST, AccountViews
from gateway.store.accounts import SqlAccounts
from gateway.store.mail import Letters
from gateway.store.reports import Report, Reports
from gateway.store.schema import accounts as account_rows
from gateway.store.sessions import Sessions, begun
from gateway.store.tokens import FOREVER, Token
from tests.store.conftest import connected

NOW = time.time()
SOON_S = 0.25
"""Seconds for a query that is to take some milliseconds, on a machine that does other things."""


@pytest.fixture
def accounts(url: str) -> Iterator[SqlAccounts]:
    with closing(SqlAccounts(url)) as made:
        yield made


@pytest.fixture
def views(url: str) -> Iterator[AccountViews]:
    with closing(AccountViews(url)) as made:
        yield made


def took_s(query: Callable[[], object]) -> float:
    """The seconds of the fastest of some tries: others run on the same machine."""
    times = []
    for _ in range(5):
        begun_at = time.perf_counter()
        query()
        times.append(time.perf_counter() - begun_at)
    return min(times)


def names(views: AccountViews, part: str = "", after: str = "", most: int = 10) -> tuple[list[str], bool]:
    lines, more = views.page(part, after, most, NOW)
    return [line.name for line in lines], more


def test_accounts_are_listed_by_name_in_pages(accounts: SqlAccounts, views: AccountViews) -> None:
    for name in ("Carl", "anna", "Bert"):
        accounts.add(name, "hash", "root")
    assert names(views) == (["anna", "Bert", "Carl"], False)
    assert names(views, most=2) == (["anna", "Bert"], True)
    assert names(views, after="BERT", most=2) == (["Carl"], False)
    assert names(views, after="zoe") == ([], False)


@pytest.mark.parametrize(("part", "found"), [("NN", ["Anna"]), ("n_a", []), ("_", ["b_n"]), ("%", []), ("x", [])])
def test_a_part_of_a_name_is_taken_as_it_is_typed(
    accounts: SqlAccounts, views: AccountViews, part: str, found: list[str]
) -> None:
    for name in ("Anna", "b_n"):
        accounts.add(name, "hash", "root")
    assert names(views, part) == (found, False)


def test_a_line_says_what_is_known_at_once(url: str, accounts: SqlAccounts, views: AccountViews) -> None:
    for name in ("anna", "bot", "old"):
        accounts.add(name, "hash", "root")
    accounts.set_bot("bot", True, "root")
    accounts.set_disabled("old", True, "root")
    accounts.add_token(Token(b"1", "bot", NOW, FOREVER, "laptop", used_at=None))
    accounts.add_token(Token(b"2", "bot", NOW, NOW + 9))
    accounts.add_token(Token(b"3", "anna", NOW - 9, NOW - 1))
    accounts.token_used(b"1", NOW - 100)
    with closing(Sessions(url)) as sessions:
        sessions.add(b"s", begun("account", "anna", NOW - 50))
        sessions.add(b"h", begun("host", "bot", NOW - 10))
    lines = views.page("", "", 10, NOW).lines
    assert [(line.state, line.tokens, line.seen_at) for line in lines] == [
        ("", 0, NOW - 50),
        ("program", 2, NOW - 100),
        ("disabled", 0, None),
    ]


def test_one_account_is_shown_with_all_but_its_secrets(url: str, accounts: SqlAccounts, views: AccountViews) -> None:
    accounts.add("Anna", "the hash of a password", "root")
    accounts.add("Bert", "hash", "root")
    accounts.add_token(Token(b"t", "anna", NOW, FOREVER, "laptop"), "Anna")
    with closing(Sessions(url)) as sessions, closing(Reports(url)) as reports, closing(Letters(url)) as letters:
        sessions.add(b"s", begun("account", "Anna", NOW))
        reports.add(Report(NOW, "Bert", "192.0.2.1", 7, "anna", "rude"))
        reports.add(Report(NOW, "Anna", "192.0.2.1", None, "Bert", "slow"))
        found = views.of("aNNA", NOW)
        assert found is not None
        assert (found.mail, found.address) == ("", "")
        letters.want("anna", "anna@example.org", NOW, NOW + 60)
        waits = views.of("anna", NOW)
        late = views.of("anna", NOW + 61)
    assert waits is not None
    assert late is not None
    assert [(each.mail, each.address) for each in (waits, late)] == [("waits", "anna@example.org"), ("", "")]
    assert (found.line.name, found.tables, found.rated) == ("Anna", 0, 0)
    assert [session.used_at for session in found.sessions] == [NOW]
    assert [token.label for token in found.tokens] == ["laptop"]
    assert [report.text for report in found.reports] == ["rude"]
    assert [act.act for act in found.acts] == ["account.token", "account.added"]
    assert "hash" not in repr(found)
    assert views.of("nobody", NOW) is None


def test_of_many_acts_the_newest_are_told(accounts: SqlAccounts, views: AccountViews) -> None:
    accounts.add("anna", "hash", "root")
    for _ in range(NEWEST):
        accounts.revoke("anna", "root")
    found = views.of("anna", NOW)
    assert found is not None
    assert [act.act for act in found.acts] == ["account.revoked"] * NEWEST


def test_a_hundred_thousand_accounts_are_searched_at_once(url: str, accounts: SqlAccounts, views: AccountViews) -> None:
    rows = [
        {"folded": f"player {n}", "name": f"Player {n}", "password_hash": "hash" * 24, "created_at": NOW}
        for n in range(100_000)
    ]
    with connected(url) as connection:
        connection.execute(insert(account_rows), rows)
        connection.commit()
    accounts.add("Zoe", "hash", "root")
    for part, most in (("", 50), ("99999", 1), ("nobody", 0), ("zoe", 1)):
        assert len(views.page(part, "", 50, NOW).lines) == most, part
        assert took_s(partial(views.page, part, "", 50, NOW)) < SOON_S, part
    assert took_s(partial(views.of, "player 5", NOW)) < SOON_S
