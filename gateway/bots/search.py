"""Alpha-beta with iterative deepening, for deterministic games of two seats.

A seat may move several times in a row: depth is counted in turns, and the sign of a value flips only when the seat
changes. A forced move costs no depth either, so that exchanges of captures are seen to their end. Small games are
solved: the deepening stops when no line was cut off by its depth.

Only moves that the game calls worth trying are searched. Not thread-safe, nothing is kept between two thoughts. Source:
Knuth and Moore, An Analysis of Alpha-Beta Pruning (1975), for the pruning.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Final, Generic, TypeAlias

from gateway.bots.budget import DECIDED, Budget, OutOfTime, ended
from gateway.games.base import Game, Position
from protocols.core.model import Move

DEEPEST_TURNS: Final = 60
"""Turns: no budget of ours reaches further; keeps a game of nothing but forced moves from deepening for ever."""

DEEPEST_PLY: Final = 120
"""Moves: a line ends here at any depth, well inside Python's recursion limit."""

TABLE_MAX: Final = 200_000
"""Positions remembered within one thought, some 100 MB at worst; beyond it nothing more is stored."""

INFINITE: Final = float("inf")

_Bound: TypeAlias = int
_EXACT, _AT_LEAST, _AT_MOST = 0, 1, 2


@dataclass(frozen=True, slots=True)
class _Known:
    """A transposition: the position's value to the seat to move, searched ``turns`` deep in this ``round``."""

    round: int
    turns: int
    bound: _Bound
    value: float
    best: Move | None


def weighed(game: Game[Position], position: Position, budget: Budget, rng: random.Random) -> tuple[Move, float | None]:
    """The best move that the budget allows to find, and its value to the seat to move; equals are chosen among by
    ``rng``. At least one must be legal.

    With no time at all it is a legal move chosen by ``rng``, and no value.
    """
    moves = list(game.worth_trying(position))
    rng.shuffle(moves)
    tree = _Tree(game, budget)
    found = None
    for turns in range(1, DEEPEST_TURNS + 1):
        value = tree.deepen(position, moves, turns)
        if value is None:
            break
        found = value
        if abs(value) > DECIDED or not tree.cut_off:
            break
    return moves[0], found


def best_move(game: Game[Position], position: Position, budget: Budget, rng: random.Random) -> Move:
    """The move of ``weighed``."""
    return weighed(game, position, budget, rng)[0]


@dataclass(slots=True)
class _Tree(Generic[Position]):
    """One thought: what it has learned about positions and moves so far."""

    game: Game[Position]
    budget: Budget
    round: int = 0
    cut_off: bool = False
    """True if this round estimated a position instead of playing it to the end."""
    known: dict[Position, _Known] = field(default_factory=dict)
    cuts: dict[Move, int] = field(default_factory=dict)
    """Counts refutations by each move, weighted by depth: good moves tend to be good elsewhere."""

    def deepen(self, position: Position, moves: list[Move], turns: int) -> float | None:
        """Search every one of ``moves`` and bring the best to the front, in place; its value, None if out of time.

        The best move of the round before is searched first, so a round that ends early never does worse than it.
        """
        self.round, self.cut_off = turns, False
        seat = self.game.to_move(position)
        assert isinstance(seat, int)
        best = -INFINITE
        try:
            for at in range(len(moves)):
                value = self.after(position, seat, moves[at], turns, best, INFINITE, 0)
                if value > best:
                    best = value
                    moves.insert(0, moves.pop(at))
        except OutOfTime:
            return None
        return best

    def after(
        self, position: Position, seat: int, move: Move, turns: int, alpha: float, beta: float, ply: int
    ) -> float:
        """The value of ``move`` to ``seat``, which makes it; ``turns`` counts the one it belongs to."""
        position = self.game.play(position, move)
        turn = self.game.to_move(position)
        if turn is None:
            return ended(self.game, position, seat, ply + 1)
        if turn == seat:
            return self.value(position, seat, turns, alpha, beta, ply + 1)
        assert isinstance(turn, int)
        return -self.value(position, turn, turns - 1, -beta, -alpha, ply + 1)

    def value(self, position: Position, seat: int, turns: int, alpha: float, beta: float, ply: int) -> float:
        """The position's value to ``seat``, which is to move; a bound of it outside (alpha, beta)."""
        self.budget.check()
        if turns <= 0 or ply >= DEEPEST_PLY:
            self.cut_off = True
            return self.game.evaluate(position, seat)
        known = self.known.get(position)
        if known is not None and known.turns >= turns and _settles(known, alpha, beta, ply):
            self.cut_off = self.cut_off or known.round != self.round
            return _seen_from(known.value, ply)
        moves = self.ordered(position, known)
        reach = turns + 1 if len(moves) == 1 else turns
        best, choice = -INFINITE, moves[0]
        floor = alpha
        for move in moves:
            value = self.after(position, seat, move, reach, floor, beta, ply)
            if value > best:
                best, choice = value, move
                floor = max(floor, value)
            if floor >= beta:
                self.cuts[move] = self.cuts.get(move, 0) + turns * turns
                break
        self.learn(position, turns, alpha, beta, best, choice, ply)
        return best

    def ordered(self, position: Position, known: _Known | None) -> list[Move]:
        """The legal moves: the best one known here first, then by how often they refuted others."""
        moves = self.game.worth_trying(position)
        if len(moves) == 1:
            return moves
        cuts = self.cuts
        moves = sorted(moves, key=lambda move: cuts.get(move, 0), reverse=True)
        if known is not None and known.best in moves:
            moves.remove(known.best)
            moves.insert(0, known.best)
        return moves

    def learn(
        self, position: Position, turns: int, alpha: float, beta: float, value: float, best: Move, ply: int
    ) -> None:
        """Remember what a search of the window (alpha, beta) found."""
        if len(self.known) >= TABLE_MAX and position not in self.known:
            return
        bound = _AT_LEAST if value >= beta else _AT_MOST if value <= alpha else _EXACT
        self.known[position] = _Known(self.round, turns, bound, _seen_from(value, -ply), best)


def _seen_from(value: float, ply: int) -> float:
    """A decided value counts moves from the root of the search: the same value seen ``ply`` moves later."""
    if value > DECIDED:
        return value - ply
    if value < -DECIDED:
        return value + ply
    return value


def _settles(known: _Known, alpha: float, beta: float, ply: int) -> bool:
    """True if what is known is all that a search of (alpha, beta) could tell."""
    value = _seen_from(known.value, ply)
    if known.bound == _EXACT:
        return True
    return value >= beta if known.bound == _AT_LEAST else value <= alpha
