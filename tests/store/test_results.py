"""Results of games in a database: found in order, by player, and annulled by the host, on every database."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import update

from gateway.store import results as rows
from gateway.store.accounts import SqlAccounts
from gateway.store.acts import ActLog
from gateway.store.former import PublicViews, renamed_result
from gateway.store.pruning import Pruning
from gateway.store.rating_schema import results
from gateway.store.records import FORMER, Append, Player, Result
from gateway.store.results import NoResult, Results
from tests.store.conftest import Desk, connected
from tests.store.old import days_ago, finished, put
from tests.store.results import result
from tests.store.steps import opening


def ended(made: Result) -> Append:
    """The step that opens a table and ends a game of it."""
    append = opening(made.table)
    append.results = (made,)
    return append


@pytest.fixture
def stored(url: str) -> Iterator[Results]:
    with closing(Results(url)) as made:
        yield made


def test_a_game_is_stored_with_the_step_that_ends_it_and_read_back_as_it_was(sql: Desk, stored: Results) -> None:
    made = result(7, related=True, why="short", players=(Player("Änna", "änna"), Player("bot-2", "", "GNU Go 3.8")))
    assert sql.store(ended(made)) == [None]
    assert stored.one(7, 1) == made
    assert stored.one(7, 2) is None
    assert stored.of_table(7) == [made]


def test_a_step_that_is_refused_leaves_no_game(sql: Desk, stored: Results) -> None:
    sql.store(ended(result(7)))
    again = ended(result(7, 2))
    again.epoch = 9
    assert sql.store(again) != [None]
    assert stored.of_table(7) == [result(7)]


def test_a_step_that_is_handed_in_twice_leaves_one_game(sql: Desk, stored: Results) -> None:
    made = ended(result(7))
    made.rows = opening(7, "over").rows
    assert sql.store(made, made) == [None, None]
    assert stored.of_table(7) == [result(7)]


def test_games_without_an_ordinal_come_by_time_table_and_number(sql: Desk, stored: Results) -> None:
    wanted = [result(9, at=10.0), result(7, at=11.0), result(8, at=11.0), result(6, at=12.0)]
    sql.store(*(ended(each) for each in reversed(wanted)))
    assert stored.new() == wanted
    assert stored.new(2) == wanted[:2]


def test_games_with_an_ordinal_come_by_it_and_are_new_no_more(
    sql: Desk, stored: Results, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "PAGE", 2)
    sql.store(*(ended(result(table)) for table in range(1, 6)))
    with connected(url) as connection, connection.begin():
        for table, ordinal in ((4, 1), (2, 2), (5, 3), (1, 4)):
            connection.execute(update(results).where(results.c.table_id == table).values(ordinal=ordinal))
    assert [(each.table, each.ordinal) for each in stored.in_order()] == [(4, 1), (2, 2), (5, 3), (1, 4)]
    assert [each.table for each in stored.in_order(after=2)] == [5, 1]
    assert [each.table for each in stored.new()] == [3]


def test_the_games_of_a_player_are_found_by_account_and_by_engine_the_newest_first(sql: Desk, stored: Results) -> None:
    engine = Player("bot-2", "", "GNU Go 3.8 level 3")
    program = Player("Carl", "carl", "leela 0.11")
    guest = Player("guest-1")
    games = [
        result(1, players=(Player("Anna", "anna"), engine)),
        result(2, players=(guest, engine)),
        result(3, players=(program, Player("Anna", "anna"))),
    ]
    sql.store(*map(ended, games))
    assert stored.of_player("Anna", 9) == [games[2], games[0]]
    assert stored.of_player("anna", 1) == [games[2]]
    assert stored.of_player("anna", 9, before=(3, 1)) == [games[0]]
    assert stored.of_player("GNU Go 3.8 level 3", 9) == [games[1], games[0]]
    assert stored.of_player("carl", 9) == [games[2]]
    assert stored.of_player("guest-1", 9) == []


def test_the_newest_games_of_a_game_are_found_by_the_width_of_their_board(sql: Desk, stored: Results) -> None:
    games = [result(table, game="go", width=9 if table % 2 else 19) for table in range(1, 6)]
    sql.store(*map(ended, [*games, result(6), result(7)]))
    assert stored.newest("go", 9, 2, 99) == [games[4], games[2]]
    assert stored.newest("go", 0, 9, 99) == games[::-1]
    assert stored.newest("go", 9, 9, 5) == [games[4], games[2]], "the oldest two are not looked at"
    assert stored.newest("chess", 13, 9, 99) == []


def test_a_game_outlives_its_table(stored: Results, url: str) -> None:
    old, newest = finished(1, 100), finished(2, 0)
    old.results = (result(1),)
    put(url, old, newest)
    with closing(Pruning(url, days_ago(90), "root")) as pruning:
        assert pruning.step() == 1
    assert stored.of_player("anna", 9) == [result(1)]


def test_the_public_is_shown_no_name_of_a_deleted_account(sql: Desk, stored: Results, url: str) -> None:
    sql.store(ended(result(7)))
    with closing(SqlAccounts(url)) as accounts, closing(PublicViews(url)) as views:
        accounts.add("Anna", "hash", "root")
        assert renamed_result(result(7), views.former()) == result(7)
        accounts.delete("anna", "root")
        views.learn()
        shown = renamed_result(result(7), views.former())
    assert shown.players == (Player(FORMER), Player("bert", "bert"))
    assert stored.one(7, 1) == result(7), "the row itself stays"


def test_the_host_annuls_a_game_and_takes_that_back(sql: Desk, stored: Results, url: str) -> None:
    sql.store(ended(result(7)))
    annulled = stored.annul(7, 1, "root", "an engine played")
    assert annulled.annulled_at is not None
    assert stored.one(7, 1) == annulled
    with pytest.raises(NoResult, match="game 1 of table 7 is annulled already"):
        stored.annul(7, 1, "root", "again")
    assert stored.unannul(7, 1, "anna") == result(7)
    with pytest.raises(NoResult, match="game 1 of table 7 is not annulled"):
        stored.unannul(7, 1, "root")
    with pytest.raises(NoResult, match="no finished game 2 of table 7"):
        stored.annul(7, 2, "root", "what")
    with closing(ActLog(url)) as log:
        noted = [(act.act, act.by, act.object, json.loads(act.detail)) for act in log.acts("result")]
    assert noted == [
        ("result.annulled", "root", "table 7/1", {"reason": "an engine played"}),
        ("result.unannulled", "anna", "table 7/1", {}),
    ]
