"""People of a provider and their accounts, on every database: one account a person, and nothing left behind."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from gateway.store.account_views import AccountViews
from gateway.store.accounts import NameOwned, NoAccount, SqlAccounts
from gateway.store.identities import NO_PASSWORD, Identity, IdentityTaken, Link
from gateway.store.linking import Linking, OnlyWay
from gateway.store.personal import PersonalRows

HERE, ELSEWHERE = "https://login.example.org", "https://other.example.org"
NOW = 1_790_000_000.0
ANNA = Identity(HERE, "17")


@pytest.fixture
def accounts(url: str) -> Iterator[SqlAccounts]:
    with closing(SqlAccounts(url)) as made:
        yield made


@pytest.fixture
def linking(url: str) -> Iterator[Linking]:
    with closing(Linking(url)) as made:
        yield made


def changed(accounts: SqlAccounts) -> list[tuple[str, str, str]]:
    return [(each.name, each.change, each.by) for each in accounts.changes()]


def test_a_person_has_one_account_and_finds_it(accounts: SqlAccounts, linking: Linking) -> None:
    accounts.add("Anna", NO_PASSWORD, "Anna", identity=ANNA)
    found = linking.account(ANNA)
    assert found is not None
    assert (found.name, found.password_hash) == ("Anna", NO_PASSWORD)
    assert linking.account(Identity(HERE, "18")) is None
    assert linking.account(Identity(ELSEWHERE, "17")) is None
    with pytest.raises(IdentityTaken):
        accounts.add("Bert", NO_PASSWORD, "Bert", identity=ANNA)
    assert accounts.find("bert") is None
    with pytest.raises(NameOwned):
        accounts.add("ANNA", NO_PASSWORD, "x", identity=Identity(HERE, "18"))
    assert linking.account(Identity(HERE, "18")) is None


def test_an_account_is_linked_and_parted(accounts: SqlAccounts, linking: Linking) -> None:
    accounts.add("Anna", "hash", "root")
    linking.link("ANNA", ANNA, "Anna", NOW)
    linking.link("anna", ANNA, "Anna", NOW + 9)
    assert linking.links("anna") == [Link(HERE, "17", NOW)]
    with pytest.raises(IdentityTaken):
        linking.link("anna", Identity(HERE, "18"), "Anna", NOW)
    linking.link("anna", Identity(ELSEWHERE, "17"), "Anna", NOW)
    with pytest.raises(NoAccount):
        linking.link("bert", Identity(HERE, "19"), "bert", NOW)
    linking.part("anna", HERE, "Anna", NOW)
    linking.part("anna", HERE, "Anna", NOW)
    assert linking.links("anna") == [Link(ELSEWHERE, "17", NOW)]
    linked = ("Anna", "linked", "Anna")
    assert changed(accounts) == [("Anna", "added", "root"), linked, linked, ("Anna", "unlinked", "Anna")]


def test_the_only_way_in_stays(accounts: SqlAccounts, linking: Linking) -> None:
    accounts.add("Anna", NO_PASSWORD, "Anna", identity=ANNA)
    with pytest.raises(OnlyWay):
        linking.part("anna", HERE, "Anna", NOW)
    assert linking.account(ANNA) is not None
    accounts.set_password("anna", "hash", "Anna")
    linking.part("anna", HERE, "Anna", NOW)
    assert linking.account(ANNA) is None


def test_a_reset_and_a_deletion_end_it_and_a_new_password_does_not(accounts: SqlAccounts, linking: Linking) -> None:
    for name, subject in (("Anna", "17"), ("Bert", "18")):
        accounts.add(name, "hash", name, identity=Identity(HERE, subject))
    accounts.set_password("anna", "another", "Anna")
    assert linking.account(ANNA) is not None
    accounts.reset("anna", "nobody's", "root")
    accounts.delete("bert", "Bert")
    assert (linking.links("anna"), linking.links("bert")) == ([], [])
    accounts.add("Cora", "hash", "Cora", identity=Identity(HERE, "18"))


def test_the_host_and_the_owner_are_told(accounts: SqlAccounts, url: str) -> None:
    accounts.add("Anna", "hash", "Anna", identity=ANNA)
    with closing(AccountViews(url)) as views, closing(PersonalRows(url)) as rows:
        view, own = views.of("anna", time.time()), rows.of("anna", time.time())
    assert view is not None
    assert [(each.issuer, each.subject) for each in view.links] == [ANNA]
    assert own is not None
    assert [(each["issuer"], each["subject"]) for each in own.rest["identities"]] == [ANNA]
