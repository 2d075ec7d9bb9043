"""An account that an intruder has got into loses some things by a reset, and keeps others."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import insert, select

from gateway.store.account_views import AccountViews
from gateway.store.accounts import Accounts, NoAccount, NoLink, SqlAccounts
from gateway.store.mail import Letters
from gateway.store.schema import push_subscriptions, webhooks
from gateway.store.sessions import Preferences, Sessions, begun
from gateway.store.tokens import FOREVER, Token
from tests.store.accounts_memory import MemoryAccounts
from tests.store.conftest import DATABASES, EACH, connected

NOW = time.time()


@pytest.fixture(params=["memory", *EACH])
def either(request: pytest.FixtureRequest) -> Iterator[Accounts]:
    """Every kind of accounts there is."""
    if request.param == "memory":
        yield MemoryAccounts()
        return
    with DATABASES[request.param](request) as url, closing(SqlAccounts(url)) as made:
        yield made


def test_a_reset_takes_password_tokens_and_links_and_is_written_down(either: Accounts) -> None:
    either.add("Anna", "old", "root")
    either.add_token(Token(b"t", "anna", NOW, FOREVER, "laptop"))
    either.add_link(b"l", "anna", "mail", NOW, NOW + 60)
    assert either.reset("aNNA", "new", "carl") == "Anna"
    found = either.find("anna")
    assert found is not None
    assert found.password_hash == "new"
    assert either.token(b"t", NOW) is None
    with pytest.raises(NoLink):
        either.use_link(b"l", "stolen", NOW)
    assert [(change.name, change.change, change.by) for change in either.changes()][-1] == ("Anna", "reset", "carl")
    with pytest.raises(NoAccount, match="'bert'"):
        either.reset("bert", "new", "carl")


def test_a_disabled_account_that_is_reset_stays_disabled(either: Accounts) -> None:
    either.add("anna", "old", "root")
    either.set_disabled("anna", True, "root")
    either.reset("anna", "new", "root")
    found = either.find("anna")
    assert found is not None
    assert found.disabled_at is not None


def test_ended_sessions_leave_password_and_tokens(either: Accounts) -> None:
    either.add("Anna", "hash", "root")
    either.add_token(Token(b"t", "anna", NOW, FOREVER, "laptop"))
    either.end_sessions("anna", "carl")
    assert either.token(b"t", NOW) is not None
    last = either.changes()[-1]
    assert (last.name, last.change, last.by) == ("Anna", "sessions_ended", "carl")
    with pytest.raises(NoAccount):
        either.end_sessions("bert", "carl")


def test_a_reset_takes_sessions_addresses_and_what_is_told_there(url: str) -> None:
    """Whoever was in may have set a mail address, a browser or a program to be told."""
    with (
        closing(SqlAccounts(url)) as accounts,
        closing(Sessions(url)) as sessions,
        closing(Letters(url)) as letters,
        closing(AccountViews(url)) as views,
    ):
        for name in ("anna", "bert"):
            accounts.add(name, "hash", "root")
            sessions.add(name.encode(), begun("account", name, NOW))
            letters.want(name, f"{name}@example.org", NOW, NOW + 60)
            _is_told(url, name)
        sessions.prefer("anna", Preferences(theme="dark"))
        accounts.reset("anna", "new", "root")
        assert sessions.find(b"anna", NOW) is None
        assert sessions.find(b"bert", NOW) is not None
        assert sessions.preferences("anna").theme == "dark"
        assert {letter.folded for letter in letters.due(NOW + 1)} == {"bert"}
        assert [view.mail for name in ("anna", "bert") if (view := views.of(name, NOW)) is not None] == ["", "waits"]
    with connected(url) as connection:
        for table in (push_subscriptions, webhooks):
            assert list(connection.execute(select(table.c.folded)).scalars()) == ["bert"]


def test_ended_sessions_are_all_of_the_account_and_no_hosts(url: str) -> None:
    with closing(SqlAccounts(url)) as accounts, closing(Sessions(url)) as sessions:
        accounts.add("anna", "hash", "root")
        accounts.add("bert", "hash", "root")
        for digest, name in ((b"1", "anna"), (b"2", "anna"), (b"3", "bert")):
            sessions.add(digest, begun("account", name, NOW))
        sessions.add(b"4", begun("host", "anna", NOW))
        accounts.end_sessions("ANNA", "root")
        assert [sessions.find(digest, NOW) is None for digest in (b"1", b"2", b"3", b"4")] == [True, True, False, False]


def _is_told(url: str, name: str) -> None:
    """A browser and a program are told of the turns of this account."""
    browser = {"digest": name.encode(), "endpoint": "https://push.example", "key": b"k", "auth": b"a"}
    program = {"folded": name, "address": "https://bot.example", "secret": b"s"}
    columns = {column.name for column in webhooks.columns}
    filled = {column: b"x" if column == "digest" else 0 for column in columns if column not in program}
    with connected(url) as connection:
        connection.execute(insert(push_subscriptions).values(**browser, folded=name, created_at=NOW))
        connection.execute(insert(webhooks).values(**filled | program))
        connection.commit()
