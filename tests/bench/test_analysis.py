"""Tables are measured beside an analysis of a finished game, and alone; these tests assert no speed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from bench import analysis, scripts
from gateway.cli import main


@pytest.fixture(autouse=True)
def short_games() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scripts, "GAMES", 3)
        patch.setattr(scripts, "LENGTH", 20)
        patch.setattr(scripts, "EFFORT", 200)
        patch.setattr(analysis, "GAMES", ("checkers",))
        patch.setattr(analysis, "MOVES", 4)
        patch.setattr(analysis, "TURN_S", 0.5)
        scripts.games.cache_clear()
        yield
        scripts.games.cache_clear()


@pytest.mark.nightly  # a benchmark's own run: the measured code is tried elsewhere
def test_a_short_run_says_who_looked_at_the_games_and_how_long_moves_took() -> None:
    found = CliRunner().invoke(main, ["bench", "--only", "analysis", "--beside", "3", "--seconds", "1"])
    assert found.exit_code == 0, found.output
    assert "3 tables, a move every second each, beside an analysis" in found.output
    assert "Boardgate" in found.output
