"""Ratings in a database: every result is rated once and in one order, and a rebuild gives the same, bit by bit."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from random import Random

import pytest
from sqlalchemy import Row, insert, select

from gateway.ratings.book import ANNULLED, Book
from gateway.store import nodes, results
from gateway.store.nodes import SqlNodes
from gateway.store.rating_schema import rating_standings, rating_steps, rating_versions
from gateway.store.rating_schema import results as result_rows
from gateway.store.ratings import NotHeld, SqlRatings, Stale
from gateway.store.records import Result
from gateway.store.results import Results
from gateway.store.schema import RATINGS
from tests import peers
from tests.ratings.results import drawn, sat
from tests.store.conftest import connected, hosted
from tests.store.results import result

HOST = "host"


def stored(made: Sequence[Result], url: str) -> None:
    with connected(url) as connection, connection.begin():
        for each in made:
            row = dict(zip(result_rows.c.keys(), results.columns(each), strict=True))
            connection.execute(insert(result_rows).values(row))


def games(seed: int, many: int) -> list[Result]:
    """Games by chance, each at a table of its own."""
    return [replace(each, table=table) for table, each in enumerate(drawn(seed, many), 1)]


@pytest.fixture
def ratings(url: str) -> Iterator[SqlRatings]:
    with closing(SqlRatings(url)) as made:
        yield made


def rebuilt(ratings: SqlRatings) -> int:
    return ratings.rebuild(None, 5.0, lambda done, whole: None, lambda: None).version


def all_rated(ratings: SqlRatings, size: Callable[[], int] = lambda: 100) -> None:
    """Everything that waits, in batches of this size."""
    if ratings.look() == "stale":
        rebuilt(ratings)
    while ratings.count(None, size()):
        pass


def shown(url: str) -> tuple[list[Row], list[Row]]:
    """Steps and standings of the current version, without its number."""
    with connected(url) as connection:
        version = connection.execute(select(rating_versions.c.version).where(rating_versions.c.current)).scalar_one()
        steps = select(*list(rating_steps.c)[1:]).where(rating_steps.c.version == version)
        standings = select(*list(rating_standings.c)[1:]).where(rating_standings.c.version == version)
        return (
            list(connection.execute(steps.order_by(rating_steps.c.ordinal, rating_steps.c.seat))),
            list(connection.execute(standings.order_by(*list(rating_standings.c)[1:4]))),
        )


def ordinals(url: str) -> list[int | None]:
    """The ordinals of all results, as they are."""
    with connected(url) as connection:
        return sorted(
            connection.execute(select(result_rows.c.ordinal)).scalars(), key=lambda each: (each is None, each)
        )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_rebuild_is_bit_by_bit_what_was_counted_in_batches_of_any_size(
    url: str, ratings: SqlRatings, seed: int
) -> None:
    chance = Random(seed)
    made = games(seed, 120)
    rebuilt(ratings)
    while made:
        part, made = made[: (size := chance.randrange(1, 60))], made[size:]
        stored(part, url)
        all_rated(ratings, lambda: chance.randrange(1, 9))
    counted = shown(url)
    assert len(counted[0]) > 200
    rebuilt(ratings)
    assert shown(url) == counted
    with closing(Results(url)) as kept:
        found = list(kept.in_order())
    book = Book({})
    steps = [step for each in found for step in book.enter(each.ordinal or 0, each)]
    assert [tuple(row[10:13]) for row in counted[0]] == [tuple(step.after) for step in steps]


def test_results_get_their_ordinals_by_time_and_what_comes_late_a_later_one(url: str, ratings: SqlRatings) -> None:
    stored([result(1, at=30.0), result(2, at=20.0), result(3, at=20.0)], url)
    all_rated(ratings)
    stored([result(4, at=10.0)], url)
    all_rated(ratings)
    with closing(Results(url)) as kept:
        assert [(each.table, each.ordinal) for each in kept.in_order()] == [(2, 1), (3, 2), (1, 3), (4, 4)]


def test_annulled_and_taken_back_everything_is_as_before(url: str, ratings: SqlRatings) -> None:
    stored(games(4, 60), url)
    all_rated(ratings)
    before = shown(url)
    counted = next(row for row in before[0] if not row.why)
    with closing(Results(url)) as kept:
        found = next(each for each in kept.in_order() if each.ordinal == counted.ordinal)
        kept.annul(found.table, 1, HOST, "cheated")
        assert ratings.look() == "stale"
        with pytest.raises(Stale):
            ratings.count(None)
        rebuilt(ratings)
        assert {row.why for row in shown(url)[0] if row.ordinal == counted.ordinal} == {ANNULLED}
        assert shown(url)[1] != before[1]
        kept.unannul(found.table, 1, HOST)
    assert ratings.look() == "stale"
    rebuilt(ratings)
    assert shown(url) == before
    assert ratings.look() == ""


def test_a_result_that_is_annulled_before_it_is_counted_never_counts(url: str, ratings: SqlRatings) -> None:
    stored([result(1, annulled_at=5.0), result(2, at=2000.0)], url)
    all_rated(ratings)
    assert [row.why for row in shown(url)[0]] == [ANNULLED, ANNULLED, "", ""]
    assert ratings.look() == ""


def test_a_pin_makes_everything_anew_and_its_engine_never_moves(url: str, ratings: SqlRatings) -> None:
    engine = "expectimax 1 level 2"
    players = (sat("anna"), sat("", engine))
    stored([result(n, at=n * 90_000.0, players=players, opening=b"%d" % n) for n in range(1, 9)], url)
    all_rated(ratings)
    assert len({row.rating for row in shown(url)[0] if row.engine}) > 1
    ratings.pin("chess/normal/mixed", engine, 1200.0, HOST)
    assert ratings.look() == "stale"
    rebuilt(ratings)
    assert {(row.rating_before, row.rating, row.rd) for row in shown(url)[0] if row.engine} == {(1200.0, 1200.0, 45.0)}
    assert ratings.pins() == {("chess/normal/mixed", engine): 1200.0}
    ratings.pin("chess/normal/mixed", engine, None, HOST)
    assert (ratings.look(), ratings.pins()) == ("stale", {})


def test_a_version_that_nobody_made_current_is_not_shown_and_goes_with_the_next(url: str, ratings: SqlRatings) -> None:
    stored(games(5, 120), url)
    all_rated(ratings)
    before = shown(url)

    class Killed(Exception):
        pass

    def kill() -> None:
        raise Killed

    with pytest.raises(Killed):
        ratings.rebuild(None, 5.0, lambda done, whole: None, kill)
    assert shown(url) == before
    last = rebuilt(ratings)
    with connected(url) as connection:
        assert list(connection.execute(select(rating_versions.c.version)).scalars()) == [last]
        assert set(connection.execute(select(rating_steps.c.version)).scalars()) == {last}
    assert shown(url) == before


def test_what_is_annulled_while_a_version_is_made_makes_it_begin_again(url: str, ratings: SqlRatings) -> None:
    stored(games(6, 120), url)
    all_rated(ratings)
    pauses = 0

    def annul() -> None:
        nonlocal pauses
        pauses += 1
        if pauses == 1:
            with closing(Results(url)) as kept:
                kept.annul(next(kept.in_order()).table, 1, HOST, "cheated")

    first = shown(url)[0][0].ordinal
    version = ratings.rebuild(None, 5.0, lambda done, whole: None, annul)
    assert ratings.look() == ""
    assert version.version > 2
    assert all(row.why == ANNULLED for row in shown(url)[0] if row.ordinal == first == 1)


KILLS = 100


def test_a_process_that_is_killed_at_any_statement_leaves_each_game_rated_once(url: str, ratings: SqlRatings) -> None:
    stored(games(7, 40), url)
    rebuilt(ratings)
    command = [sys.executable, "-m", "tests.store.killed_rater", url, str(KILLS)]
    killed = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (killed.returncode, killed.stdout.split()) == (0, [str(KILLS)]), killed.stderr
    all_rated(ratings)
    assert ordinals(url) == list(range(1, 41))
    counted = shown(url)
    assert len({(row.ordinal, row.seat) for row in counted[0]}) == len(counted[0])
    rebuilt(ratings)
    assert shown(url) == counted


@pytest.fixture
def shared(request: pytest.FixtureRequest) -> Iterator[str]:
    with hosted(request) as url:
        yield url


@peers.needed
def test_two_nodes_one_an_hour_wrong_one_whose_commit_is_held_and_a_change_of_the_role(shared: str) -> None:
    made = games(8, 60)
    early, wrong = made[:20], [replace(each, at=each.at + 3600.0) for each in made[20:40]]
    late, after = made[40], made[41:]
    one, other = SqlNodes(shared), SqlNodes(shared)
    me, you = one.join("one", "1"), other.join("other", "1")
    with closing(one), closing(other), closing(SqlRatings(shared)) as ours, closing(SqlRatings(shared)) as theirs:
        held = one.take_role(me, RATINGS)
        assert held is not None
        assert other.take_role(you, RATINGS) == held
        ours.rebuild(held, 1.0, lambda done, whole: None, lambda: None)
        stored(early, shared)
        with connected(shared) as slow, slow.begin():
            slow.execute(
                insert(result_rows).values(dict(zip(result_rows.c.keys(), results.columns(late), strict=True)))
            )
            stored(wrong, shared)
            while ours.count(held, 7):
                pass
            one.drop_role(me, RATINGS)
            taken = other.take_role(you, RATINGS)
            assert taken == nodes.Holder(you, held.epoch + 1)
            stored(after[:10], shared)
            with pytest.raises(NotHeld):
                ours.count(held)
            while theirs.count(taken, 3):
                pass
        stored(after[10:], shared)
        while theirs.count(taken):
            pass
        counted = shown(shared)
        assert ordinals(shared) == list(range(1, 61))
        with closing(Results(shared)) as kept:
            found = kept.one(late.table, 1)
        assert found is not None
        assert found.ordinal is not None
        assert found.ordinal > 50
        theirs.rebuild(taken, 2.0, lambda done, whole: None, lambda: None)
        assert shown(shared) == counted
        with pytest.raises(NotHeld):
            ours.rebuild(held, 3.0, lambda done, whole: None, lambda: None)


def test_more_steps_than_are_sorted_or_stored_or_deleted_at_once_are_the_same(
    url: str, ratings: SqlRatings, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(games(9, 150), url)
    all_rated(ratings)
    before = shown(url)
    for name, most in {"FOLDED": 7, "SORTED": 40, "STORED": 9}.items():
        monkeypatch.setattr(f"gateway.store.ratings.{name}", most)
    pauses: list[None] = []
    ratings.rebuild(None, 5.0, lambda done, whole: None, lambda: pauses.append(None))
    assert shown(url) == before
    assert len(pauses) > len(before[0]) / 9
    with connected(url) as connection:
        assert len(set(connection.execute(select(rating_steps.c.version)).scalars())) == 1
