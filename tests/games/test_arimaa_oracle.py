"""Arimaa's steps against a second reading of its rules: whole turns from single steps, whole pushes and whole pulls.

The oracle knows no turn under way. It keeps the board as a dictionary of (file, rank) to (side, strength), takes
every sequence of actions worth up to four steps, and collects the boards a turn can end with. The game must reach
exactly these by its steps and passes. Source of the oracle: Arimaa Game Rules by Omar Syed, paragraph by paragraph.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from gateway.games.arimaa.rules import Arimaa
from gateway.games.arimaa.steps import begun
from protocols.core.model import PASS

ARIMAA = Arimaa()
LETTERS = ".RCDHME"
TRAPS = {(3, 3), (6, 3), (3, 6), (6, 6)}
SEEDS = [*range(12), *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(12, 400))]
ARMY = (6, 5, 4, 4, 3, 3, 2, 2, *[1] * 8)

Point = tuple[int, int]
Board = dict[Point, tuple[int, int]]
"""Files and ranks from 1; sides are 0 (gold) and 1; strengths go from 1, the rabbit, to 6, the elephant."""


def beside(point: Point) -> list[Point]:
    file, rank = point
    around = [(file + 1, rank), (file - 1, rank), (file, rank + 1), (file, rank - 1)]
    return [(f, r) for f, r in around if 1 <= f <= 8 and 1 <= r <= 8]


def free_to_move(board: Board, point: Point) -> bool:
    side, strength = board[point]
    around = [board[near] for near in beside(point) if near in board]
    return any(s == side for s, _ in around) or all(other <= strength for _, other in around)


def trapped(board: Board) -> Board:
    """The board without the pieces that stand in a trap and have no friend beside it."""
    lost = [
        trap
        for trap in TRAPS & board.keys()
        if all(board[near][0] != board[trap][0] for near in beside(trap) if near in board)
    ]
    return {point: piece for point, piece in board.items() if point not in lost}


def carried(board: Board, *ways: tuple[Point, Point]) -> Board:
    """The board after these pieces went these ways, one after the other."""
    for source, target in ways:
        board = dict(board)
        board[target] = board.pop(source)
        board = trapped(board)
    return board


def actions(board: Board, side: int) -> Iterator[tuple[int, Board]]:
    """Return a player's next choices: their numbers of steps, and the boards after them."""
    for point, (owner, strength) in board.items():
        if owner != side or not free_to_move(board, point):
            continue
        behind = -1 if side == 0 else 1
        weaker = [near for near in beside(point) if near in board and board[near][0] != side]
        weaker = [near for near in weaker if board[near][1] < strength]
        for target in beside(point):
            if target in board:
                continue
            if strength > 1 or target[1] - point[1] != behind:
                yield 1, carried(board, (point, target))
            for victim in weaker:
                yield 2, carried(board, (point, target), (victim, point))
        for victim in weaker:
            for target in beside(victim):
                if target not in board:
                    yield 2, carried(board, (victim, target), (point, victim))


def oracle_ends(board: Board, side: int, steps: int) -> set[str]:
    """Every board that a turn of at most so many steps can end with."""
    reached: list[dict[str, Board]] = [{cells(board): board}, *({} for _ in range(steps))]
    for used in range(steps):
        for before in reached[used].values():
            for cost, after in actions(before, side):
                if used + cost <= steps:
                    reached[used + cost][cells(after)] = after
    return {ending for boards in reached for ending in boards} - {cells(board)}


def game_ends(start: str, side: int, steps: int) -> set[str]:
    """The same by the game's own moves."""
    ends: set[str] = set()
    layer = {begun(start, side)}
    for _ in range(steps):
        following = set()
        for position in layer:
            for move in ARIMAA.legal_moves(position):
                after = ARIMAA.play(position, move)
                if after.turn != side:
                    ends.add(after.cells)
                elif move != PASS:
                    following.add(after)
        layer = following
    return ends | {ARIMAA.play(position, PASS).cells for position in layer if PASS in ARIMAA.legal_moves(position)}


def cells(board: Board) -> str:
    rows = [[board.get((file, rank)) for file in range(1, 9)] for rank in range(8, 0, -1)]
    return "".join("." if not piece else letter(*piece) for row in rows for piece in row)


def letter(side: int, strength: int) -> str:
    return LETTERS[strength].lower() if side else LETTERS[strength]


def scattered(choice: random.Random, armies: tuple[list[int], list[int]], files: range, ranks: range) -> Board:
    """A board with these pieces on random squares, no piece alone in a trap, no rabbit at its goal."""
    points = [(file, rank) for file in files for rank in ranks]
    board: Board = {}
    for side, army in enumerate(armies):
        for strength in army:
            goal = 8 if side == 0 else 1
            open_points = [p for p in points if p not in board and not (strength == 1 and p[1] == goal)]
            board[choice.choice(open_points)] = (side, strength)
    return trapped(board)


def kept_rabbits(board: Board) -> bool:
    return {(0, 1), (1, 1)} <= set(board.values())


def few(choice: random.Random) -> Board:
    """Two to four pieces a side in the middle ranks."""
    armies = ([1, *choice.sample(ARMY[:10], choice.randint(1, 3))], [1, *choice.sample(ARMY[:10], 2)])
    return scattered(choice, armies, range(1, 9), range(3, 7))


def crowd(choice: random.Random) -> Board:
    """Five pieces a side around one trap, so that pushes, pulls and lost guards meet."""
    armies = ([1, *choice.sample(ARMY[:10], 4)], [1, *choice.sample(ARMY[:10], 4)])
    return scattered(choice, armies, range(1, 6), range(2, 6))


def full(choice: random.Random) -> Board:
    """All pieces, all over the board."""
    return scattered(choice, (list(ARMY), list(ARMY)), range(1, 9), range(1, 9))


@pytest.mark.parametrize(("kind", "steps"), [(few, 4), (crowd, 3), (full, 2)])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_turn_ends_where_the_oracle_says(kind: Callable[[random.Random], Board], steps: int, seed: int) -> None:
    choice = random.Random(seed)
    board = kind(choice)
    while not {(0, 1), (1, 1)} <= set(board.values()):  # a side without rabbits has lost and has no turn
        board = kind(choice)
    side = choice.randint(0, 1)
    assert game_ends(cells(board), side, steps) == oracle_ends(board, side, steps)


def test_the_oracle_counts_the_actions_of_a_position_counted_by_hand() -> None:
    # A gold horse on d4 beside a silver rabbit on d5 has three steps, three pushes and three pulls; the gold rabbit
    # on a1 has two steps.
    board: Board = {(4, 4): (0, 4), (4, 5): (1, 1), (1, 1): (0, 1)}
    costs = [cost for cost, _ in actions(board, 0)]
    assert (costs.count(1), costs.count(2)) == (5, 6)
    assert len(oracle_ends(board, 0, 1)) == 5
