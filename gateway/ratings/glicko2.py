"""Glicko-2 after each game: steps 3 to 5, 7 and 8 of the paper; its step 6 goes by the time between games.

Source: M. Glickman, "Example of the Glicko-2 system" (2022), http://www.glicko.net/glicko/glicko2.pdf; numbers as
lichess has them. A game of weight ``w`` tells ``w`` times as much as one of weight 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, hypot, log, pi, sqrt
from typing import Final, NamedTuple

SCALE: Final = 173.7178
"""Points of a rating that are 1 in the paper's own scale."""

MIDDLE: Final = 1500.0
"""The rating that is 0 in the paper's own scale."""

TAU: Final = 0.75
"""How much the volatility may change: the paper says 0.3 to 1.2."""

PERIODS_A_DAY: Final = 0.21436
"""Rating periods in a day: a deviation of 60 is 110 after a year, at a volatility of 0.06."""

DAY_S: Final = 86_400.0

RD_LEAST: Final = 45.0
RD_MOST: Final = 500.0
SIGMA_MOST: Final = 0.1
RATING_LEAST: Final = 400.0
CHANGE_MOST: Final = 700.0
"""Points that one game may move a rating by."""

CLOSE: Final = 1e-6
"""How exactly the volatility is found, as in the paper."""


class Rating(NamedTuple):
    """Points, their standard deviation, and the volatility (in the paper's own scale)."""

    rating: float
    rd: float
    sigma: float


class Against(NamedTuple):
    """A game, as one of its players sees it: the opponent, and 1.0 for a win, 0.5 for a draw, 0.0 for a loss."""

    rating: float
    rd: float
    score: float
    weight: float = 1.0


START: Final = Rating(1500.0, 500.0, 0.09)


def rated(own: Rating, games: Iterable[Against], tau: float = TAU, periods: float = 0.0) -> Rating:
    """The rating after these games, which count as played at once. Nothing is clamped.

    ``periods`` is step 6 as the paper has it: 1.0 for a rating period that ends now, 0.0 where ``aged`` does it.
    """
    mu, phi, sigma = (own.rating - MIDDLE) / SCALE, own.rd / SCALE, own.sigma
    information = surprise = 0.0
    for game in games:
        g = _g(game.rd / SCALE)
        expected = 1.0 / (1.0 + exp(-g * (mu - (game.rating - MIDDLE) / SCALE)))
        information += game.weight * g * g * expected * (1.0 - expected)
        surprise += game.weight * g * (game.score - expected)
    if not information:
        return own
    variance = 1.0 / information
    sigma = _volatility(phi, sigma, variance, variance * surprise, tau)
    square = 1.0 / (1.0 / (phi * phi + periods * sigma * sigma) + information)
    return Rating(MIDDLE + SCALE * (mu + square * surprise), SCALE * sqrt(square), sigma)


def after_game(own: Rating, game: Against) -> Rating:
    """The rating after one game, within the bounds of this server. ``own`` is aged to the time of the game."""
    rating, rd, sigma = rated(own, (game,))
    rating = min(max(rating, own.rating - CHANGE_MOST), own.rating + CHANGE_MOST)
    return Rating(max(rating, RATING_LEAST), min(max(rd, RD_LEAST), RD_MOST), min(sigma, SIGMA_MOST))


def aged(own: Rating, seconds: float) -> Rating:
    """The same rating after so many seconds without a game: its deviation has grown. Negative seconds are none."""
    if seconds <= 0.0:
        return own
    rd = hypot(own.rd, SCALE * own.sigma * sqrt(seconds / DAY_S * PERIODS_A_DAY))
    return Rating(own.rating, min(rd, RD_MOST), own.sigma)


def seconds_until(own: Rating, rd: float) -> float:
    """The seconds without a game after which the deviation is ``rd``, which is larger than it is now: see ``aged``."""
    grown = (rd * rd - own.rd * own.rd) / (SCALE * own.sigma) ** 2
    return grown / PERIODS_A_DAY * DAY_S


def expected(own: Rating, other: Rating) -> float:
    """The score that is expected of one against the other, 0.0 to 1.0, as uncertain as both are."""
    return 1.0 / (1.0 + exp(-_g(hypot(own.rd, other.rd) / SCALE) * (own.rating - other.rating) / SCALE))


def _g(phi: float) -> float:
    return 1.0 / sqrt(1.0 + 3.0 * phi * phi / (pi * pi))


def _volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """Step 5: the root of f by the Illinois method."""
    a = log(sigma * sigma)
    square, spread, narrow = delta * delta, phi * phi + variance, tau * tau

    def f(x: float) -> float:
        whole = spread + (grown := exp(x))
        return grown * (square - whole) / (2.0 * whole * whole) - (x - a) / narrow

    low = a
    if square > spread:
        high = log(square - spread)
    else:
        high = a - tau
        while f(high) < 0.0:
            high -= tau
    at_low, at_high = f(low), f(high)
    while abs(high - low) > CLOSE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0.0:
            low, at_low = high, at_high
        else:
            at_low /= 2.0
        high, at_high = middle, at_middle
    return exp(low / 2.0)
