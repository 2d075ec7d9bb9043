"""Measures the rules of a game by the move, step by step as a table asks them, on one core, without wire or record.

scripts.py has the games that are played. Every move is the first on its position, so nothing is known before it: what
one step works out and a position keeps (chess does) is counted where it is first asked, as at a table.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

from bench import scripts
from gateway import registry
from gateway.games.base import Game
from protocols.core.model import Move

STEPS: Final = ("play", "notation", "changes", "text", "turn")
"""``normal`` and ``play``; ``notation``; ``changes``; ``brief``, which for chess is the FEN; ``to_move``."""

FEWER: Final = {"go": 2}
"""Games of a script, where one has a thousand moves and takes a second to make."""

ROUNDS: Final = 3
"""Times all the scripted games are replayed: the quickest counts, the others were disturbed."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds a move for each of STEPS; ``men`` are the pieces on the board, on average."""

    game: str
    moves: int
    men: float
    steps: tuple[float, ...]

    @property
    def whole(self) -> float:
        """Seconds a move for all of them."""
        return sum(self.steps)


def cost(name: str, rounds: int = ROUNDS) -> Cost:
    """The quickest of so many replays of the scripted games."""
    game, played = registry.game(name), scripts.games(name, count=FEWER.get(name, 0))
    moves = sum(map(len, played))
    men = sum(_men(game, script) for script in played)
    gc.disable()  # a server keeps its games from the collector too
    try:
        quickest = min((_replay(game, played) for _ in range(rounds)), key=sum)
    finally:
        gc.enable()
    return Cost(name, moves, men / moves, tuple(seconds / moves for seconds in quickest))


def _replay(game: Game[Any], played: Sequence[Sequence[Move]]) -> list[float]:
    """Seconds for each of STEPS."""
    spent = [0.0] * len(STEPS)
    for script in played:
        position = game.start(game.settings())
        for move in script:
            times = [perf_counter()]
            after = game.play(position, game.normal(position, move))
            times.append(perf_counter())
            game.notation(position, move)
            times.append(perf_counter())
            game.changes(position, move)
            times.append(perf_counter())
            game.brief(after)
            times.append(perf_counter())
            game.to_move(after)
            times.append(perf_counter())
            for step in range(len(STEPS)):
                spent[step] += times[step + 1] - times[step]
            position = after
    return spent


def _men(game: Game[Any], script: Sequence[Move]) -> int:
    """The pieces on the board before each move, added up."""
    position, total = game.start(game.settings()), 0
    for move in script:
        total += len(game.board(position))
        position = game.play(position, move)
    return total
