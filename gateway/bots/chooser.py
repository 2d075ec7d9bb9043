"""Chooses a house bot's move: by the search that fits the game, for as long as its level allows.

The server asks through pool.py; a bot at the client's end calls ``choose`` itself::

    move = choose(game, position, 2, None, time.monotonic, random.Random())
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from gateway.bots import beam_search, expectimax, search
from gateway.bots.budget import Budget
from gateway.games.base import Game, Position
from gateway.games.parts import Chance
from protocols.core.model import Move

LEVELS: Final = {1: 0.05, 2: 0.3, 3: 1.0}
"""Seconds of thought for one move, by level. In a turn of several moves each has as much."""

DEFAULT_LEVEL: Final = 2

VERSION: Final = 1
"""The version of these searches: it rises when one of them plays better or worse, for ratings are of a version."""

SMALL_BOARD: Final = 9
"""Squares: a game on no more can be played to its end in thought, from the first move in some 50 ms. So that none is
lost because the machine was busy, such a thought may take SOLVING_S."""

SOLVING_S: Final = 1.0
"""Seconds: for a plug-in whose small board hides a large game."""


def choose(
    game: Game[Position],
    position: Position,
    level: int,
    budget_s: float | None,
    now: Callable[[], float],
    rng: random.Random,
) -> Move:
    """A legal move for the seat to move, within ``budget_s`` seconds of ``now`` (None: what ``level`` allows).

    On a SMALL_BOARD any budget but 0 becomes SOLVING_S, of which little is used.

    The same arguments give the same move where ``now`` does. Any budget gives a legal move: at 0 one chosen by
    ``rng``. A thought ends at most one position after its deadline. ValueError: no such level, or no seat to move.
    """
    full_s = seconds(level)
    moves = game.legal_moves(position)
    if not moves:
        raise ValueError(f"nobody can move in this position of {game.name}")
    if len(moves) == 1:
        return moves[0]
    return weighed(game, position, full_s if budget_s is None else budget_s, now, rng)[0]


def weighed(
    game: Game[Position], position: Position, budget_s: float, now: Callable[[], float], rng: random.Random
) -> tuple[Move, float | None]:
    """The move of ``choose``, and its value to the seat to move; None where there was no time to weigh any."""
    budget = Budget(now, now() + _allowed(game, budget_s))
    if has_dice(game) or has_many_seats(game):
        return expectimax.weighed(game, position, budget, rng)
    if has_long_turns(game):
        return beam_search.weighed(game, position, budget, rng)
    return search.weighed(game, position, budget, rng)


def seconds(level: int) -> float:
    """Seconds of thought for one move at ``level``. ValueError names the levels there are."""
    if level not in LEVELS:
        raise ValueError(f"no level {level}; there are {', '.join(map(str, LEVELS))}")
    return LEVELS[level]


def _allowed(game: Game[Any], budget_s: float) -> float:
    """Seconds of thought: the budget, more on a small board, but none where none is given."""
    small = all(variant.width * variant.height <= SMALL_BOARD for variant in game.variants)
    return max(budget_s, SOLVING_S) if small and budget_s > 0 else budget_s


def has_dice(game: Game[Any]) -> bool:
    """True if anything is ever rolled in this game."""
    return isinstance(game, Chance)


def has_many_seats(game: Game[Any]) -> bool:
    """True if some rule set seats more than two."""
    return any(max(variant.seats) > 2 for variant in game.variants)


@cache
def has_long_turns(game: Game[Any]) -> bool:
    """True if turns are several moves long as a rule: the seat of the first move makes the second, too."""
    first = game.start(game.settings())
    return all(game.to_move(game.play(first, move)) == game.to_move(first) for move in game.legal_moves(first))
