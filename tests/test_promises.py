"""Nothing that a release has promised goes, and nobody has to say more than then; docs/promises.md explains it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

import migrations
from protocols.core.release import VERSION
from tests.cli.playing import run
from tests.promised import FOLDER, PLUG_INS, broken, file_of, lines
from tests.promised_record import made_from
from tests.test_house import ROOT

MADE: Final = sorted(FOLDER.glob("*.txt"))
PAGE: Final = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")


@cache
def now() -> list[str]:
    return lines()


@pytest.mark.parametrize("file", MADE, ids=lambda file: file.stem)
def test_what_a_release_has_promised_is_there(file: Path) -> None:
    """A new first number promises anew: the files of the one before go with it."""
    assert broken(file.read_text(encoding="utf-8").splitlines(), now()) == []


def test_this_release_has_its_file_and_all_are_of_its_first_number() -> None:
    assert file_of(VERSION) in MADE, "python -m tests.promised, when a minor release is made"
    assert {file.stem.partition(".")[0] for file in MADE} == {VERSION.partition(".")[0]}


@pytest.mark.parametrize("file", MADE, ids=lambda file: file.stem)
def test_a_database_of_a_release_is_brought_here_and_every_game_in_it_is_proved(file: Path, tmp_path: Path) -> None:
    text = file.with_suffix(".sql").read_text(encoding="utf-8")
    migrations.upgrade(made_from(text, tmp_path / "data"))
    proved = run("verify", "--all", data=tmp_path / "data").output
    tables = text.count('INSERT INTO "tables"')
    assert f"{tables} records, all whole: " in proved
    assert f" {tables} games, " in proved
    assert run("export", tables, data=tmp_path / "data").output.count("MoveMade") > 1


THEN: Final = ["has GET /api/hats: query size", "has request: GET /api/hats", "needs GET /api/hats: size"]


@pytest.mark.parametrize(
    ("since", "found"),
    [
        (THEN, []),
        ([*THEN, "has GET /api/hats: query colour", "has request: GET /api/caps"], []),
        ([*THEN, "has request: GET /api/caps", "needs GET /api/caps: size"], []),
        (THEN[1:], ["has GET /api/hats: query size"]),
        (THEN[:2], []),
        ([*THEN, "needs GET /api/hats: colour"], ["needs GET /api/hats: colour"]),
    ],
)
def test_more_may_be_offered_and_no_more_be_asked(since: list[str], found: list[str]) -> None:
    assert broken(THEN, since) == found


@pytest.mark.parametrize(
    "line",
    [
        "has command: boardgate serve",
        "has boardgate serve: --listen",
        "has settings [server]: database",
        "has listener: bogaprot",
        "has request: GET /api/tables",
        "has schema Tables: next (integer or null)",
        "needs schema Asked: game",
        "has record MoveMadeEvent: seq (integer)",
        "has figure boardgate_moves_total: game",
        "has gateway.games.base.Game: play(self, position, move)",
        "needs gateway.games.base.Game: play",
        "needs gateway.games.base.Game: variants",
        "has protocols.core.dialect.Dialect: receive_data(self, data)",
    ],
)
def test_every_part_is_listed(line: str) -> None:
    assert line in now()


def test_plug_ins_of_the_recipe_import_nothing_that_is_not_promised() -> None:
    """What the smallest game and the smallest dialect are built on, which CONTRIBUTING.md copies."""
    for name in ("gateway/games/tic_tac_toe.py", "protocols/ggzboard.py"):
        text = (ROOT / name).read_text(encoding="utf-8")
        imported = re.findall(r"^from ((?:gateway|protocols)[\w.]*) import (\w+)", text, re.MULTILINE)
        modules = {f"{module}.{first}" if module == "protocols.core" else module for module, first in imported}
        assert modules <= set(PLUG_INS), name


def test_what_is_taken_away_is_taken_away_by_a_first_number_alone() -> None:
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for release in re.split(r"^## ", log, flags=re.MULTILINE)[1:]:
        assert "\n### Removed" not in release or re.match(r"\[\d+\.0\.0\]", release), release.splitlines()[0]


def test_the_page_is_one_page() -> None:
    assert len(PAGE.split()) < 800
