"""The lobby's page is measured where tables are played and players wait; these tests assert no speed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from bench import scripts
from gateway.cli import main


@pytest.fixture(autouse=True)
def short_games() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scripts, "GAMES", 3)
        patch.setattr(scripts, "LENGTH", 20)
        patch.setattr(scripts, "EFFORT", 200)
        scripts.games.cache_clear()
        yield
        scripts.games.cache_clear()


def test_a_short_run_says_what_a_page_costs_the_server() -> None:
    found = CliRunner().invoke(main, ["bench", "--only", "lobby", "--paced", "3", "--seconds", "1"])
    assert found.exit_code == 0, found.output
    said = re.search(r"with 3 tables being played and 3 players who wait: ([0-9.]+) ms.* ([0-9.]+) KiB", found.output)
    assert said is not None, found.output
    assert 1 < float(said[2]) < 50, "a page, packed"
