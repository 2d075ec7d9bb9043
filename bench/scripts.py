"""Scripts of the load's clients: seeded random games, long ones, as moves."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from gateway import registry
from gateway.games.base import Game
from protocols.core.model import PASS, Move

GAMES: Final = 16
"""Different games in a script: enough that tables do not run in step."""

LENGTH: Final = 700
"""Moves a game should have: sitting down again and again is not what is measured."""

EFFORT: Final = 6000
"""Moves tried for each game; when one has ended early, some of its last moves are taken back and others tried."""

QUIET: Final = 20
"""Moves in a row at most that bring no progress as the rules count it; then one must that does, where one can, so that
a game does not end as drawn."""


@cache
def games(name: str, seed: int = 1, count: int = 0) -> tuple[tuple[Move, ...], ...]:
    """So many (0: GAMES) long whole games of this name, in order; the rules end them, and say whose turn it is."""
    chance = random.Random(seed)
    return tuple(tuple(_game(registry.game(name), chance)) for _ in range(count or GAMES))


def _game(game: Game[Any], chance: random.Random) -> list[Move]:
    lasting = _LASTING[game.name]
    positions: list[Any] = [game.start(game.settings())]
    moves: list[Move] = []
    longest: list[Move] = []
    for _ in range(EFFORT):
        legal = game.legal_moves(positions[-1])
        if not legal:
            longest = max(longest, moves.copy(), key=len)
            back = chance.randint(1, min(60, len(moves)))
            del moves[-back:], positions[-back:]
            continue
        if len(moves) >= LENGTH:
            break
        moves.append(chance.choice(lasting(game, positions[-1], legal)))
        positions.append(game.play(positions[-1], moves[-1]))
    while len(moves) >= LENGTH and (legal := game.legal_moves(positions[-1])):
        moves.append(chance.choice(legal))  # long enough: to the end
        positions.append(game.play(positions[-1], moves[-1]))
    return max(longest, moves if not game.legal_moves(positions[-1]) else [], key=len)


def _checkers(game: Game[Any], position: Any, legal: Sequence[Move]) -> Sequence[Move]:
    """The legal moves that leave the other side nothing to capture, kings' while that may go on."""
    board = game.board(position)
    safe = [move for move in legal if not any(map(_hops, game.legal_moves(game.play(position, move))))]
    kings = [move for move in safe or legal if board[move.source or 0].endswith("king")]
    men = [move for move in safe or legal if move not in kings]
    return (kings or men) if len(position.quiet) < QUIET else (men or kings)


def _hops(move: Move) -> bool:
    """A capture goes two rows on."""
    return abs((move.source or 0) // 8 - (move.target or 0) // 8) == 2


def _chess(game: Game[Any], position: Any, legal: Sequence[Move]) -> Sequence[Move]:
    """The legal moves that capture nothing, pieces' while that may go on, pawns' then."""
    board = game.board(position)
    calm = [move for move in legal if move.target not in board]
    pawns = [move for move in calm if board[move.source or 0].endswith("pawn")]
    pieces = [move for move in calm if move not in pawns]
    return (pieces or pawns or legal) if position.counters[0] < QUIET else (pawns or legal)


def _go(game: Game[Any], position: Any, legal: Sequence[Move]) -> Sequence[Move]:
    """The legal moves that place a stone."""
    return [move for move in legal if move != PASS] or legal


def wandering(game: Game[Any], position: Any, length: int, seed: int = 1) -> Iterator[Move]:
    """Random moves from this position on that keep the game going."""
    chance = random.Random(seed)
    for _ in range(length):
        move = chance.choice(_LASTING[game.name](game, position, game.legal_moves(position)))
        yield move
        position = game.play(position, move)


_LASTING: Final[Mapping[str, Callable[[Game[Any], Any, Sequence[Move]], Sequence[Move]]]] = {
    "checkers": _checkers,
    "chess": _chess,
    "go": _go,
}
"""For each game that can be measured: the moves that keep it going."""
