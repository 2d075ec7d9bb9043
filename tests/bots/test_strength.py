"""A search of a few hundred positions a move beats random play in games of skill."""

from __future__ import annotations

import random
from typing import Any

import pytest

from gateway.games.arimaa.rules import Arimaa
from gateway.games.base import Game
from gateway.games.checkers.rules import Checkers
from gateway.games.connect_four import ConnectFour
from gateway.games.hnefatafl.rules import Hnefatafl
from gateway.games.reversi import Reversi
from tests.bots.thinking import aimless, finished, thinker

CASES = [
    pytest.param(Checkers(), "", 400, 400, id="checkers"),
    pytest.param(Hnefatafl(), "copenhagen", 1500, 400, id="hnefatafl-copenhagen"),
    pytest.param(Hnefatafl(), "ggzboard", 1500, 400, id="hnefatafl-ggzboard"),
    pytest.param(Arimaa(), "", 600, 700, id="arimaa"),
    pytest.param(Reversi(), "", 200, 60, id="reversi"),
    pytest.param(ConnectFour(), "", 200, 42, id="connect_four"),
]
"""A game, its rule set, positions a move, and moves after which the game is cut."""


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("game", "variant", "positions", "longest"), CASES)
def test_aimless_play_is_beaten_from_either_side(
    game: Game[Any], variant: str, positions: int, longest: int, seat: int
) -> None:
    rng = random.Random(seat)
    movers = [aimless(game, rng), aimless(game, rng)]
    movers[seat] = thinker(game, positions, rng)
    outcome = finished(game, movers, rng, longest, variant)
    assert outcome is not None
    assert outcome.winner == seat


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
