"""Simulated players: predicted scores are the seen ones."""

from __future__ import annotations

from collections import defaultdict
from math import exp, log
from random import Random
from statistics import fmean

import pytest

from gateway.ratings.book import Book
from gateway.ratings.glicko2 import expected
from tests.ratings.results import DAY_S, Result, Sat

PLAYERS = 1000
GAMES = 60
SETTLED = 20
"""Of each player; those behind these first are looked at."""


def wins(own: float, other: float) -> float:
    """The score that is expected of one strength against another, both exactly known."""
    return 1.0 / (1.0 + exp((other - own) / 400.0 * log(10.0)))


def test_of_1000_players_predicted_and_seen_scores_are_within_2_percent() -> None:
    chance = Random(1)
    strength = [chance.gauss(1500.0, 300.0) for _ in range(PLAYERS)]
    names = [Sat(f"p{number}") for number in range(PLAYERS)]
    book = Book({})
    seen: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for day in range(GAMES):
        left = sorted(range(PLAYERS), key=lambda number: strength[number] + chance.gauss(0.0, 300.0))
        for one, other in zip(left[::2], left[1::2], strict=True):
            one, other = (one, other) if chance.random() < 0.5 else (other, one)
            won = chance.random() < wins(strength[one], strength[other])
            result = Result(day * DAY_S, (names[one], names[other]), (1, 2) if won else (2, 1))
            steps = book.enter(day * PLAYERS + one + 1, result)
            predicted = expected(steps[0].before, steps[1].before)
            if day >= SETTLED:
                seen[int(predicted * 5)].append((predicted, float(won)))
    assert sorted(seen) == [0, 1, 2, 3, 4]
    for games in seen.values():
        assert len(games) > 2000
        assert fmean(predicted for predicted, _ in games) == pytest.approx(fmean(won for _, won in games), abs=0.02)
