"""Deleting old tables: which go, that they go whole, that the others stay whole, and that no id comes back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from gateway.record import audit
from gateway.store.acts import ActLog
from gateway.store.log import SqlLog
from gateway.store.nodes import SqlNodes
from gateway.store.pruning import STEP_EVENTS, STEP_TABLES, Pruning
from gateway.store.views import Views
from tests import peers
from tests.store.conftest import hosted
from tests.store.old import days_ago, everywhere, finished, kept, put


@contextmanager
def pruning(url: str, days: float = 90) -> Iterator[Pruning]:
    """Of what is older than so many days."""
    with closing(Pruning(url, days_ago(days), "root")) as made:
        yield made


def steps(made: Pruning, spared: tuple[int, ...] = ()) -> list[int]:
    """Return the number of tables that each step has deleted."""
    found = []
    while (step := made.step(spared)) is not None:
        found.append(step)
    return found


def last_table(url: str) -> int:
    with closing(SqlLog(url, lambda _: None)) as log:
        return log.last_table()


def test_what_is_over_and_old_goes_with_everything_and_the_rest_stays_whole(url: str) -> None:
    put(url, finished(1, 100), finished(2, 80), finished(3, 91), finished(4, 0))
    with pruning(url) as made:
        assert made.old() == (2, 6)
        assert steps(made) == [2]
        assert made.old() == (0, 0)
    assert kept(url) == everywhere(2, 4)
    with closing(Views(url)) as views:
        assert [audit.verify(table, views.rows(table)).defect for table in (2, 4)] == [None, None]
        assert views.table(1) is None


def test_a_table_that_may_still_run_stays_until_it_was_closed_or_is_forgotten_for_a_month(url: str) -> None:
    """docs/operating.md: "nor is a finished table at which players still sit"; "after 30 days"."""
    put(url, finished(1, 10), finished(2, 10, closed=True), finished(3, 29), finished(4, 31), finished(5, 0))
    with pruning(url, 1) as made:
        assert made.old().tables == 2
        assert steps(made) == [2]
    assert kept(url) == everywhere(1, 3, 5)


@pytest.mark.parametrize("status", ["open", "playing", "adjourned"])
def test_what_is_not_over_stays_however_old(url: str, status: str) -> None:
    put(url, finished(1, 1000, status=status), finished(2, 0))
    with pruning(url) as made:
        assert steps(made) == []
    assert kept(url) == everywhere(1, 2)


def test_it_is_the_last_event_that_counts_and_not_the_opening(url: str) -> None:
    put(url, finished(1, 10, opened=200), finished(2, 0))
    with pruning(url) as made:
        assert steps(made) == []


def test_the_newest_table_stays_and_no_id_is_ever_used_again(url: str) -> None:
    put(url, *(finished(table, 100) for table in range(1, 6)))
    with pruning(url) as made:
        assert (made.old().tables, steps(made)) == (4, [4])
    assert kept(url) == everywhere(5)
    assert last_table(url) == 5
    put(url, finished(6, 100))
    with pruning(url) as made:
        assert steps(made) == [1]
    assert (kept(url), last_table(url)) == (everywhere(6), 6)


def test_a_step_is_small(url: str) -> None:
    put(url, *(finished(table, 100, length=1) for table in range(1, STEP_TABLES + 12)))
    with pruning(url) as made:
        assert steps(made) == [STEP_TABLES, 10]
    third = STEP_EVENTS // 3
    put(url, *(finished(table, 100, length=third) for table in range(101, 106)), finished(106, 0))
    with pruning(url) as made:
        assert steps(made) == [4, 2], "one of the first round is left: it is no longer the newest"


def test_a_table_longer_than_a_step_is_a_step_of_its_own(url: str) -> None:
    put(url, finished(1, 100, length=STEP_EVENTS + 1), finished(2, 100), finished(3, 0))
    with pruning(url) as made:
        assert steps(made) == [1, 1]


def test_those_that_are_spared_stay_and_keep_nobody_else(url: str) -> None:
    put(url, *(finished(table, 100, length=1) for table in range(1, STEP_TABLES + 4)))
    spared = tuple(range(1, STEP_TABLES + 1))
    with pruning(url) as made:
        assert steps(made, spared) == [0, 2]
    assert kept(url) == everywhere(*spared, STEP_TABLES + 3)


@peers.needed
def test_a_table_of_a_living_node_stays_until_the_node_is_buried(request: pytest.FixtureRequest) -> None:
    """Its players may still sit there, and begin another game; the sweep is another node's."""
    with hosted(request) as url, closing(SqlNodes(url)) as nodes:
        me, gone = nodes.join("me", "1"), nodes.join("gone", "1")
        put(url, *(finished(table, 100, node=node) for table, node in ((1, me), (2, gone), (3, None))), finished(4, 0))
        nodes.leave(gone)
        with pruning(url) as made:
            assert (made.old().tables, steps(made)) == (2, [2])
        assert kept(url) == everywhere(1, 4)
        nodes.leave(me)
        with pruning(url) as made:
            assert steps(made) == [1]


def test_a_game_that_began_again_meanwhile_stays(url: str) -> None:
    put(url, finished(1, 100, status="playing"), finished(2, 100), finished(3, 0))
    with pruning(url) as made:
        assert made._delete([1, 2], made._planned(())) == 1
    assert kept(url) == everywhere(1, 3)


def test_one_act_is_noted_with_the_first_that_go_for_all_of_them(url: str) -> None:
    put(url, *(finished(table, 100, length=1) for table in range(1, STEP_TABLES + 8)), finished(100, 0))
    with pruning(url) as made, closing(ActLog(url)) as log:
        assert made.step(spared=(1, STEP_TABLES + 1)) == STEP_TABLES - 1
        (act,) = log.acts()
        assert steps(made, spared=(1, STEP_TABLES + 1)) == [6]
        assert list(log.acts()) == [act]
    assert (act.act, act.by, act.object) == ("games.deleted", "root", "finished games")
    told = json.loads(act.detail)
    assert told["games"] == STEP_TABLES + 5
    assert told["before_at"] == pytest.approx(days_ago(90), abs=60)


def test_what_becomes_free_meanwhile_waits_for_another_time(url: str) -> None:
    """Or more would go than was noted."""
    put(url, *(finished(table, 100, length=STEP_EVENTS) for table in range(1, 4)))
    with pruning(url) as made:
        assert made.step(spared=(2,)) == 1
        put(url, finished(4, 0))
        assert steps(made) == [0], "table 2 was spared, table 3 was the newest"
    with pruning(url) as made, closing(ActLog(url)) as log:
        assert steps(made) == [1, 1]
        assert [json.loads(act.detail)["games"] for act in log.acts()] == [1, 2]


def test_where_nothing_goes_nothing_is_noted(url: str) -> None:
    put(url, finished(1, 100), finished(2, 100), finished(3, 0))
    with pruning(url) as made, closing(ActLog(url)) as log:
        assert steps(made, spared=(1, 2)) == [0]
        assert list(log.acts()) == []


def test_an_empty_record_has_nothing_old(url: str) -> None:
    with pruning(url) as made:
        assert (made.old(), steps(made)) == ((0, 0), [])
