"""Gives the tests of bots a clock that counts positions, and plays games to their end."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gateway.bots.chooser import choose
from gateway.games.base import CHANCE, Game
from gateway.games.parts import chance_of
from protocols.core.model import Move, Outcome

Mover = Callable[[Any], Move]


@dataclass(slots=True)
class Ticks:
    """A clock that is ``step_s`` later each time it is asked: at one second, a budget of n seconds is n positions."""

    asked: int = 0
    step_s: float = 1.0

    def __call__(self) -> float:
        self.asked += 1
        return self.asked * self.step_s


def thinker(game: Game[Any], nodes: int, rng: random.Random) -> Mover:
    """A mover that looks at ``nodes`` positions a move."""
    return lambda position: choose(game, position, 2, float(nodes), Ticks(), rng)


def aimless(game: Game[Any], rng: random.Random) -> Mover:
    """A mover that plays any legal move."""
    return lambda position: rng.choice(game.legal_moves(position))


def finished(
    game: Game[Any], movers: list[Mover], rng: random.Random, longest: int, variant: str = ""
) -> Outcome | None:
    """Return how a game of the default rule set, or of ``variant``, ends; None after ``longest`` moves."""
    position = game.start(game.settings(variant))
    for _ in range(longest):
        turn = game.to_move(position)
        while turn == CHANCE:
            position = chance_of(game).rolled(position, rng.randint(1, chance_of(game).chance(position).sides))
            turn = game.to_move(position)
        if not isinstance(turn, int):
            return game.outcome(position)
        position = game.play(position, movers[turn](position))
    return game.outcome(position)
