"""Looks at a finished game from its first position to its last: what each is worth, the better move, what turned it."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import msgspec

from gateway.bots.budget import DECIDED, WIN
from gateway.bots.frames import Chosen
from gateway.bots.verdict import Scored, Verdict, shares, turning_points
from gateway.games.base import Game
from gateway.table.evolve import played_on, stepped
from gateway.table.state import State, steps
from protocols.core.model import Move

MOVE_S: Final = 0.3
"""Seconds of thought for one position: Stockfish then sees further than any person at the board."""

GAME_S: Final = 90.0
"""Seconds of thought for a whole game; a long one has less for each position."""

SOON: Final = 10_000
"""Moves: a value of the house's search nearer to a win than this is one, and no mean over rolls of the dice."""

Weigh: TypeAlias = Callable[[Any, float], Awaitable[Verdict]]
"""Weighs a position in which a seat is to move, within so many seconds."""


class BestMove(msgspec.Struct, frozen=True):
    """A move, and how the game writes it."""

    move: Move
    notation: str


class Looked(msgspec.Struct, frozen=True):
    """The position after ``ply`` moves, seen by the first seat.

    ``score`` is in the unit of the analysis; null with a ``win_in``: moves to the win of the first seat, or less than 0
    of the second; both are null where the game is over by its rules. ``share`` goes from -1, the second seat wins, to
    1.
    ``best`` is the engine's move here, null where it names none. ``turning``: the move before this position lost so
    much of its mover's share that it turned the game.
    """

    ply: int
    score: float | None
    win_in: int | None
    share: float
    best: BestMove | None
    turning: bool


class Result(msgspec.Struct, frozen=True):
    """A whole analysis. ``engine`` is what the engine calls itself; ``unit`` is "centipawns", "points" or "house"."""

    engine: str
    unit: str
    positions: list[Looked]


@dataclass(frozen=True, slots=True)
class Played:
    """A game as it was played: the positions before each move and the last, and each move with its seat."""

    positions: list[Any]
    movers: list[int]
    moves: list[Move]


def played(state: State) -> Played:
    """The last game of a table; without the moves taken back."""
    found = Played([], [], [])
    position = state.game.start(state.settings)
    for step in steps(state):
        if step.move is not None:
            position = played_on(state.game, position)
            found.positions.append(position)
            found.movers.append(step.seat)
            found.moves.append(step.move)
        position = stepped(state.game, position, step)
    found.positions.append(position)
    return found


async def examined(state: State, way: Played, unit: str, weigh: Weigh, progress: Callable[[int], None]) -> list[Looked]:
    """Every position of ``way``, the last game at a table of two; ``progress`` is told how many are done."""
    game = state.game
    budget_s = min(MOVE_S, GAME_S / len(way.positions))
    scored: list[Scored] = []
    best: list[BestMove | None] = []
    for position in way.positions:
        turn = game.to_move(position)
        if isinstance(turn, int):
            verdict = await weigh(position, budget_s)
            scored.append(_by_first(verdict, turn))
            best.append(_written(game, position, verdict.best))
        else:
            scored.append(_last(state, position))
            best.append(None)
        progress(len(scored))
    found = shares(scored, unit)
    turned = {ply for ply in turning_points(found, way.movers) if _differs(best[ply - 1], way.moves[ply - 1])}
    return [
        Looked(ply, each.score, each.win_in, found[ply], best[ply], ply in turned) for ply, each in enumerate(scored)
    ]


def _differs(best: BestMove | None, made: Move) -> bool:
    """False where the engine's own move was made: then it saw further behind it, and nothing was better."""
    return best is None or best.move != made


def _by_first(verdict: Verdict, seat: int) -> Scored:
    sign = 1 if seat == 0 else -1
    score = None if verdict.win_in is not None else sign * (verdict.score or 0.0)
    return Scored(score, None if verdict.win_in is None else sign * verdict.win_in)


def _last(state: State, position: Any) -> Scored:
    """A position in which no seat is to move: the game has ended there, or was given up before a roll of the dice."""
    if state.game.to_move(position) is not None:
        return Scored(state.game.evaluate(position, 0), None)
    outcome = state.game.outcome(position) or state.outcome
    if outcome is None or outcome.winner is None:
        return Scored(None, None, 0)
    return Scored(None, None, 1 if outcome.winner == 0 else -1)


def _written(game: Game[Any], position: Any, move: Move | None) -> BestMove | None:
    return None if move is None else BestMove(move, game.notation(position, move))


def house_verdict(game: Game[Any], position: Any, chosen: Chosen) -> Verdict:
    """The verdict of the house's own search. A value that counts moves to the end is a win or a loss."""
    seat = game.to_move(position)
    assert isinstance(seat, int)
    value = chosen.value
    if value is not None and abs(value) > DECIDED and (away := WIN - abs(value)) < SOON:
        return Verdict(None, math.ceil(max(1.0, away) / 2) * (1 if value > 0 else -1), chosen.move)
    if value is None or abs(value) > DECIDED:  # no time to look further, or a mean over rolls, some of which win
        value = game.evaluate(position, seat)
    return Verdict(round(value, 3), None, chosen.move)
