"""Reversi against others: a second implementation that walks from square to square, and the published counts."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from gateway.games.reversi import Position, Reversi
from protocols.core.model import Move

GAME = Reversi()

PUBLISHED = (1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288)
"""The number of games of each length, a pass counted as a move."""

Board = dict[tuple[int, int], str]
"""Discs by column and row."""

WAYS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
ALL = [(x, y) for y in range(8) for x in range(8)]


def turned(board: Board, side: str, at: tuple[int, int]) -> set[tuple[int, int]]:
    """The discs that turn over when ``side`` plays here."""
    found: set[tuple[int, int]] = set()
    for dx, dy in WAYS:
        line, (x, y) = [], (at[0] + dx, at[1] + dy)
        while board.get((x, y), side) != side:
            line.append((x, y))
            x, y = x + dx, y + dy
        if (x, y) in board:
            found.update(line)
    return found


def choices(board: Board, side: str) -> set[tuple[int, int]]:
    return {at for at in ALL if at not in board and turned(board, side, at)}


@pytest.mark.parametrize("seed", range(40))
def test_a_game_goes_as_the_other_implementation_plays_it(seed: int) -> None:
    choose = random.Random(seed)
    position = Position()
    board: Board = {(4, 3): "black", (3, 4): "black", (3, 3): "white", (4, 4): "white"}
    side, other = "black", "white"
    while choices(board, side) or choices(board, other):
        if not choices(board, side):
            side, other = other, side
            continue
        assert GAME.to_move(position) == ("black", "white").index(side)
        assert {divmod(move.target or 0, 8)[::-1] for move in GAME.legal_moves(position)} == choices(board, side)
        x, y = choose.choice(sorted(choices(board, side)))
        move = Move(None, y * 8 + x, side)
        changed = {(x, y), *turned(board, side, (x, y))}
        assert GAME.changes(position, move) == sorted((y * 8 + x, side) for x, y in changed)
        board.update(dict.fromkeys(changed, side))
        position = GAME.play(position, move)
        assert GAME.board(position) == {y * 8 + x: board[x, y] for x, y in ALL if (x, y) in board}
        side, other = other, side
    outcome = GAME.outcome(position)
    black, white = (list(board.values()).count(colour) for colour in ("black", "white"))
    assert outcome is not None
    assert outcome.detail == "-".join(map(str, sorted((black, white), reverse=True)))
    assert outcome.winner == (None if black == white else 0 if black > white else 1)


def test_the_number_of_games_of_each_length_is_the_published_one() -> None:
    """All four first moves are the same by symmetry, so only one is followed; equal positions are counted together."""
    counts, games = Counter({(GAME.play(Position(), Move(None, 19, "black")), 1): 1}), [1, 4]
    for _ in range(len(PUBLISHED) - 2):
        longer: Counter[tuple[Position, int]] = Counter()
        total = 0
        for (position, due), count in counts.items():
            if position.turn != due:
                longer[position, 1 - due] += count
                total += count
                continue
            moves = GAME.legal_moves(position)
            total += count * len(moves)
            if len(games) + 1 < len(PUBLISHED):
                for move in moves:
                    longer[GAME.play(position, move), 1 - due] += count
        counts = longer
        games.append(4 * total)
    assert tuple(games) == PUBLISHED
