"""Expectimax: one move and the roll after it, for games with dice or more than two seats, such as Ludo.

Every legal move is weighed by the average over the roll that follows it, where the seat to move then makes the move
that looks best to them. It does not look further ahead. Source: the project's own.
"""

from __future__ import annotations

import random
from statistics import fmean

from gateway.bots.budget import Budget, OutOfTime, worth
from gateway.games.base import CHANCE, Game, Position
from gateway.games.parts import chance_of
from protocols.core.model import Move


def weighed(game: Game[Position], position: Position, budget: Budget, rng: random.Random) -> tuple[Move, float | None]:
    """The move with the best prospects, and these; equals are chosen among by ``rng``. At least one must be legal.

    With little time the roll after is left out; with no time at all it is a legal move chosen by ``rng``, and no value.
    """
    seat = game.to_move(position)
    assert isinstance(seat, int)
    moves = list(game.legal_moves(position))
    rng.shuffle(moves)
    best, value = moves[0], None
    try:
        for look in (_seen, _prospect):
            values = [look(game, game.play(position, move), seat, budget) for move in moves]
            value = max(values)
            best = moves[values.index(value)]
    except OutOfTime:
        pass
    return best, value


def best_move(game: Game[Position], position: Position, budget: Budget, rng: random.Random) -> Move:
    """The move of ``weighed``."""
    return weighed(game, position, budget, rng)[0]


def _seen(game: Game[Position], position: Position, seat: int, budget: Budget) -> float:
    """The value of a position to ``seat`` without looking ahead."""
    budget.check()
    return worth(game, position, seat, 1)


def _prospect(game: Game[Position], position: Position, seat: int, budget: Budget) -> float:
    """Its value after the roll that may be due and the move after that."""
    if game.to_move(position) != CHANCE:
        return _answered(game, position, seat, budget)
    rolls = chance_of(game)
    sides = range(1, rolls.chance(position).sides + 1)
    return fmean(_answered(game, rolls.rolled(position, side), seat, budget) for side in sides)


def _answered(game: Game[Position], position: Position, seat: int, budget: Budget) -> float:
    """Its value to ``seat`` after the best move of the seat to move; without a legal move its own."""
    budget.check()
    turn = game.to_move(position)
    if not isinstance(turn, int):
        return worth(game, position, seat, 1)
    nexts = [game.play(position, move) for move in game.legal_moves(position)]
    chosen = max(nexts, key=lambda after: worth(game, after, turn, 2), default=position)
    return worth(game, chosen, seat, 2)
