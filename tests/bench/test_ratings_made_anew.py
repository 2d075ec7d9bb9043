"""Making ratings anew is measured, from none and over ratings that there are; these tests assert no speed."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from gateway.cli import main
from tests import peers

ROW = re.compile(r"(none|of the same games) │ +[0-9]+ │ +[0-9,]+ │ +[0-9.]+")


@pytest.mark.parametrize("database", ["sqlite", pytest.param("postgresql", marks=peers.needed)])
def test_a_short_run_says_what_a_game_takes_and_how_many_times_the_arithmetic_that_is(database: str) -> None:
    options = ["--only", "ratings", "--games", "300", "--database", database]
    found = CliRunner().invoke(main, ["bench", *options])
    assert found.exit_code == 0, found.output
    name = "SQLite" if database == "sqlite" else "PostgreSQL"
    assert f"Ratings of 300 games made anew on {name}, one core" in found.output
    assert ROW.findall(found.output) == ["none", "of the same games"]


@pytest.mark.parametrize("games", ["0", "few"])
def test_a_number_of_games_that_is_none_is_refused(games: str) -> None:
    found = CliRunner().invoke(main, ["bench", "--only", "ratings", "--games", games])
    assert found.exit_code == 2
    assert "--games" in found.output
