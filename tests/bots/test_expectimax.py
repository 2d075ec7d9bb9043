"""Dice: the one good move is made, the clock is kept, and aimless play is beaten."""

from __future__ import annotations

import random

import pytest

from gateway.bots.budget import Budget
from gateway.bots.expectimax import best_move
from gateway.games.ludo.board import DEPOTS, HOMES, RING
from gateway.games.ludo.rules import Ludo, Position
from protocols.core.model import Move
from tests.bots.thinking import Ticks, aimless, finished, thinker

GAME = Ludo()
RED = DEPOTS["red"]
HOME = HOMES["yellow"]


def position(yellow: list[int], red: list[int], roll: int) -> Position:
    """Yellow to play ``roll`` at a table of two under ``maedn``."""
    return Position("maedn", (tuple(sorted(yellow)), tuple(sorted(red))), 0, 0, roll)


def thought(here: Position, nodes: int) -> Move:
    return best_move(GAME, here, Budget(Ticks(), nodes), random.Random(0))


def test_the_last_piece_goes_home_when_it_can() -> None:
    here = position([HOME[0], HOME[1], HOME[3], RING[39]], [*RED[:3], RING[30]], 3)
    assert GAME.outcome(GAME.play(here, thought(here, 1000))) is not None


def test_a_piece_far_on_its_way_is_captured_rather_than_walked_past() -> None:
    here = position([RING[10], RING[2], HOME[2], HOME[3]], [*RED[:3], RING[13]], 3)
    assert thought(here, 1000) == Move(RING[10], RING[13])


def test_a_piece_in_danger_runs_though_another_could_walk_as_far() -> None:
    here = position([RING[25], RING[5], HOME[2], HOME[3]], [*RED[:3], RING[24]], 6)
    assert thought(here, 1000) == Move(RING[25], RING[31])


@pytest.mark.parametrize("nodes", [0, 1, 3, 20])
def test_a_budget_of_any_size_is_kept_and_gives_a_legal_move(nodes: int) -> None:
    here = position([RING[25], RING[5], RING[8], RING[11]], [*RED[:2], RING[24], RING[9]], 2)
    ticks = Ticks()
    assert best_move(GAME, here, Budget(ticks, nodes), random.Random(0)) in GAME.legal_moves(here)
    assert ticks.asked <= max(nodes, 1)


def test_a_thoughtful_seat_wins_most_games_against_an_aimless_one() -> None:
    won = 0
    for seed in range(20):
        rng = random.Random(seed)
        movers = [aimless(GAME, rng), aimless(GAME, rng)]
        movers[seed % 2] = thinker(GAME, 1000, rng)
        outcome = finished(GAME, movers, rng, 2000)
        won += outcome is not None and outcome.winner == seed % 2
    assert won >= 14
