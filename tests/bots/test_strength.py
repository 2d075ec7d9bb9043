"""What a few hundred positions a move are good for: aimless play is beaten in games of skill."""

from __future__ import annotations

import random

import pytest

from gateway.games.arimaa import Arimaa
from gateway.games.checkers import Checkers
from gateway.games.hnefatafl import Hnefatafl
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


@pytest.mark.parametrize("seed", range(2))
def test_aimless_hnefatafl_is_beaten_from_either_side(seed: int) -> None:
    game = Hnefatafl()
    rng = random.Random(seed)
    movers = [aimless(game, rng), aimless(game, rng)]
    movers[seed % 2] = thinker(game, 1500, rng)
    outcome = finished(game, movers, rng, 400)
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
