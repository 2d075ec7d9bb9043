"""Verdicts of engines on a position, how scores of different engines are compared, and which moves turned a game.

A score is in its engine's own unit: hundredths of a pawn for chess, points for Go, and for the server's own search what
the game's ``evaluate`` counts, which means something only beside other scores of the same game. The ``share`` makes
them comparable: from -1, the second seat wins, to 1, the first seat wins, by a logistic curve.

Source of the chess curve: lichess.org/page/accuracy, which fitted it to games of people rated around 2300.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from protocols.core.model import Move

CENTIPAWNS, POINTS, HOUSE = "centipawns", "points", "house"
"""Units of scores."""

STEEPNESS: Final = {CENTIPAWNS: 0.00368208, POINTS: 0.1}
"""By unit, what a score is multiplied by before the curve. 100 centipawns are a share of 0.18, ten points one of 0.46.
The house's own unit differs from game to game: there the mean score of the game is 1."""

TURNING: Final = 0.3
"""A move is a turning point where its mover's share falls by at least so much: 15 of 100 games."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A position's worth to the seat to move: ``score`` in the engine's unit, or a win in so many moves (less than 0:
    a loss). ``best`` None: the engine names no move."""

    score: float | None
    win_in: int | None
    best: Move | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """A position's worth to seat 0. Neither ``score`` nor ``win_in``: the game is over, ``won`` says how: 1, -1, or 0
    for a draw."""

    score: float | None
    win_in: int | None
    won: int | None = None


def shares(scored: Sequence[Scored], unit: str) -> list[float]:
    """The share of each position, rounded to thousandths."""
    steepness = STEEPNESS.get(unit) or 1 / _mean(scored)
    return [round(_share(each, steepness), 3) for each in scored]


def _mean(scored: Sequence[Scored]) -> float:
    sizes = [abs(each.score) for each in scored if each.score]
    return sum(sizes) / len(sizes) if sizes else 1.0


def _share(scored: Scored, steepness: float) -> float:
    if scored.won is not None:
        return float(scored.won)
    if scored.win_in is not None:
        return 1.0 if scored.win_in > 0 else -1.0
    return math.tanh((scored.score or 0.0) * steepness / 2)


def turning_points(found: Sequence[float], movers: Sequence[int]) -> list[int]:
    """The plies, from 1, of the moves that turned the game. ``found`` are shares before the first move and after each;
    ``movers`` the seat of each move."""
    falls = (
        (before - after) * (1 if seat == 0 else -1)
        for before, after, seat in zip(found[:-1], found[1:], movers, strict=True)
    )
    return [ply for ply, fall in enumerate(falls, 1) if fall >= TURNING]
