"""Beam search over whole turns wins within the turn, sees the answer to it, and keeps its budget."""

from __future__ import annotations

import random

import pytest

from gateway.bots.beam_search import best_move
from gateway.bots.budget import Budget
from gateway.bots.chooser import has_long_turns
from gateway.games.checkers.rules import Checkers
from tests.bots.strides import AHEAD, PUSH, Strides, Track
from tests.bots.thinking import Ticks

GAME = Strides()


def whole_turn(position: Track, nodes: int, seed: int) -> tuple[list[object], Track]:
    """The moves chosen one by one until the other seat is to move or the game is over, and what comes of them."""
    seat, moves = position.seat, []
    while GAME.to_move(position) == seat:
        move = best_move(GAME, position, Budget(Ticks(), nodes), random.Random(seed))
        moves.append(move)
        position = GAME.play(position, move)
    return list(moves), position


@pytest.mark.parametrize("seat", [0, 1])
def test_a_win_that_takes_the_whole_turn_is_played_to_its_end(seat: int) -> None:
    runners = (4, 9) if seat == 0 else (9, 4)
    moves, position = whole_turn(Track(runners, seat), 1000, seed=1)
    outcome = GAME.outcome(position)
    assert moves == [AHEAD, AHEAD, AHEAD]
    assert outcome is not None
    assert outcome.winner == seat


@pytest.mark.parametrize("seed", range(5))
def test_a_whole_turn_is_spent_on_stopping_the_other_s_win(seed: int) -> None:
    """Runner 1 at 6 needs two steps; only three pushes, to 3, leave it short of 10 after three steps."""
    moves, _ = whole_turn(Track((0, 6), 0), 1000, seed)
    assert moves == [PUSH, PUSH, PUSH]


def test_without_danger_the_better_looking_turn_is_made() -> None:
    moves, _ = whole_turn(Track((0, 0), 0), 1000, seed=1)
    assert moves == [AHEAD, AHEAD, AHEAD]


@pytest.mark.parametrize("nodes", [0, 1, 2, 5, 40])
def test_a_budget_of_any_size_is_kept_and_gives_a_legal_move(nodes: int) -> None:
    ticks = Ticks()
    assert best_move(GAME, Track(), Budget(ticks, nodes), random.Random(0)) in (AHEAD, PUSH)
    assert ticks.asked <= max(nodes, 1)


def test_the_same_seed_and_clock_give_the_same_move() -> None:
    moves = {best_move(GAME, Track((2, 3)), Budget(Ticks(), 60), random.Random(5)) for _ in range(4)}
    assert len(moves) == 1


def test_long_turns_are_told_from_turns_that_may_become_long() -> None:
    assert has_long_turns(GAME)
    assert not has_long_turns(Checkers())
