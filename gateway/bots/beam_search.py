"""Beam search over whole turns, for games of two seats whose turns are several moves long, such as Arimaa.

Plans for a whole turn are grown move by move, the best ``width`` kept after each; the best finished ones are weighed
by the other seat's best plan in answer. The beam is widened until the budget is spent. Only the first move of the
best plan is played: the next one is planned anew, from a better view.

It looks at one answer only, so it overlooks a plan whose first moves look bad. Source: the project's own.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final, Generic

from gateway.bots.budget import DECIDED, Budget, OutOfTime, ended
from gateway.games.base import Game, Position
from protocols.core.model import Move

PLAN_MOVES: Final = 4
"""Moves: a plan ends here even in the middle of a turn. Arimaa's turns have four; a set-up has sixteen."""

WIDEST: Final = 256
"""Plans kept side by side; no budget of ours comes near."""


@dataclass(frozen=True, slots=True)
class Plan(Generic[Position]):
    """The beginning of a turn: its first move, the position after its last, what that is worth to the seat."""

    first: Move | None
    position: Position
    value: float


def weighed(game: Game[Position], position: Position, budget: Budget, rng: random.Random) -> tuple[Move, float | None]:
    """The first move of the best plan that the budget allows to find, and the plan's value. At least one move must be
    legal.

    With no time at all it is a legal move chosen by ``rng``, and no value.
    """
    planner = _Planner(game, budget, rng)
    seat = game.to_move(position)
    assert isinstance(seat, int)
    best, value = rng.choice(game.legal_moves(position)), None
    try:
        best, value = planner.greedy(position, seat)
        width = 1
        while width <= WIDEST:
            best, value = planner.weighed(position, seat, width)
            width *= 2
    except OutOfTime:
        pass
    return best, value


def best_move(game: Game[Position], position: Position, budget: Budget, rng: random.Random) -> Move:
    """The move of ``weighed``."""
    return weighed(game, position, budget, rng)[0]


@dataclass(frozen=True, slots=True)
class _Planner(Generic[Position]):
    game: Game[Position]
    budget: Budget
    rng: random.Random

    def greedy(self, position: Position, seat: int) -> tuple[Move, float]:
        """The move that looks best at once, and its value."""
        ended_now, going_on = self.grown([Plan(None, position, 0.0)], seat)
        best = max(ended_now + going_on, key=_value)
        assert best.first is not None
        return best.first, best.value

    def weighed(self, position: Position, seat: int, width: int) -> tuple[Move, float]:
        """The first move of the plan that is best after the other seat's best answer to it, and its value then."""
        plans = self.finished(position, seat, width)[: width + 1]
        values = [self.answered(plan, seat, (width + 1) // 2) for plan in plans]
        value = max(values)
        best = plans[values.index(value)]
        assert best.first is not None
        return best.first, value

    def answered(self, plan: Plan[Position], seat: int, width: int) -> float:
        """The value of a plan to ``seat`` after the best answer of the seat that moves then."""
        turn = self.game.to_move(plan.position)
        if not isinstance(turn, int) or turn == seat:
            return plan.value
        return -self.finished(plan.position, turn, width)[0].value

    def finished(self, position: Position, seat: int, width: int) -> list[Plan[Position]]:
        """Plans for the rest of the turn of ``seat``, best first; at least one."""
        done: list[Plan[Position]] = []
        growing: list[Plan[Position]] = [Plan(None, position, 0.0)]
        for _ in range(PLAN_MOVES):
            ended_now, going_on = self.grown(growing, seat)
            done += ended_now
            going_on.sort(key=_value, reverse=True)
            growing = going_on[:width]
            if not growing or (done and max(done, key=_value).value > DECIDED):
                break
        return sorted(done + growing, key=_value, reverse=True)

    def grown(self, plans: list[Plan[Position]], seat: int) -> tuple[list[Plan[Position]], list[Plan[Position]]]:
        """Each plan with each next move: those whose turn is over, and those that go on. A position counts once."""
        over: dict[Position, Plan[Position]] = {}
        going_on: dict[Position, Plan[Position]] = {}
        for plan in plans:
            moves = list(self.game.legal_moves(plan.position))
            self.rng.shuffle(moves)
            for move in moves:
                self.budget.check()
                position = self.game.play(plan.position, move)
                turn = self.game.to_move(position)
                value = ended(self.game, position, seat, 1) if turn is None else self.game.evaluate(position, seat)
                (going_on if turn == seat else over).setdefault(position, Plan(plan.first or move, position, value))
        return list(over.values()), list(going_on.values())


def _value(plan: Plan[Position]) -> float:
    return plan.value
