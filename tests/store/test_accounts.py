"""The database keeps names with one owner each and writes every change down; the store in memory does the same."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Barrier, Thread

import pytest

from gateway.store.accounts import (
    Account,
    Accounts,
    NameOwned,
    NoAccount,
    NoInvitation,
    NoLink,
    SqlAccounts,
)
from gateway.store.tokens import FOREVER, MOST_LOGINS, MOST_NAMED, Token, TokenNamed, TooManyTokens
from tests.store.accounts_memory import MemoryAccounts
from tests.store.conftest import DATABASES, EACH, PATIENCE_S


@pytest.fixture(params=["memory", *EACH])
def accounts(request: pytest.FixtureRequest) -> Iterator[Accounts]:
    """Every kind of accounts there is: they behave alike."""
    if request.param == "memory":
        yield MemoryAccounts()
        return
    with DATABASES[request.param](request) as url:
        made = SqlAccounts(url)
        yield made
        made.close()


def test_an_account_is_found_in_any_letter_case(accounts: Accounts) -> None:
    before = time.time()
    accounts.add("Anna", "hash", "root")
    found = accounts.find("aNNA")
    assert found is not None
    assert (found.name, found.password_hash, found.disabled_at) == ("Anna", "hash", None)
    assert before <= found.created_at <= time.time()


def test_nobody_is_found_under_a_name_that_is_free(accounts: Accounts) -> None:
    assert accounts.find("anna") is None


def test_a_name_is_registered_once_in_whatever_letter_case(accounts: Accounts) -> None:
    accounts.add("Anna", "hash", "root")
    with pytest.raises(NameOwned, match="the name ANNA is registered already"):
        accounts.add("ANNA", "other", "root")
    found = accounts.find("anna")
    assert found is not None
    assert found.password_hash == "hash"


def test_a_password_can_be_changed_and_an_account_disabled_and_enabled(accounts: Accounts) -> None:
    accounts.add("anna", "hash", "root")
    accounts.set_password("ANNA", "new", "anna")
    accounts.set_disabled("Anna", True, "root")
    found = accounts.find("anna")
    assert isinstance(found, Account)
    assert found.password_hash == "new"
    assert found.disabled_at is not None
    accounts.set_disabled("anna", False, "root")
    again = accounts.find("anna")
    assert again is not None
    assert again.disabled_at is None


def test_every_change_is_written_down_with_who_made_it(accounts: Accounts) -> None:
    accounts.add("anna", "hash", "root")
    accounts.set_password("anna", "new", "anna")
    accounts.set_disabled("anna", True, "root")
    accounts.set_disabled("anna", False, "carl")
    written = [(change.name, change.change, change.by) for change in accounts.changes()]
    assert written == [
        ("anna", "added", "root"),
        ("anna", "password", "anna"),
        ("anna", "disabled", "root"),
        ("anna", "enabled", "carl"),
    ]
    assert [change.at for change in accounts.changes()] == sorted(change.at for change in accounts.changes())


def test_an_account_that_is_not_there_cannot_be_changed(accounts: Accounts) -> None:
    with pytest.raises(NoAccount, match="there is no account 'anna'"):
        accounts.set_password("anna", "new", "root")
    with pytest.raises(NoAccount):
        accounts.set_disabled("anna", True, "root")
    assert accounts.changes() == []


def test_names_are_listed_from_a_moment_on(accounts: Accounts) -> None:
    accounts.add("anna", "hash", "root")
    assert accounts.names() == ["anna"]
    assert accounts.names(time.time() - 60) == ["anna"]
    assert accounts.names(time.time() + 60) == []


def test_of_two_processes_that_register_a_name_at_once_one_wins(url: str) -> None:
    together, answers = Barrier(2), list[str]()

    def register() -> None:
        accounts = SqlAccounts(url)
        together.wait(PATIENCE_S)
        try:
            accounts.add("anna", "hash", "root")
            answers.append("won")
        except NameOwned as owned:
            answers.append(str(owned))
        accounts.close()

    racers = [Thread(target=register) for _ in range(2)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join(PATIENCE_S)
    assert sorted(answers) == ["the name anna is registered already", "won"]


def test_a_token_is_its_accounts_until_it_expires_or_is_ended(accounts: Accounts) -> None:
    accounts.add("Anna", "hash", "root")
    accounts.add_token(Token(b"one", "ANNA", 100.0, 200.0))
    accounts.add_token(Token(b"two", "anna", 100.0, 300.0))
    found = accounts.token(b"one", 199.0)
    assert found is not None
    assert (found.name, found.bot) == ("Anna", False)
    accounts.set_bot("anna", True, "root")
    assert (marked := accounts.token(b"one", 199.0)) is not None
    assert marked.bot
    assert accounts.token(b"one", 200.0) is None
    assert accounts.token(b"three", 100.0) is None
    assert accounts.end_token(b"two")
    assert not accounts.end_token(b"two")
    assert accounts.token(b"two", 150.0) is None
    with pytest.raises(NoAccount):
        accounts.add_token(Token(b"x", "nobody", 100.0, 200.0))


def test_tokens_end_with_the_password_the_account_and_by_the_host(accounts: Accounts) -> None:
    accounts.add("anna", "hash", "root")
    accounts.add("bert", "hash", "root")
    accounts.add_token(Token(b"berts", "bert", 100.0, 200.0))
    for number, change in enumerate(("password", "disabled", "revoked")):
        accounts.add_token(Token(bytes([number]), "anna", 100.0, 200.0))
        match change:
            case "password":
                accounts.set_password("anna", "new", "root")
            case "disabled":
                accounts.set_disabled("anna", True, "root")
            case "revoked":
                accounts.revoke("Anna", "root")
        assert accounts.token(bytes([number]), 150.0) is None
        assert accounts.changes()[-1].change == change
    assert accounts.token(b"berts", 150.0) is not None


def test_one_token_too_many_ends_the_oldest_and_what_has_expired_makes_room(accounts: Accounts) -> None:
    accounts.add("anna", "hash", "root")
    accounts.add_token(Token(b"expires", "anna", 0.0, 50.0))
    for number in range(MOST_LOGINS):
        accounts.add_token(Token(bytes([number]), "anna", 60.0 + number, 1000.0))
    assert accounts.token(bytes([0]), 500.0) is not None
    accounts.add_token(Token(b"one more", "anna", 400.0, 1000.0))
    assert accounts.token(bytes([0]), 500.0) is None
    assert accounts.token(bytes([1]), 500.0) is not None
    assert accounts.token(b"one more", 500.0) is not None


def named(digest: bytes, label: str, name: str = "anna", *scopes: str) -> Token:
    return Token(digest, name, 100.0, FOREVER, label, frozenset(scopes or ("all",)))


def test_a_token_with_a_name_has_scopes_and_the_day_of_its_last_use(accounts: Accounts) -> None:
    accounts.add("Anna", "hash", "root")
    accounts.add_token(named(b"one", "laptop", "anna", "bot:play", "challenge:read"), "anna")
    found = accounts.token(b"one", 1e10)
    assert found is not None
    assert (found.name, found.label, found.lasting, found.used_at) == ("Anna", "laptop", True, None)
    assert (found.may("bot:play"), found.may("board:play"), found.may("challenge:write", "bot:play")) == (
        True,
        False,
        True,
    )
    accounts.token_used(b"one", 500.0)
    assert [(token.used_at, token.id) for token in accounts.tokens("anna", 600.0)] == [(500.0, b"one".hex())]


def test_tokens_with_names_are_each_called_something_else_and_are_not_ended_by_new_ones(accounts: Accounts) -> None:
    accounts.add("anna", "hash", "root")
    accounts.add("bert", "hash", "root")
    for number in range(MOST_NAMED):
        accounts.add_token(named(bytes([number]), f"token {number}"))
    with pytest.raises(TokenNamed, match="anna has a token called 'TOKEN 1' already"):
        accounts.add_token(named(b"again", "TOKEN 1"))
    with pytest.raises(TooManyTokens, match="end one first"):
        accounts.add_token(named(b"more", "one more"))
    for number in range(MOST_LOGINS + 1):
        accounts.add_token(Token(bytes([100 + number]), "anna", 60.0 + number, 1000.0))
    accounts.add_token(named(b"berts", "token 1", "bert"))
    assert len(accounts.tokens("anna", 500.0)) == MOST_NAMED + MOST_LOGINS


def test_tokens_with_names_outlive_a_password_only_where_that_is_wished(accounts: Accounts) -> None:
    accounts.add("anna", "hash", "root")
    accounts.add_token(named(b"program", "program"))
    accounts.add_token(Token(b"login", "anna", 100.0, 1e12))
    accounts.set_password("anna", "second", "anna", keep_tokens=True)
    assert (accounts.token(b"program", 200.0) is None, accounts.token(b"login", 200.0) is None) == (False, True)
    accounts.add_link(b"link", "anna", "root", 100.0, 1e12)
    accounts.use_link(b"link", "third", 110.0)
    assert accounts.token(b"program", 200.0) is None


def test_making_and_ending_a_named_token_and_the_mark_of_a_program_are_written_down(accounts: Accounts) -> None:
    accounts.add("Anna", "hash", "root")
    accounts.add_token(Token(b"login", "anna", 100.0, 1e12), "anna")
    accounts.end_token(b"login", "anna")
    accounts.add_token(named(b"one", "laptop"), "root")
    accounts.end_token(b"one", "Anna")
    assert [accounts.set_bot("anna", bot, "root") for bot in (True, True, False, False)] == [True, False, True, False]
    with pytest.raises(NoAccount):
        accounts.set_bot("bert", True, "root")
    written = [(change.name, change.change, change.by) for change in accounts.changes()][1:]
    assert written == [
        ("Anna", "token", "root"),
        ("Anna", "token_ended", "Anna"),
        ("Anna", "bot", "root"),
        ("Anna", "person", "root"),
    ]


def test_an_account_is_a_persons_unless_it_is_marked(accounts: Accounts) -> None:
    accounts.add("anna", "hash", "root")
    before = time.time()
    assert [found.bot for found in [accounts.find("anna")] if found] == [False]
    accounts.set_bot("ANNA", True, "root")
    found = accounts.find("anna")
    assert found is not None
    assert found.bot_since is not None
    assert before <= found.bot_since <= time.time()
    accounts.add("bert", "hash", "root")
    assert accounts.bots() == ["anna"]


def test_an_invitation_is_good_for_one_account(accounts: Accounts) -> None:
    now = time.time()
    accounts.invite(b"code", "root", now, now + 60)
    accounts.invite(b"old", "root", now - 60, now - 1)
    accounts.add("taken", "hash", "root")
    with pytest.raises(NameOwned):
        accounts.add("taken", "hash", "taken", b"code")
    accounts.add("anna", "hash", "anna", b"code")
    for used in (b"code", b"old", b"never given"):
        with pytest.raises(NoInvitation):
            accounts.add("bert", "hash", "bert", used)
    assert accounts.find("bert") is None
    assert [change.change for change in accounts.changes()] == ["invited", "invited", "added", "added"]


def test_a_link_gives_another_password_once(accounts: Accounts) -> None:
    accounts.add("Anna", "old", "root")
    accounts.add_token(Token(b"token", "anna", 100.0, 1e12))
    assert accounts.add_link(b"first", "anna", "root", 100.0, 160.0) == "Anna"
    assert accounts.add_link(b"second", "ANNA", "root", 100.0, 160.0) == "Anna"
    for bad, now in ((b"first", 110.0), (b"never given", 110.0)):
        with pytest.raises(NoLink):
            accounts.use_link(bad, "new", now)
    assert accounts.use_link(b"second", "new", 110.0) == "Anna"
    found = accounts.find("anna")
    assert found is not None
    assert (found.password_hash, accounts.token(b"token", 110.0)) == ("new", None)
    with pytest.raises(NoLink):
        accounts.use_link(b"second", "newer", 111.0)
    last = [(change.name, change.change, change.by) for change in accounts.changes()][-2:]
    assert last == [("Anna", "link", "root"), ("Anna", "password", "Anna")]


def test_a_link_ends_by_time_by_another_password_and_with_the_account(accounts: Accounts) -> None:
    accounts.add("anna", "old", "root")
    accounts.add_link(b"late", "anna", "root", 100.0, 160.0)
    with pytest.raises(NoLink):
        accounts.use_link(b"late", "new", 160.0)
    accounts.add_link(b"changed", "anna", "root", 100.0, 1e12)
    accounts.set_password("anna", "known again", "anna")
    accounts.add_link(b"disabled", "anna", "root", 100.0, 1e12)
    accounts.set_disabled("anna", True, "root")
    with pytest.raises(NoAccount, match="may log in"):
        accounts.add_link(b"refused", "anna", "root", 100.0, 1e12)
    accounts.set_disabled("anna", False, "root")
    accounts.add_link(b"deleted", "anna", "root", 100.0, 1e12)
    accounts.delete("anna", "anna")
    for ended in (b"changed", b"disabled", b"refused", b"deleted"):
        with pytest.raises(NoLink):
            accounts.use_link(ended, "new", 110.0)
    with pytest.raises(NoAccount):
        accounts.add_link(b"nobody", "bert", "root", 100.0, 1e12)


def test_a_deleted_account_is_gone_and_its_name_stays_taken(accounts: Accounts) -> None:
    accounts.add("Anna", "hash", "root")
    accounts.add_token(Token(b"token", "anna", 100.0, 1e12))
    accounts.delete("ANNA", "anna")
    assert accounts.find("anna") is None
    assert accounts.token(b"token", 150.0) is None
    assert accounts.names() == ["Anna"]
    with pytest.raises(NameOwned, match="stays theirs"):
        accounts.add("anna", "hash", "bert")
    with pytest.raises(NoAccount):
        accounts.delete("anna", "anna")
    assert (accounts.changes()[-1].name, accounts.changes()[-1].change) == ("Anna", "deleted")


def test_the_tokens_of_an_account_are_listed(accounts: Accounts) -> None:
    accounts.add("anna", "hash", "root")
    accounts.add_token(Token(b"expires", "anna", 90.0, 150.0))
    accounts.add_token(Token(b"one", "anna", 100.0, 300.0))
    accounts.add_token(Token(b"two", "ANNA", 110.0, 300.0))
    assert [token.digest for token in accounts.tokens("Anna", 200.0)] == [b"two", b"one"]
