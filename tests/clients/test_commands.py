"""``boardgate play`` and ``boardgate bot`` as a user meets them before any game begins."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from bench.free_port import free_port
from gateway.cli import main
from tests import terminals


def nobody_listens() -> str:
    return f"127.0.0.1:{free_port()}"


@pytest.mark.parametrize("command", ["play", "bot"])
def test_without_a_server_one_line_says_how_to_start_one(command: str) -> None:
    status, written = terminals.run(command, "ludo", nobody_listens())
    assert status == 1
    assert written.count("\n") == 1
    assert "boardgate serve" in written
    assert "make serve" in written


def test_without_a_terminal_play_says_so_and_ends_with_status_2() -> None:
    run = CliRunner().invoke(main, ["play", "ludo", nobody_listens()])
    assert run.exit_code == 2
    assert "this is no terminal" in run.output
    assert "boardgate bot" in run.output


def test_without_a_terminal_watch_says_so_and_ends_with_status_2() -> None:
    run = CliRunner().invoke(main, ["watch", "chess", nobody_listens()])
    assert run.exit_code == 2
    assert "this is no terminal" in run.output


def test_watch_asks_for_a_game_or_a_table() -> None:
    run = CliRunner().invoke(main, ["watch", "parcheesi", nobody_listens()])
    assert run.exit_code == 2
    assert "'parcheesi' is neither a table's number nor a game; games are arimaa, checkers, " in run.output


@pytest.mark.parametrize("words", [(), ("7",), ("ludo",)], ids=["all", "a-table", "a-game"])
def test_watching_a_server_that_is_not_there_ends_with_one_line(words: tuple[str, ...]) -> None:
    status, written = terminals.run("watch", *words, nobody_listens())
    assert status == 1
    assert written.count("\n") == 1
    assert "no server answers at http://127.0.0.1:" in written


def test_an_unknown_game_is_answered_with_the_known_ones() -> None:
    run = CliRunner().invoke(main, ["play", "parcheesi", nobody_listens()])
    assert run.exit_code == 2
    assert "no game 'parcheesi' is installed here; there are arimaa, checkers, " in run.output
    assert "--board 8x8" in run.output


@pytest.mark.parametrize("command", ["play", "bot"])
def test_a_port_that_is_none_is_shown(command: str) -> None:
    run = CliRunner().invoke(main, [command, "ludo", "localhost:http"])
    assert run.exit_code == 2
    assert "'http' is not a port number" in run.output


@pytest.mark.parametrize("command", ["play", "bot"])
def test_an_unknown_rule_set_is_answered_with_the_known_ones(command: str) -> None:
    status, written = terminals.run(command, "ludo", nobody_listens(), "--variant", "chess")
    assert status == 1
    assert "maedn, ggzboard" in written


def test_a_bot_needs_the_rules_here() -> None:
    run = CliRunner().invoke(main, ["bot", "parcheesi"])
    assert run.exit_code == 1
    assert "no game 'parcheesi'" in run.output


@pytest.mark.parametrize("time", ["5 minutes", "0", "300+"])
def test_a_time_control_that_makes_no_sense_is_refused(time: str) -> None:
    run = CliRunner().invoke(main, ["play", "chess", nobody_listens(), "--time", time])
    assert run.exit_code == 2
    assert repr(time) in run.output


@pytest.mark.parametrize("size", ["8", "0x8", "8x", "100x100"])
def test_a_board_size_that_makes_no_sense_is_refused(size: str) -> None:
    run = CliRunner().invoke(main, ["play", "parcheesi", nobody_listens(), "--board", size])
    assert run.exit_code == 2
    assert "is not the size of a board" in run.output


def test_help_imports_neither_textual_nor_trio() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from gateway.cli import main\n"
        "for words in (['--help'], ['play', '--help'], ['watch', '--help'], ['bot', '--help']):\n"
        "    assert CliRunner().invoke(main, words).exit_code == 0\n"
        "print(sorted({'textual', 'trio'} & sys.modules.keys()))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout == "[]\n"


@pytest.mark.parametrize("command", ["play", "bot"])
@pytest.mark.parametrize("option", ["size", "size=", "=9"])
def test_an_option_without_a_value_is_refused(command: str, option: str) -> None:
    run = CliRunner().invoke(main, [command, "go", nobody_listens(), "--option", option])
    assert run.exit_code == 2
    assert "is not NAME=VALUE" in run.output


@pytest.mark.parametrize("command", ["play", "bot"])
def test_an_option_given_twice_is_refused(command: str) -> None:
    run = CliRunner().invoke(main, [command, "go", nobody_listens(), "--option", "size=9", "--option", "Size=13"])
    assert run.exit_code == 2
    assert "given twice" in run.output


@pytest.mark.parametrize("command", ["play", "bot"])
def test_an_option_the_game_does_not_have_is_refused_before_anybody_is_asked(command: str) -> None:
    unknown = terminals.run(command, "go", nobody_listens(), "--option", "colour=red")
    too_large = terminals.run(command, "go", nobody_listens(), "--option", "size=26")
    assert (unknown[0], too_large[0]) == (1, 1)
    assert "go has no option 'colour'" in unknown[1]
    assert "size is a whole number from 5 to 25" in too_large[1]
