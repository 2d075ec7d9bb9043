"""Simulated players: predicted scores are the seen ones, and a newcomer's rating says something after three games."""

from __future__ import annotations

from collections import defaultdict
from math import exp, log
from random import Random
from statistics import correlation, fmean

import pytest

from gateway.ratings.book import Book, Standing
from gateway.ratings.glicko2 import expected
from gateway.ratings.pools import Player
from tests.ratings.results import DAY_S, game, sat

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
    names = [sat(f"p{number}") for number in range(PLAYERS)]
    book = Book({})
    seen: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for day in range(GAMES):
        left = sorted(range(PLAYERS), key=lambda number: strength[number] + chance.gauss(0.0, 300.0))
        for one, other in zip(left[::2], left[1::2], strict=True):
            one, other = (one, other) if chance.random() < 0.5 else (other, one)
            won = chance.random() < wins(strength[one], strength[other])
            result = game(day * DAY_S, players=(names[one], names[other]), places=(1, 2) if won else (2, 1))
            steps = book.enter(day * PLAYERS + one + 1, result)
            predicted = expected(steps[0].before, steps[1].before)
            if day >= SETTLED:
                seen[int(predicted * 5)].append((predicted, float(won)))
    assert sorted(seen) == [0, 1, 2, 3, 4]
    for games in seen.values():
        assert len(games) > 2000
        assert fmean(predicted for predicted, _ in games) == pytest.approx(fmean(won for _, won in games), abs=0.02)


POOL = "chess/normal/mixed"
RUNGS = {"search level 1": 1200.0, "search level 2": 1500.0, "search level 3": 1800.0}
"""Strengths of a host's engines, pinned to what they are."""


def newcomers(many: int) -> tuple[list[float], list[Standing]]:
    """The strengths of people who come one after another, and their standings after three games: the first one against
    the middle rung, the others against the rung that is nearest to the rating then."""
    chance, book, ordinal = Random(3), Book({(POOL, engine): rating for engine, rating in RUNGS.items()}), 0
    strengths, standings = [], []
    for number in range(many):
        strength, player = chance.uniform(800.0, 1800.0), sat(f"p{number}")
        rating = 1500.0
        for _ in range(3):
            ordinal += 1
            engine = min(RUNGS, key=lambda name: abs(RUNGS[name] - rating))
            won = chance.random() < wins(strength, RUNGS[engine])
            seats = (player, sat("", engine))
            book.enter(ordinal, game(ordinal * 1000.0, players=seats, places=(1, 2) if won else (2, 1)))
            rating = book.standings[POOL, Player(player.account, "")].rating
        strengths.append(strength)
        standings.append(book.standings[POOL, Player(player.account, "")])
    return strengths, standings


def test_a_newcomers_rating_after_three_games_against_pinned_engines_is_as_sure_as_it_says() -> None:
    strengths, standings = newcomers(600)
    errors = [standing.rating - strength for strength, standing in zip(strengths, standings, strict=True)]
    missed = fmean(error * error for error in errors) ** 0.5
    guessed = fmean((1500.0 - strength) ** 2 for strength in strengths) ** 0.5
    assert missed < 0.7 * guessed
    assert correlation(strengths, [standing.rating for standing in standings]) > 0.7
    within = fmean(abs(error) <= standing.rd for error, standing in zip(errors, standings, strict=True))
    assert 0.60 < within < 0.80, "a standard deviation holds some 68 percent"
    assert max(standing.rd for standing in standings) < 300.0
