"""Results are rated soon after they are stored, by the node that has the role, and by nobody else."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import trio
from sqlalchemy import insert
from sqlalchemy.exc import OperationalError

from gateway.ops.rater import LOOK_S, OTHERS_S, Rater
from gateway.store.nodes import Holder
from gateway.store.rating_schema import results as result_rows
from gateway.store.rating_views import RatingViews
from gateway.store.ratings import SqlRatings
from gateway.store.results import Results, columns
from tests.running import RECORD, made_record, server
from tests.store.conftest import connected
from tests.store.old import PATIENCE_S, put
from tests.store.results import result
from tests.store.steps import opening

HELD = Holder(0, 0)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return made_record(tmp_path / "boardgate.db")


@pytest.fixture
def ratings(url: str) -> Iterator[SqlRatings]:
    with closing(SqlRatings(url)) as made:
        yield made


def ended(url: str, table: int) -> None:
    """A rated game that ends at this table."""
    step = opening(table, "over")
    step.results = (result(table),)
    put(url, step)


async def mine() -> Holder | None:
    return HELD


async def anothers() -> Holder | None:
    return None


async def test_what_ends_is_rated_and_what_is_annulled_is_taken_back(url: str, ratings: SqlRatings) -> None:
    rater = Rater(ratings, mine)
    assert await rater.round() == LOOK_S
    ended(url, 7)
    assert await rater.round() == LOOK_S
    with closing(RatingViews(url)) as views, closing(Results(url)) as results:
        assert [each.player.shown for each in views.listed("chess/normal", 0.0, ranked=False)] == ["anna", "bert"]
        results.annul(7, 1, "host", "cheated")
        await rater.round()
        assert views.listed("chess/normal", 0.0, ranked=False) == []
        assert {change.why for change in views.changes("anna")} == {"annulled"}
        results.unannul(7, 1, "host")
        await rater.round()
        assert len(views.listed("chess/normal", 0.0, ranked=False)) == 2


async def test_a_node_without_the_role_rates_nothing(url: str, ratings: SqlRatings) -> None:
    ended(url, 7)
    assert await Rater(ratings, anothers).round() == OTHERS_S
    assert ratings.look() == "stale"


async def test_a_node_that_has_lost_the_role_meanwhile_rates_nothing(url: str, ratings: SqlRatings) -> None:
    await Rater(ratings, mine).round()
    ended(url, 7)

    async def lost() -> Holder | None:
        return Holder(4, 9)

    assert await Rater(ratings, lost).round() == OTHERS_S
    assert ratings.look() == "new"


def test_a_server_rates_what_has_ended_before_it_was_killed_and_what_ends_while_it_runs(tmp_path: Path) -> None:
    url = made_record(tmp_path / RECORD)
    ended(url, 7)
    for table in (8, 9):
        with server(tmp_path, "bogaprot") as running, closing(RatingViews(url)) as views:
            wait_for_change(views, table - 1)
            with connected(url) as connection, connection.begin():
                row = dict(zip(result_rows.c.keys(), columns(result(table)), strict=True))
                connection.execute(insert(result_rows).values(row))
            wait_for_change(views, table)
            running.kill()
    with closing(RatingViews(url)) as views:
        assert sorted(change.table for change in views.changes("anna")) == [7, 8, 9]


def wait_for_change(views: RatingViews, table: int) -> None:
    """Until the game of this table has been rated."""
    deadline = time.monotonic() + PATIENCE_S
    while table not in {change.table for change in views.changes("anna")}:
        assert time.monotonic() < deadline, table
        time.sleep(0.05)


async def test_trouble_of_the_database_ends_nothing(
    url: str, ratings: SqlRatings, autojump_clock: trio.testing.MockClock
) -> None:
    asked = 0
    done = trio.Event()

    async def trouble() -> Holder | None:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise OperationalError("SELECT", {}, Exception("gone"))
        done.set()
        return None

    async with trio.open_nursery() as nursery:
        nursery.start_soon(Rater(ratings, trouble).run)
        await done.wait()
        nursery.cancel_scope.cancel()
