"""Links to finished games in a database: one a table, for one game of it, gone with its account and its table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import count

import pytest

from gateway.store.accounts import SqlAccounts
from gateway.store.pruning import Pruning
from gateway.store.shares import Share, Shares
from tests.store.old import days_ago, finished, put


@pytest.fixture
def shares(url: str) -> Iterator[Shares]:
    with closing(Shares(url)) as made:
        yield made


def test_a_table_has_one_link_until_it_is_taken_back(shares: Shares) -> None:
    first = Share("first", 7, 20)
    assert shares.share(first, "Anna", 1.0) == first
    assert shares.share(Share("second", 7, 20), "", 2.0) == first
    assert (shares.of_table(7), shares.find("first"), shares.find("second")) == (first, first, None)
    shares.take_back(7)
    shares.take_back(7)
    assert (shares.of_table(7), shares.find("first")) == (None, None)


def test_a_link_for_a_later_game_ends_the_earlier_one_and_not_the_other_way_round(shares: Shares) -> None:
    shares.share(Share("first", 7, 20), "", 1.0)
    later = Share("later", 7, 40)
    assert shares.share(later, "", 2.0) == later
    assert shares.share(Share("again", 7, 20), "", 3.0) == later
    assert shares.find("first") is None


def test_a_link_that_is_taken_back_while_another_player_asks_for_it_is_made_anew(
    shares: Shares, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares.share(Share("first", 7, 20), "", 1.0)
    of_table, asked = shares.of_table, count()

    def taken_back(table: int) -> Share | None:
        if next(asked) == 0:
            shares.take_back(table)
        return of_table(table)

    monkeypatch.setattr(shares, "of_table", taken_back)
    assert shares.share(Share("second", 7, 20), "", 2.0).key == "second"


def test_links_end_with_the_account_that_made_them(url: str, shares: Shares) -> None:
    with closing(SqlAccounts(url)) as accounts:
        accounts.add("Anna", "hash", "root")
        for key, table, account in (("hers", 7, "anna"), ("guest's", 8, ""), ("bert's", 9, "bert")):
            shares.share(Share(key, table, 20), account, 1.0)
        accounts.delete("Anna", "Anna")
    assert [shares.find(key) is None for key in ("hers", "guest's", "bert's")] == [True, False, False]


def test_links_go_with_their_tables(url: str, shares: Shares) -> None:
    put(url, finished(1, 100), finished(2, 1))
    for table in (1, 2):
        shares.share(Share(f"of {table}", table, 3), "", 1.0)
    with closing(Pruning(url, days_ago(90), "root")) as pruning:
        assert pruning.step() == 1
    assert [shares.of_table(table) is None for table in (1, 2)] == [True, False]
