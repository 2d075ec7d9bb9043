"""Whom accounts follow and have blocked: lists of their own, in order, bounded, gone with either account."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from gateway.store.accounts import Accounts, NoAccount, SqlAccounts
from gateway.store.ties import Blocks, Tied, TooManyTies
from tests.store.accounts_memory import MemoryAccounts
from tests.store.conftest import DATABASES, EACH

NAMES = ("Anna", "Bert", "carl", "Dörte")


@pytest.fixture(params=["memory", *EACH])
def accounts(request: pytest.FixtureRequest) -> Iterator[Accounts]:
    """Every store of accounts there is, with four of them: they behave alike."""
    if request.param == "memory":
        made: Accounts = MemoryAccounts()
        for name in NAMES:
            made.add(name, "hash", "host")
        yield made
        return
    with DATABASES[request.param](request) as url, closing(SqlAccounts(url)) as stored:
        for name in NAMES:
            stored.add(name, "hash", "host")
        yield stored


def test_a_list_has_each_account_once_by_name_and_since_the_first_time(accounts: Accounts) -> None:
    assert accounts.tie("follows", "anna", "dörte", 5.0) == Tied("Dörte", 5.0)
    assert accounts.tie("follows", "ANNA", "BERT", 6.0) == Tied("Bert", 6.0)
    assert accounts.tie("follows", "Anna", "Dörte", 7.0) == Tied("Dörte", 5.0)
    assert accounts.tied("follows", "Anna") == [Tied("Bert", 6.0), Tied("Dörte", 5.0)]
    assert accounts.tied("blocks", "Anna") == accounts.tied("follows", "Bert") == []
    accounts.untie("follows", "anna", "bert")
    accounts.untie("follows", "anna", "bert")
    assert accounts.tied("follows", "Anna") == [Tied("Dörte", 5.0)]


def test_a_block_stands_between_two_whoever_made_it(accounts: Accounts) -> None:
    accounts.tie("blocks", "Anna", "Bert", 5.0)
    accounts.tie("blocks", "carl", "Anna", 6.0)
    accounts.tie("follows", "Dörte", "Anna", 7.0)
    assert accounts.blocks("ANNA") == Blocks(frozenset({"bert"}), frozenset({"bert", "carl"}))
    assert accounts.blocks("bert") == Blocks(frozenset(), frozenset({"anna"}))
    assert accounts.blocks("Dörte") == accounts.blocks("nobody") == Blocks()
    accounts.untie("blocks", "Anna", "BERT")
    assert accounts.blocks("Bert") == Blocks()


def test_only_accounts_are_in_lists_and_have_them(accounts: Accounts) -> None:
    for by, name in (("Anna", "guest-1"), ("guest-1", "Anna")):
        with pytest.raises(NoAccount):
            accounts.tie("blocks", by, name, 5.0)
    assert accounts.blocks("Anna") == Blocks()


def test_an_account_that_goes_is_in_no_list(accounts: Accounts) -> None:
    accounts.tie("blocks", "Anna", "Bert", 5.0)
    accounts.tie("follows", "carl", "Anna", 5.0)
    accounts.tie("follows", "carl", "Bert", 5.0)
    accounts.delete("Anna", "Anna")
    assert (accounts.tied("blocks", "Anna"), accounts.blocks("Bert")) == ([], Blocks())
    assert accounts.tied("follows", "carl") == [Tied("Bert", 5.0)]


def test_a_list_is_bounded_and_what_is_in_it_may_be_said_again(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("gateway.store.ties", "tests.store.accounts_memory"):
        monkeypatch.setattr(f"{module}.MOST_TIES", 2)
    accounts.tie("follows", "Anna", "Bert", 5.0)
    accounts.tie("follows", "Anna", "carl", 5.0)
    with pytest.raises(TooManyTies):
        accounts.tie("follows", "Anna", "Dörte", 5.0)
    assert accounts.tie("follows", "Anna", "carl", 6.0).at == 5.0
    accounts.tie("blocks", "Anna", "Dörte", 5.0)
