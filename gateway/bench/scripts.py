"""What the load's clients play: seeded random games of checkers, as Bogaprot moves. Not here: playing them."""

from __future__ import annotations

import random
import struct
from functools import cache
from typing import Any, Final

from gateway import registry
from gateway.games.base import Game
from protocols.core.model import Move

GAME: Final = "checkers"
GAMES: Final = 16
"""Different games in a script: enough that tables do not run in step."""

LENGTH: Final = 700
"""Moves a game should have: sitting down again and again is not what is measured."""

EFFORT: Final = 6000
"""Moves tried for each game; when one has ended early, some of its last moves are taken back and others tried."""

QUIET: Final = 20
"""Moves of kings in a row at most; then a man must move where one can, so that a game does not end as drawn."""

_MOVE: Final = struct.Struct("!iii")
MSG_MOVE: Final = 108


@cache
def games(seed: int = 1) -> list[list[bytes]]:
    """GAMES long whole games, each a list of MSG_MOVEs in order; whose turn it is, the server says."""
    chance = random.Random(seed)
    return [[_MOVE.pack(MSG_MOVE, move.source, move.target) for move in _game(chance)] for _ in range(GAMES)]


def _game(chance: random.Random) -> list[Move]:
    game = registry.game(GAME)
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
        moves.append(chance.choice(_peaceful(game, positions, legal)))
        positions.append(game.play(positions[-1], moves[-1]))
    while len(moves) >= LENGTH and (legal := game.legal_moves(positions[-1])):
        moves.append(chance.choice(legal))  # long enough: to the end, whatever comes
        positions.append(game.play(positions[-1], moves[-1]))
    return max(longest, moves if not game.legal_moves(positions[-1]) else [], key=len)


def _peaceful(game: Game[Any], positions: list[Any], legal: list[Move]) -> list[Move]:
    """Of the legal moves those that leave the other side nothing to capture, kings' while that may go on."""
    board = game.board(positions[-1])
    safe = [move for move in legal if not any(map(_captures, game.legal_moves(game.play(positions[-1], move))))]
    kings = [move for move in safe or legal if board[move.source or 0].endswith("king")]
    men = [move for move in safe or legal if move not in kings]
    return (kings or men) if len(positions[-1].quiet) < QUIET else (men or kings)


def _captures(move: Move) -> bool:
    """A capture goes two rows on."""
    return abs((move.source or 0) // 8 - (move.target or 0) // 8) == 2
