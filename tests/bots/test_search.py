"""Alpha-beta finds the winner, also where a seat moves several times in a row; it is deterministic and in time."""

from __future__ import annotations

import random
from functools import cache

import pytest

from gateway.bots.budget import Budget
from gateway.bots.search import best_move
from gateway.games.tic_tac_toe import Position, TicTacToe
from protocols.core.model import Move
from tests.bots.again import Again, Pile
from tests.bots.thinking import Ticks

GAME = TicTacToe()


def thought(cells: str, nodes: int = 100_000, seed: int = 0) -> Move:
    return best_move(GAME, Position(cells.replace("/", "")), Budget(Ticks(), nodes), random.Random(seed))


@pytest.mark.parametrize(
    ("cells", "square"),
    [
        pytest.param("xx./oo./...", 2, id="a win is taken though a block is at hand"),
        pytest.param("xx./o../...", 2, id="the only block"),
        pytest.param("x../.../...", 4, id="the only answer to a corner"),
        pytest.param("x.o/.../o.x", 4, id="a win of the side that is ahead by nothing is stopped"),
    ],
)
def test_the_only_good_square_is_found(cells: str, square: int) -> None:
    assert thought(cells).target == square


def test_a_win_at_once_is_preferred_to_a_win_later() -> None:
    assert all(thought("x.o/x.o/...", seed=seed).target == 6 for seed in range(20))


def test_the_same_seed_and_clock_give_the_same_move() -> None:
    assert [thought(".../.../...", 500, 7) for _ in range(3)] == [thought(".../.../...", 500, 7)] * 3


def test_equal_moves_are_chosen_among_by_chance() -> None:
    assert len({thought(".../.../...", seed=seed).target for seed in range(8)}) > 1


@pytest.mark.parametrize("nodes", [0, 1, 2, 10, 100])
def test_a_budget_of_any_size_is_kept_and_gives_a_legal_move(nodes: int) -> None:
    ticks = Ticks()
    position = Position()
    move = best_move(GAME, position, Budget(ticks, nodes), random.Random(0))
    assert move in GAME.legal_moves(position)
    assert ticks.asked <= max(nodes, 1)


def test_a_small_game_is_solved_long_before_the_budget_is_spent() -> None:
    ticks = Ticks()
    best_move(GAME, Position(), Budget(ticks, 1_000_000), random.Random(0))
    assert ticks.asked < 20_000


@cache
def mover_wins(left: int) -> bool:
    """Return whether the player to move with ``left`` tokens wins, by trying everything."""
    takes_one = left == 1 or not mover_wins(left - 1)
    return takes_one or (left >= 2 and (left == 2 or mover_wins(left - 2)))


@pytest.mark.parametrize("left", range(2, 25))
@pytest.mark.parametrize("seat", [0, 1])
def test_the_winning_move_is_found_where_a_seat_moves_again(left: int, seat: int) -> None:
    game = Again()
    move = best_move(game, Pile(left, seat, 1 - seat), Budget(Ticks(), 100_000), random.Random(left))
    after = game.play(Pile(left, seat, 1 - seat), move)
    still_wins = after.last == seat if not after.left else mover_wins(after.left) == (after.seat == seat)
    assert still_wins == mover_wins(left)
