"""Lists of rated players are measured where all, some and none have a place; these tests assert no speed."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from gateway.cli import main
from tests import peers


@pytest.mark.parametrize("database", ["sqlite", pytest.param("postgresql", marks=[peers.needed, pytest.mark.nightly])])
def test_a_short_run_says_what_each_list_takes(database: str) -> None:
    options = ["--only", "leaderboard", "--players", "300", "--seconds", "1", "--database", database]
    found = CliRunner().invoke(main, ["bench", *options])
    assert found.exit_code == 0, found.output
    assert "Lists of 300 rated players on " in found.output
    rows = re.findall(r"(100|20|0)% │ +(the list|the others|the page) │ +([0-9.]+) │ +([0-9.]+)", found.output)
    assert [(share, what) for share, what, _, _ in rows] == [
        (share, what) for share in ("100", "20", "0") for what in ("the list", "the others", "the page")
    ]
