"""Measures what it takes to make all ratings anew, beside the arithmetic alone: two Glicko-2 steps a game.

The results are this measurement's own: games of two by chance, each player in two hundred of them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Final

from sqlalchemy import insert

from bench.leaderboard import AT_ONCE, database
from bench.load import Progress
from gateway.ratings.glicko2 import Against, Rating, after_game
from gateway.store.engine import writer_engine
from gateway.store.rating_schema import results
from gateway.store.ratings import SqlRatings
from gateway.store.records import Player, Result
from gateway.store.results import columns
from migrations import upgrade

EACH: Final = 200
"""Games of a player."""

APART_S: Final = 60.0
"""Seconds between two games, in the middle."""

OPENINGS: Final = tuple(bytes([number]) * 32 for number in range(200))
PLACES: Final = ((1, 2), (2, 1), (1, 1))

YARD: Final = 20_000
"""Games whose arithmetic is the yardstick."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The processor's seconds of this process for so many ``games``, the first time and over ratings that there were,
    and its seconds for the arithmetic of as many. The database's own are in it on SQLite alone."""

    database: str
    games: int
    first_s: float
    again_s: float
    arithmetic_s: float


def rebuilt(games: int, postgresql: bool, progress: Progress) -> Rebuilt:
    """Make the ratings of so many games anew, twice. bench.postgresql.NotInstalled."""
    with database(postgresql) as (url, _):
        upgrade(url)
        _fill(url, games, progress)
        before = _arithmetic_s(games)
        with closing(SqlRatings(url)) as ratings:
            first = _rebuild_s(ratings, lambda share: progress((1 + share) / 3))
            again = _rebuild_s(ratings, lambda share: progress((2 + share) / 3))
        after = _arithmetic_s(games)
    return Rebuilt("PostgreSQL" if postgresql else "SQLite", games, first, again, (before + after) / 2)


def _rebuild_s(ratings: SqlRatings, progress: Progress) -> float:
    begun = time.process_time()
    ratings.rebuild(None, time.time(), lambda done, whole: progress(done / max(whole, 1)), lambda: None)
    return time.process_time() - begun


def _fill(url: str, games: int, progress: Progress) -> None:
    """So many results, with ordinals."""
    engine, made = writer_engine(url), _results(games)
    names = [column.name for column in results.columns]
    try:
        for first in range(0, games, AT_ONCE):
            rows = [dict(zip(names, columns(each), strict=True)) for each in islice(made, AT_ONCE)]
            with engine.begin() as connection:
                connection.execute(insert(results), rows)
            progress(first / games / 3)
    finally:
        engine.dispose()


def _results(games: int) -> Iterator[Result]:
    chance, at = random.Random(games), 1.6e9
    names = [f"player{number}" for number in range(max(2, 2 * games // EACH))]
    for number in range(1, games + 1):
        at += chance.expovariate(1 / APART_S)
        yield Result(
            *(number, 1, 80, at, bytes(32), at - 600.0),
            *("chess", "normal", 8, True, "rules"),
            tuple(Player(name, name) for name in chance.sample(names, 2)),
            chance.choice(PLACES),
            *(60, 30, chance.choice(OPENINGS)),
            ordinal=number,
        )


def _arithmetic_s(games: int) -> float:
    """The processor's seconds for two steps of each of these games, from some of them."""
    own, other = Rating(1500.0, 100.0, 0.06), Rating(1520.0, 90.0, 0.06)
    begun = time.process_time()
    for _ in range(YARD):
        after_game(own, Against(other.rating, other.rd, 1.0))
        after_game(other, Against(own.rating, own.rd, 0.0))
    return (time.process_time() - begun) * games / YARD
