"""The scripted games of the benchmark are long, legal and ended by the rules."""

from __future__ import annotations

import pytest

from bench import scripts
from gateway import registry


@pytest.mark.parametrize("name", ["checkers", "chess"])
def test_scripted_games_are_long_and_legal_to_their_end(name: str) -> None:
    game = registry.game(name)
    for script in scripts.games(name, count=2):
        assert len(script) > 300
        position = game.start(game.settings())
        for move in script:
            position = game.play(position, move)
        assert game.outcome(position) is not None
