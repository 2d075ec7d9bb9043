"""Lists of a pool's players: by rating, page after page, those with a place apart; what games have changed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from alembic import command
from sqlalchemy import delete, insert, select

import migrations
from gateway.ratings.book import RANKED_RD, TABLES_RANKED_RD, Standing, is_ranked, ranked_until, shown
from gateway.ratings.glicko2 import Rating
from gateway.ratings.pools import Player
from gateway.store.accounts import SqlAccounts
from gateway.store.rating_schema import rating_standings, rating_versions
from gateway.store.rating_views import LATE, Last, Rated, RatingViews
from gateway.store.records import FORMER
from tests.store.conftest import connected
from tests.store.rated import accounts, play, season, won
from tests.store.test_schema import run

CHESS = "chess/normal"
NOW = 1_800_000_000.0
DAY_S = 86_400.0


@pytest.fixture
def views(url: str) -> Iterator[RatingViews]:
    with closing(RatingViews(url)) as made:
        yield made


def standing(name: str, rating: float, rd: float, days_ago: float = 0.0, engine: str = "") -> tuple[Player, Standing]:
    return Player(name, engine), Standing(rating, rd, 0.06, NOW - days_ago * DAY_S, 30)


def stand(url: str, *stands: tuple[Player, Standing], pool: str = CHESS) -> None:
    """These are the standings of the current version, as the fold stores them."""
    with connected(url) as connection, connection.begin():
        connection.execute(delete(rating_versions))
        row = {"version": 1, "made_at": NOW, "basis": "", "ordinal": 0, "current": True}
        connection.execute(insert(rating_versions).values(row))
    join(url, *stands, pool=pool)


def join(url: str, *stands: tuple[Player, Standing], pool: str = CHESS) -> None:
    """These players have standings, too, in the current version, which is the first."""
    with connected(url) as connection, connection.begin():
        for player, each in stands:
            until = {"ranked_until": ranked_until(pool, each)}
            about = {"version": 1, "pool": pool, **player._asdict(), **each._asdict(), **until}
            connection.execute(insert(rating_standings).values(about))


def names(found: list[Rated]) -> list[str]:
    return [each.player.shown for each in found]


@pytest.mark.parametrize("sigma", [0.03, 0.06, 0.1])
@pytest.mark.parametrize("rd", [45.0, 60.0, 74.9])
def test_the_time_of_a_place_ends_when_the_deviation_has_grown_too_large(rd: float, sigma: float) -> None:
    rated = Standing(1500.0, rd, sigma, NOW, 9)
    until = ranked_until(CHESS, rated)
    for seconds, ranked in ((-60.0, True), (60.0, False)):
        grown = shown(CHESS, Rating(*rated[:3]), until + seconds - NOW).rd
        assert is_ranked(CHESS, grown) is ranked, grown


def test_at_tables_of_three_and_more_a_place_is_lost_to_nobody_who_stays_away() -> None:
    tables = "ludo/maedn/tables"
    assert ranked_until(tables, Standing(1500.0, TABLES_RANKED_RD, 0.09, NOW, 40)) > NOW + 1000 * 365 * DAY_S
    assert ranked_until(tables, Standing(1500.0, TABLES_RANKED_RD + 1, 0.09, NOW, 30)) == 0.0
    assert ranked_until(CHESS, Standing(1500.0, RANKED_RD + 0.01, 0.06, NOW, 9)) == 0.0


def test_who_stays_away_is_in_the_other_list_and_comes_back_into_none_by_waiting(url: str, views: RatingViews) -> None:
    stand(url, standing("ann", 1600.0, 60.0), standing("bob", 1700.0, 200.0), standing("cem", 1500.0, 70.0))
    assert names(views.listed(CHESS, NOW, ranked=True)) == ["ann", "cem"]
    assert names(views.listed(CHESS, NOW, ranked=False)) == ["bob"]
    later = NOW + 60 * DAY_S
    assert names(views.listed(CHESS, later, ranked=True)) == ["ann"]
    assert names(views.listed(CHESS, later, ranked=False)) == ["bob", "cem"]
    assert views.listed(CHESS, later, ranked=True)[0].rd > 60.0
    assert views.listed("go/9", NOW, ranked=True) == []


def test_pages_of_a_list_follow_each_other_without_a_gap_though_ratings_are_equal(url: str, views: RatingViews) -> None:
    stands = [standing(f"player{at}", 1500.0 + at // 3, 60.0) for at in range(11)]
    stands += [standing("player1", 1500.0, 60.0, engine="gnugo 3.8"), standing("", 1500.0, 60.0, engine="engine 1")]
    stand(url, *stands)
    whole = names(views.listed(CHESS, NOW, ranked=True))
    assert len(whole) == len(set(whole)) == 13
    found: list[str] = []
    after = None
    while page := views.listed(CHESS, NOW, ranked=True, most=4, after=after):
        found += names(page)
        after = Last(len(found), page[-1].rating, *page[-1].player)
    assert found == whole


def test_a_distribution_counts_rounded_ratings_by_fifty(url: str, views: RatingViews) -> None:
    ratings = ((1449.4, 60.0), (1449.6, 60.0), (1450.0, 300.0), (1499.0, 60.0), (1500.0, 60.0), (2010.0, 90.0))
    stand(url, *(standing(f"player{at}", rating, rd) for at, (rating, rd) in enumerate(ratings)))
    assert [tuple(bar) for bar in views.distribution(CHESS, NOW)] == [
        (1400, 1, 0),
        (1450, 2, 1),
        (1500, 1, 0),
        (2000, 0, 1),
    ]


def test_players_have_the_names_of_their_accounts_and_a_deleted_one_has_none(url: str, views: RatingViews) -> None:
    accounts(url, "Ann", "Bob")
    stand(
        url,
        standing("ann", 1600.0, 60.0),
        standing("bob", 1500.0, 60.0, engine="gnugo 3.8"),
        standing("", 1400.0, 60.0, engine="expectimax 1 level 2"),
    )
    assert [each.name for each in views.listed(CHESS, NOW, ranked=True)] == ["Ann", "Bob", "expectimax 1 level 2"]
    with closing(SqlAccounts(url)) as stored:
        stored.delete("ann", "test")
    assert views.listed(CHESS, NOW, ranked=True)[0].name == FORMER


def test_the_games_of_a_rating_are_paged_and_know_the_others(url: str, views: RatingViews) -> None:
    accounts(url, "Ann", "Bob", "Cem")
    now = time.time()
    play(url, [*season(("Ann", "Bob"), 7, now), won(8, "Ann", "Cem", now, game="go", variant="area", width=9)])
    ann = Player("ann", "")
    whole = views.steps(CHESS, ann)
    assert [step.table for step in whole] == [7, 6, 5, 4, 3, 2, 1]
    first = views.steps(CHESS, ann, most=3)
    assert [*first, *views.steps(CHESS, ann, before=first[-1].ordinal)] == whole
    others = views.others([step.ordinal for step in whole])
    assert {step.player.account for steps in others.values() for step in steps} == {"ann", "bob"}
    assert whole[0].before.rating == pytest.approx(whole[1].after.rating)
    assert [step.table for step in views.steps("go/9", ann)] == [8]
    assert [pool.name for pool in views.pools()] == [CHESS, "go/9"]


def test_ratings_of_the_schema_before_get_their_times_as_this_version_counts_them(empty: str) -> None:
    run(empty, command.upgrade, "0020_0010")
    stands = [standing("ann", 1600.0, 60.0, 5.0), standing("bob", 1500.0, 200.0), standing("cem", 1500.0, 75.0)]
    pools = {
        "chess/normal": stands,
        "ludo/maedn/tables": [standing("dan", 1500.0, 250.0), standing("eve", 1500.0, 301.0)],
    }
    with connected(empty) as connection, connection.begin():
        for pool, found in pools.items():
            for player, each in found:
                row = {"version": 1, "pool": pool, **player._asdict(), **each._asdict()}
                connection.execute(insert(rating_standings).values(row))
    migrations.upgrade(empty)
    with connected(empty) as connection:
        rows = connection.execute(select(rating_standings)).all()
    migrated = {(row.pool, row.account): row.ranked_until for row in rows}
    assert migrated == {
        (pool, player.account): pytest.approx(ranked_until(pool, each))
        for pool, found in pools.items()
        for player, each in found
    }


def test_who_began_the_last_game_of_two_is_due_the_other_side(url: str, views: RatingViews) -> None:
    """Between two who have not met of late the one begins who did so less often; older games are forgotten."""
    ann, bob, cem, dan = (Player(name, "") for name in ("ann", "bob", "cem", "dan"))
    assert views.side(CHESS, ann, bob) is None
    play(url, [won(1, "Ann", "Bob", NOW), won(2, "Cem", "Dan", NOW + 1.0)])
    assert (views.side(CHESS, ann, bob), views.side(CHESS, bob, ann)) == (1, 0)
    assert (views.side(CHESS, ann, dan), views.side(CHESS, dan, ann)) == (1, 0)
    assert (views.side(CHESS, ann, cem), views.side("go/9", ann, bob)) == (None, None)
    play(url, [won(3, "Bob", "Ann", NOW + 2.0)])
    assert (views.side(CHESS, ann, bob), views.side(CHESS, bob, ann)) == (0, 1)
    play(url, [won(10 + each, "Ann", "Dan", NOW + 10.0 + each) for each in range(LATE)])
    assert views.side(CHESS, ann, bob) == 1
