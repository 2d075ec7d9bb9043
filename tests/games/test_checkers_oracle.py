"""Checkers against pydraughts: in random games both know the same captures and steps, and come to the same boards."""

from __future__ import annotations

import random
from collections.abc import Iterator

import draughts
import pytest

from gateway.games.checkers.rules import Checkers, Position
from protocols.core.model import Move

GAME = Checkers()
SQUARE = {y * 8 + x: y * 4 + x // 2 + 1 for y in range(8) for x in range(8) if (x + y) % 2}
"""PDN numbers by square number."""


TOGETHER = 100
"""Games of one test: a nightly run shows every quarter of a minute that it goes on."""

SEEDS = [
    pytest.param(range(15), id="day"),
    *(
        pytest.param(range(first, first + TOGETHER), id=f"night-{first}", marks=pytest.mark.nightly)
        for first in range(0, 500, TOGETHER)
    ),
]


def turns(position: Position) -> Iterator[tuple[tuple[int, ...], tuple[Move, ...]]]:
    """Every whole turn: the PDN squares it visits, and its moves."""
    for move in GAME.legal_moves(position):
        after = GAME.play(position, move)
        start, end = SQUARE[move.source or 0], SQUARE[move.target or 0]
        if after.turn != position.turn:
            yield (start, end), (move,)
            continue
        for squares, moves in turns(after):
            yield (start, *squares), (move, *moves)


def listed(position: Position) -> set[str]:
    """The pieces as pydraughts lists them in a FEN: W or B, K for a king, the number."""
    kinds = {"man": "", "king": "K"}
    board = ((SQUARE[at], piece.split()) for at, piece in GAME.board(position).items())
    return {f"{side[0].upper()}{kinds[kind]}{number}" for number, (side, kind) in board}


def listed_by(oracle: draughts.Board) -> set[str]:
    sides = oracle.fen.split(":")[1:]
    return {side[0] + piece for side in sides for piece in side[1:].split(",") if piece}


@pytest.mark.parametrize("seeds", SEEDS)
def test_whole_turns_are_those_of_an_independent_implementation(seeds: range) -> None:
    for seed in seeds:
        choose = random.Random(seed)
        position, oracle = Position(), draughts.Board(variant="english")
        while GAME.outcome(position) is None:
            ours = dict(turns(position))
            theirs = {tuple(move.steps_move): move for move in oracle.legal_moves()}
            assert set(ours) == set(theirs), GAME.text(position)
            squares = choose.choice(sorted(ours))
            for move in ours[squares]:
                position = GAME.play(position, move)
            oracle.push(theirs[squares])
            assert listed(position) == listed_by(oracle), GAME.text(position)
        if "cannot move" in str(GAME.outcome(position)):
            assert oracle.legal_moves() == []
