"""Limits how long a thought takes, and rates the position where it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gateway.games.base import Game, Position
from gateway.games.parts import stopped

WIN: Final = 1e9
"""The value of a won game, less the number of moves to it. Games' own evaluations stay far below DECIDED."""

DECIDED: Final = 1e8
"""A value beyond this, either way, is a game that is won or lost and not an estimate."""


class OutOfTime(Exception):
    """The budget is spent; the best move found so far is to be played."""


@dataclass(frozen=True, slots=True)
class Budget:
    """A deadline on the time line of ``now``, in seconds."""

    now: Callable[[], float]
    deadline: float

    def check(self) -> None:
        """Raise OutOfTime at or after the deadline. Asks ``now`` once: a counting ``now`` makes a budget of nodes."""
        if self.now() >= self.deadline:
            raise OutOfTime


def ended(game: Game[Position], position: Position, seat: int, ply: int) -> float:
    """The value of a finished game to ``seat``, ``ply`` moves from now: early wins before late ones, 0 for a draw.

    A position that is still to be settled has the game's own evaluation.
    """
    outcome = game.outcome(position)
    if outcome is None and stopped(game, position) is not None:
        return game.evaluate(position, seat)
    if outcome is None or outcome.winner is None:
        return 0.0
    return WIN - ply if outcome.winner == seat else ply - WIN


def worth(game: Game[Position], position: Position, seat: int, ply: int) -> float:
    """The value of ``position`` to ``seat`` without looking further: the result, or the game's own estimate."""
    if game.to_move(position) is None:
        return ended(game, position, seat, ply)
    return game.evaluate(position, seat)
