"""Checkers against pydraughts: in thousands of positions both know exactly the same captures and steps."""

from __future__ import annotations

import random
from collections.abc import Iterator

import draughts
import pytest

from gateway.games.checkers import Checkers, Position
from protocols.core.model import Move

GAME = Checkers()
SQUARE = {y * 8 + x: y * 4 + x // 2 + 1 for y in range(8) for x in range(8) if (x + y) % 2}
"""PDN numbers by square number."""


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


@pytest.mark.parametrize(
    "games", [pytest.param(40, id="day"), pytest.param(200, id="night", marks=pytest.mark.nightly)]
)
def test_whole_turns_are_those_of_an_independent_implementation(games: int) -> None:
    choose = random.Random(20)
    compared = 0
    for _ in range(games):
        position, oracle = Position(), draughts.Board(variant="english")
        while GAME.outcome(position) is None:
            ours = dict(turns(position))
            theirs = {tuple(move.steps_move): move for move in oracle.legal_moves()}
            assert set(ours) == set(theirs), GAME.text(position)
            compared += 1
            squares = choose.choice(sorted(ours))
            for move in ours[squares]:
                position = GAME.play(position, move)
            oracle.push(theirs[squares])
        if "cannot move" in str(GAME.outcome(position)):
            assert oracle.legal_moves() == []
    assert compared > 50 * games
