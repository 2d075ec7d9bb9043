"""Offers that last: rows of the node that holds them, which another takes over, and which go with either account."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import insert

from gateway.push.sender import LASTS_S
from gateway.store import batch
from gateway.store.accounts import Accounts, SqlAccounts
from gateway.store.log import SqlLog
from gateway.store.notices import MAKER, Notices
from gateway.store.offers import DECLINED, HeldOffer, StoredOffer
from gateway.store.schema import nodes
from tests.store.accounts_memory import MemoryAccounts
from tests.store.conftest import DATABASES, EACH, connected
from tests.store.rated import ended, won

ONE, OTHER = StoredOffer(7, "anna", "bert", b"of anna"), StoredOffer(9, "bert", "anna", b"of bert")


@pytest.fixture(params=["memory", *EACH])
def accounts(request: pytest.FixtureRequest) -> Iterator[Accounts]:
    """Every store of accounts there is: they behave alike."""
    if request.param == "memory":
        yield MemoryAccounts()
        return
    with DATABASES[request.param](request) as url, closing(SqlAccounts(url)) as stored:
        yield stored


def test_offers_are_held_in_their_order_until_they_are_gone(accounts: Accounts) -> None:
    accounts.change_offers(0, [OTHER, ONE], [])
    assert accounts.held_offers(0) == [HeldOffer(7, b"of anna", False), HeldOffer(9, b"of bert", False)]
    accounts.change_offers(0, [], [7, 8])
    assert accounts.held_offers(0) == [HeldOffer(9, b"of bert", False)]


def test_a_node_takes_over_what_a_node_held_that_lives_no_more_and_nothing_of_a_living_one(url: str) -> None:
    row = {"version": "1", "started_at": 0.0, "since": 0.0, "until": 0.0, "draining": False, "tables": 0}
    with connected(url) as connection, connection.begin():
        for node, buried in ((3, True), (4, False), (5, False)):
            connection.execute(insert(nodes).values(id=node, name=f"node {node}", buried=buried, **row))
    with closing(SqlAccounts(url)) as accounts:
        accounts.change_offers(3, [ONE], [])
        accounts.change_offers(4, [OTHER], [])
        assert accounts.held_offers(5) == [HeldOffer(7, b"of anna", False)]
        assert accounts.held_offers(4) == [HeldOffer(9, b"of bert", False)]
        assert accounts.held_offers(5) == [HeldOffer(7, b"of anna", False)]


def test_an_offer_whose_table_was_opened_is_taken(url: str) -> None:
    with connected(url) as connection, connection.begin():
        batch.write(connection, [ended(won(7, "Anna", "Bert", 1.0))])
    with closing(SqlAccounts(url)) as accounts:
        accounts.change_offers(0, [ONE, OTHER], [])
        assert [(held.number, held.taken) for held in accounts.held_offers(0)] == [(7, True), (9, False)]


def test_no_table_gets_the_number_of_an_offer_that_lasts(url: str) -> None:
    with closing(SqlAccounts(url)) as accounts, closing(SqlLog(url, lambda outcomes: None)) as log:
        assert log.last_table() == 0
        accounts.change_offers(0, [OTHER], [])
        assert log.last_table() == 9


@pytest.mark.parametrize("gone", ["Anna", "bert"])
def test_offers_go_with_either_account(url: str, gone: str) -> None:
    with closing(SqlAccounts(url)) as accounts:
        for name in ("Anna", "Bert", "Carl"):
            accounts.add(name, "hash", "test")
        accounts.change_offers(0, [ONE, OTHER, StoredOffer(11, "carl", "dora", b"of carl")], [])
        accounts.delete(gone, "test")
        assert [held.number for held in accounts.held_offers(0)] == [11]


def test_a_challenge_is_told_once_to_the_program_of_its_account(url: str) -> None:
    with closing(SqlAccounts(url)) as accounts, closing(Notices(url)) as notices:
        for name in ("Anna", "Bert"):
            accounts.add(name, "hash", "test")
            notices.set_hook(name, f"https://{name}.example", name.encode(), 1.0)
        accounts.change_offers(0, [ONE], [])
        assert [notices.spread(at, 5.0, 5.0, LASTS_S) for at in (10.0, 12.0)] == [1, 0]
        (due,) = notices.due_hooks(10.0)
        assert (due.table, due.news, due.seq, due.subscription.folded) == (7, "offer", 0, "bert")
        assert (due.seen, due.until) == (False, 10.0 + LASTS_S["offer"])
        assert notices.challenge(7) == b"of anna"
        accounts.change_offers(0, [], [7])
        assert notices.challenge(7) is None


def test_a_declined_challenge_is_told_once_to_its_maker_and_no_node_takes_it_over(url: str) -> None:
    """Only where its maker is told anything while away: nothing would end its row otherwise."""
    with closing(SqlAccounts(url)) as accounts, closing(Notices(url)) as notices:
        for name in ("Anna", "Bert"):
            accounts.add(name, "hash", "test")
        notices.set_hook("Anna", "https://anna.example", b"anna", 1.0)
        accounts.change_offers(0, [ONE, OTHER], [])
        notices.spread(5.0, 5.0, 5.0, LASTS_S)
        for offer in (ONE, OTHER):
            accounts.change_offers(DECLINED, [offer], [offer.number])
        assert (accounts.held_offers(0), accounts.held_offers(3)) == ([], [])
        assert [notices.spread(at, 5.0, 5.0, LASTS_S) for at in (10.0, 12.0)] == [1, 0]
        told = {(due.table, due.seat, due.subscription.folded) for due in notices.due_hooks(10.0)}
        assert (ONE.number, MAKER, "anna") in told
        assert (notices.challenge(7, MAKER), notices.challenge(7)) == (ONE.body, None)
        assert notices.challenge(9, MAKER) is None
        accounts.delete("Bert", "test")
        assert notices.challenge(7, MAKER) is None
