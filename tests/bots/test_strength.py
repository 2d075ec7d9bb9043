"""What a few hundred positions a move are good for: aimless play is beaten in games of skill."""

from __future__ import annotations

import random

import pytest

from gateway.games.arimaa import Arimaa
from gateway.games.checkers import Checkers
from gateway.games.connect_four import ConnectFour
from gateway.games.hnefatafl import Hnefatafl
from gateway.games.reversi import Reversi
from tests.bots.thinking import aimless, finished, thinker


@pytest.mark.parametrize("seed", range(6))
def test_aimless_checkers_is_beaten_from_either_side(seed: int) -> None:
    game = Checkers()
    rng = random.Random(seed)
    movers = [aimless(game, rng), aimless(game, rng)]
    movers[seed % 2] = thinker(game, 400, rng)
    outcome = finished(game, movers, rng, 400)
    assert outcome is not None
    assert outcome.winner == seed % 2


@pytest.mark.parametrize("variant", ["copenhagen", "ggzboard"])
@pytest.mark.parametrize("seed", range(2))
def test_aimless_hnefatafl_is_beaten_from_either_side(seed: int, variant: str) -> None:
    game = Hnefatafl()
    rng = random.Random(seed)
    movers = [aimless(game, rng), aimless(game, rng)]
    movers[seed % 2] = thinker(game, 1500, rng)
    outcome = finished(game, movers, rng, 400, variant)
    assert outcome is not None
    assert outcome.winner == seed % 2


@pytest.mark.parametrize("seed", range(2))
def test_aimless_arimaa_is_beaten_from_either_side(seed: int) -> None:
    game = Arimaa()
    rng = random.Random(seed)
    movers = [aimless(game, rng), aimless(game, rng)]
    movers[seed % 2] = thinker(game, 600, rng)
    outcome = finished(game, movers, rng, 700)
    assert outcome is not None
    assert outcome.winner == seed % 2


@pytest.mark.parametrize("seed", range(4))
def test_aimless_reversi_is_beaten_from_either_side(seed: int) -> None:
    game = Reversi()
    rng = random.Random(seed)
    movers = [aimless(game, rng), aimless(game, rng)]
    movers[seed % 2] = thinker(game, 200, rng)
    outcome = finished(game, movers, rng, 60)
    assert outcome is not None
    assert outcome.winner == seed % 2


@pytest.mark.parametrize("seed", range(10))
def test_aimless_connect_four_is_beaten_from_either_side(seed: int) -> None:
    game = ConnectFour()
    rng = random.Random(seed)
    movers = [aimless(game, rng), aimless(game, rng)]
    movers[seed % 2] = thinker(game, 200, rng)
    outcome = finished(game, movers, rng, 42)
    assert outcome is not None
    assert outcome.winner == seed % 2


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("bottom", ["..yy.../..rr... 0", "......./..rr..y 1"], ids=["make it", "prevent it"])
def test_three_in_a_row_with_both_ends_open_are_made_and_prevented(bottom: str, seed: int) -> None:
    game = ConnectFour()
    position = game.start(game.settings(start="......./" * 4 + bottom))
    move = thinker(game, 200, random.Random(seed))(position)
    assert game.notation(position, move) in ("b", "e")


def test_more_thought_wins_most_games_of_reversi() -> None:
    game, won = Reversi(), 0
    for seed in range(6):
        rng = random.Random(seed)
        movers = [thinker(game, 50, rng), thinker(game, 50, rng)]
        movers[seed % 2] = thinker(game, 500, rng)
        outcome = finished(game, movers, rng, 60)
        assert outcome is not None
        won += outcome.winner == seed % 2
    assert won >= 5
