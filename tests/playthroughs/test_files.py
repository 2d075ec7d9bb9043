"""Every playthrough file agrees with the rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.playthroughs.__main__ import create
from tests.playthroughs.form import Playthrough, Step, files, read, regenerated, write

LARGEST = 60 * 1024
"""Bytes that a person can still scroll through."""


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_a_playthrough_is_what_the_rules_do_today(path: Path) -> None:
    assert regenerated(path) == path.read_text(encoding="utf-8"), (
        "python -m tests.playthroughs update, and read the diff"
    )


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_a_playthrough_is_called_after_its_game_and_of_readable_size(path: Path) -> None:
    game = read(path.read_text(encoding="utf-8")).game
    assert path.stem == game or path.stem.startswith(f"{game}_")
    assert path.stat().st_size < LARGEST


def test_remarks_stay_where_they_stand() -> None:
    steps = [Step("play", word) for word in ("a1", "b1", "a2", "b2")] + [Step("play", "a3", ("# and this wins",))]
    text = write(Playthrough("tic_tac_toe", remarks=["# the left column"], steps=steps, closing=["# that was it"]))
    assert write(read(text)) == text
    assert text.startswith("# the left column\n@ game=tic_tac_toe\n")
    assert "\n# and this wins\nplay a3\nmove: Move(None, 0, 'x')\nchanges: a3 x\n" in text
    assert text.endswith("outcome: Outcome(winner=0, reason=Reason.RULES, detail='three in a row')\n# that was it\n")


def test_the_last_state_is_shown_in_full_and_those_before_on_one_line() -> None:
    steps = [Step("play", word) for word in ("a1", "b1", "a2", "b2", "a3")]
    text = write(Playthrough("tic_tac_toe", full=1, steps=steps))
    assert "\nstate 1: 1 o, 8 legal\n" in text
    assert "\nstate 5\nturn: over\n    x..\n    xo.\n    xo.\ntext: x../xo./xo. 1\nlegal: 0\n" in text


def test_an_input_that_is_no_longer_legal_is_named() -> None:
    steps = [Step("play", "a1"), Step("play", "a1")]
    with pytest.raises(ValueError, match="state 1, play a1: 'a1' cannot be played"):
        write(Playthrough("tic_tac_toe", steps=steps, cut="a test"))


def test_a_game_that_is_not_over_must_say_why_it_was_cut() -> None:
    with pytest.raises(ValueError, match="last turn is 0"):
        write(Playthrough("tic_tac_toe"))


def test_a_finished_game_is_not_called_cut() -> None:
    steps = [Step("play", word) for word in ("a1", "b1", "a2", "b2", "a3")]
    with pytest.raises(ValueError, match="last turn is None"):
        write(Playthrough("tic_tac_toe", steps=steps, cut="a test"))


def test_a_setting_nobody_knows_is_named() -> None:
    with pytest.raises(ValueError, match="no setting 'colour'"):
        read("@ colour=red\n")


def test_the_same_seed_makes_the_same_file_and_moves_can_be_given(tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        asked = ["tic_tac_toe", "--moves", "b2, a1", "--seed", "7", "--name", str(tmp_path / name)]
        assert CliRunner().invoke(create, asked).exit_code == 0
        made.append((tmp_path / f"{name}.txt").read_text(encoding="utf-8"))
    assert made[0] == made[1]
    assert [str(step) for step in read(made[0]).steps[:2]] == ["play b2", "play a1"]
    assert "\nturn: over\n" in made[0]


def test_a_game_that_is_cut_says_after_how_many_moves(tmp_path: Path) -> None:
    CliRunner().invoke(create, ["tic_tac_toe", "--plies", "2", "--name", str(tmp_path / "cut")])
    assert "\n@ cut=after 2 moves\n" in (tmp_path / "cut.txt").read_text(encoding="utf-8")
