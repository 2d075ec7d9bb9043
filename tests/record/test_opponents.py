"""A record says the score against each opponent, the best win of each pool, and the games of each week."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gateway.ratings.book import Book
from gateway.record.opponents import WEEK_S, WEEKS, Record, record
from gateway.store.rating_views import Change
from gateway.store.records import Player, Result
from tests.ratings.results import game, sat

NOW = 100 * WEEK_S


def rated(results: Sequence[Result], name: str = "ann") -> Record:
    """The record of ann, whose games these are, by rising time, with the steps that the fold makes of them."""
    book, steps = Book({}), dict[int, list[Change]]()
    for ordinal, each in enumerate(results, 1):
        steps[ordinal] = [
            Change(
                *(each.table, 1, step.seat, each.at, step.pool, step.player),
                *(step.before, step.after, step.weight, step.why, step.flags, ordinal),
            )
            for step in book.enter(ordinal, each)
        ]
    newest = [game(**{**_fields(each), "ordinal": at}) for at, each in reversed([*enumerate(results, 1)])]
    return record(name, newest, steps, NOW)


def _fields(each: Result) -> dict[str, Any]:
    return {name: getattr(each, name) for name in Result.__dataclass_fields__ if name != "started_at"}


def scores(found: Record) -> list[tuple[str, int, int, int]]:
    return [(each.player.name, each.won, each.lost, each.drawn) for each in found.opponents]


def test_the_score_is_against_each_opponent_the_most_frequent_first() -> None:
    draw = {"places": (1, 1)}
    found = rated(
        [
            game(1.0),
            game(2.0, places=(2, 1)),
            game(3.0, players=(sat("cem"), sat("ann"))),
            game(4.0, **draw),
            game(5.0, players=(sat("ann"), sat("bob", "gnugo 3.8"))),
            game(6.0, players=(sat("ann"), sat("", "expectimax 1 level 2")), rated=False),
            game(7.0, players=(sat("ann"), Player("Guest")), rated=False),
        ]
    )
    assert scores(found) == [
        ("bob", 1, 1, 1),
        ("bob", 1, 0, 0),
        ("cem", 0, 1, 0),
        ("expectimax 1 level 2", 1, 0, 0),
        ("Guest", 1, 0, 0),
    ]


def test_at_a_table_of_three_each_of_the_others_is_won_or_lost_against() -> None:
    seats = (sat("bob"), sat("ann"), sat("cem"))
    assert scores(rated([game(1.0, game="ludo", variant="maedn", players=seats, places=(1, 2, 3))])) == [
        ("bob", 0, 1, 0),
        ("cem", 1, 0, 0),
    ]


def test_void_and_annulled_games_and_those_against_oneself_are_left_out() -> None:
    found = rated(
        [
            game(NOW - 1, places=(), why="void"),
            game(NOW - 1, annulled_at=9.0),
            game(NOW - 1, players=(sat("ann"), sat("ann", "gnugo 3.8"))),
        ]
    )
    assert (found.opponents, sum(found.weeks), found.best) == ([], 0, {})


def test_weeks_are_counted_back_from_now() -> None:
    times = (NOW, NOW - WEEK_S + 1, NOW - WEEK_S - 1, NOW - WEEKS * WEEK_S + 1, NOW - WEEKS * WEEK_S - 1)
    found = rated([game(at) for at in sorted(times)])
    assert (found.weeks[-1], found.weeks[-2], found.weeks[0], sum(found.weeks)) == (2, 1, 1, 4)


def test_the_best_win_is_over_the_strongest_whose_rating_was_sure() -> None:
    """Cem wins two of three of a crowd, Dan loses two of three, and nobody knows Eve."""
    begun = NOW - 4e5
    grown = [
        game(
            begun + 3600.0 * at,
            table=at,
            players=(sat(("cem", "dan")[at % 2]), sat(f"p{at % 31}")),
            places=(1, 2) if (at // 2 % 3 == 0) is bool(at % 2) else (2, 1),
            opening=bytes([at]),
        )
        for at in range(100)
    ]
    mine = [
        game(NOW - 60.0 + at, table=1000 + at, players=(sat("ann"), sat(who)), opening=bytes([200 + at]))
        for at, who in enumerate(("eve", "dan", "cem"))
    ]
    best = [rated([*grown, *mine[:games]]).best.get("chess/normal") for games in (1, 2, 3)]
    assert [win and (win.player.name, win.table) for win in best] == [None, ("dan", 1001), ("cem", 1002)]
    lost = game(NOW, table=2000, players=(sat("cem"), sat("ann")), opening=b"other")
    assert rated([*grown, *mine[:2], lost]).best["chess/normal"] == best[1]
