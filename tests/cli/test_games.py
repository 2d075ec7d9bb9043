"""``boardgate games``: every installed game and rule set, for people and for programs."""

from __future__ import annotations

import json

from click.testing import CliRunner

from gateway import registry
from gateway.cli import main


def test_every_rule_set_is_listed_with_its_seats() -> None:
    shown = CliRunner().invoke(main, ["games"], env={"COLUMNS": "200"}).output
    assert "tic_tac_toe" in shown
    for game in registry.games().values():
        for variant in game.variants:
            assert variant.name in shown
            assert variant.text in shown
    assert "2, 3, 4" in shown


def test_programs_get_the_same_as_json() -> None:
    rows = json.loads(CliRunner().invoke(main, ["games", "--json"]).output)
    (smallest,) = (row for row in rows if row["game"] == "tic_tac_toe")
    assert (smallest["name"], smallest["width"], smallest["height"], smallest["seats"]) == ("standard", 3, 3, [2])
    assert next(row["name"] for row in rows if row["game"] == "hnefatafl") == "copenhagen"
