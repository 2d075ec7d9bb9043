"""Sessions of browsers and preferences, on every database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from gateway.store.accounts import SqlAccounts
from gateway.store.sessions import LASTS_S, LONGEST_S, MOST_SESSIONS, USED_S, Preferences, Sessions, begun


@pytest.fixture
def sessions(url: str) -> Iterator[Sessions]:
    with closing(Sessions(url)) as made:
        yield made


def test_a_session_is_found_by_its_cookie_until_it_expires(sessions: Sessions) -> None:
    sessions.add(b"one", begun("guest", "Anna", 100.0))
    found = sessions.find(b"one", 101.0)
    assert found == begun("guest", "Anna", 100.0)
    assert sessions.find(b"two", 101.0) is None
    assert sessions.find(b"one", 100.0 + LASTS_S["guest"]) is None


def test_using_a_session_prolongs_it_up_to_a_limit(sessions: Sessions) -> None:
    sessions.add(b"one", begun("account", "anna", 0.0))
    within = sessions.find(b"one", USED_S - 1)
    assert within is not None
    assert within.used_at == 0.0
    later = sessions.find(b"one", USED_S)
    assert later is not None
    assert (later.used_at, later.expires_at) == (USED_S, USED_S + LASTS_S["account"])
    at = 0.0
    while sessions.find(b"one", at) is not None:
        at += LASTS_S["account"] / 2
    assert at == LONGEST_S["account"]


def test_the_hosts_session_is_short_and_each_use_counts_from_six_minutes_on(sessions: Sessions) -> None:
    sessions.add(b"host", begun("host", "", 0.0))
    used = sessions.find(b"host", 360.0)
    assert used is not None
    assert used.expires_at == 360.0 + 3600.0
    assert sessions.find(b"host", used.expires_at) is None


def test_a_session_ends_when_it_is_ended_and_others_with_it(sessions: Sessions) -> None:
    for number in range(3):
        sessions.add(bytes([number]), begun("account", "Anna", 100.0 + number))
    sessions.add(b"guest", begun("guest", "anna", 100.0))
    sessions.end(bytes([0]))
    assert [session.created_at for session in sessions.of("ANNA", 200.0)] == [102.0, 101.0]
    assert sessions.end_others("anna", bytes([1])) == 1
    assert [session.created_at for session in sessions.of("anna", 200.0)] == [101.0]
    assert sessions.find(b"guest", 200.0) is not None


def test_one_session_too_many_ends_the_one_used_longest_ago_and_expired_ones_go(sessions: Sessions) -> None:
    sessions.add(b"expired", replace(begun("guest", "x", 0.0), expires_at=10.0))
    for number in range(MOST_SESSIONS + 1):
        sessions.add(b"%d" % number, begun("account", "anna", 100.0 + number))
    assert len(sessions.of("anna", 200.0)) == MOST_SESSIONS
    assert sessions.find(b"0", 200.0) is None
    assert sessions.find(b"1", 200.0) is not None
    assert sessions.find(b"expired", 5.0) is None


@pytest.mark.parametrize("change", ["password", "disabled", "revoked", "deleted"])
def test_an_accounts_sessions_end_with_its_password_and_by_the_host(sessions: Sessions, url: str, change: str) -> None:
    with closing(SqlAccounts(url)) as accounts:
        accounts.add("anna", "hash", "root")
        accounts.add("bert", "hash", "root")
        sessions.add(b"annas", begun("account", "Anna", 100.0))
        sessions.add(b"berts", begun("account", "bert", 100.0))
        match change:
            case "password":
                accounts.set_password("ANNA", "new", "anna")
            case "disabled":
                accounts.set_disabled("anna", True, "root")
            case "revoked":
                accounts.revoke("anna", "root")
            case "deleted":
                accounts.delete("anna", "anna")
    assert sessions.find(b"annas", 101.0) is None
    assert sessions.find(b"berts", 101.0) is not None


def test_preferences_are_kept_with_the_account_and_go_with_it(sessions: Sessions, url: str) -> None:
    chosen = Preferences(board="slate", theme="dark", sound=True, confirm=True, animation=False, muted=("eve",))
    assert sessions.preferences("anna") == Preferences()
    sessions.prefer("anna", chosen)
    assert sessions.preferences("anna") == Preferences()
    with closing(SqlAccounts(url)) as accounts:
        accounts.add("Anna", "hash", "root")
        sessions.prefer("anna", Preferences())
        sessions.prefer("ANNA", chosen)
        assert sessions.preferences("Anna") == chosen
        accounts.delete("anna", "anna")
    assert sessions.preferences("anna") == Preferences()
