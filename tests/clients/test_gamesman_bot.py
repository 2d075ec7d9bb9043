"""The bot over GAMESMAN plays whole games against itself and against a client of another dialect; the demo runs."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from clients.gamesman import Player
from clients.gamesman.board import Board
from clients.gamesman.command import bot_turn, play_by_bot
from gateway import registry
from gateway.cli import main
from tests.conformance.gamesman.served import register, thread
from tests.conformance.servers import fast
from tests.running import RunningServer

PATIENCE_S = 60.0
ROOT = Path(__file__).parents[2]

TWO_TO_TAKE = """
........
........
.b......
..w.....
........
....w...
........
w.......
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("bots"), "http", "bogaprot") as running:
        yield running


def board(game: str, start: str = "") -> Board:
    rules = registry.game(game)
    return Board(rules, rules.start(rules.settings(start=start)))


def plays(server: RunningServer, name: str, opponent: str) -> list[str]:
    """Return the output of a bot after its game of tic_tac_toe."""
    said: list[str] = []
    player = Player(f"http://127.0.0.1:{server.ports[0]}", name, opponent, patience_s=PATIENCE_S)
    play_by_bot(player, board("tic_tac_toe"), opponent, 1, said.append)
    return said


def test_two_bots_play_tic_tac_toe_to_the_draw_that_it_is(server: RunningServer) -> None:
    register(server.ports[0], "tic_tac_toe", "xenia", "otto")
    said: list[str] = []
    other = thread(lambda: said.extend(plays(server, "otto", "xenia")))
    assert plays(server, "xenia", "otto") == ["against otto: The game is over: nobody wins, board full."]
    other.join(PATIENCE_S)
    assert said == ["against xenia: The game is over: nobody wins, board full."]


def test_by_the_command_against_a_bot_of_another_dialect(server: RunningServer) -> None:
    http, bogaprot = (f"127.0.0.1:{port}" for port in server.ports[:2])
    tickets = register(server.ports[0], "tic_tac_toe", "zoe", "kim")
    other = subprocess.Popen(
        [sys.executable, "-m", "gateway.cli", "bot", "tic_tac_toe", bogaprot, f"--ticket={tickets[1]}", "--games", "1"],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    by_http = ("--dialect", "gamesman", "--name", "zoe", "--opponent", "kim")
    done = CliRunner().invoke(main, ["bot", "tic_tac_toe", http, *by_http])
    assert done.exit_code == 0, done.output
    assert done.output == "against kim: The game is over: nobody wins, board full.\n"
    assert other.communicate(timeout=PATIENCE_S)[0] == "game 1: o against zoe: drawn\n"


def test_a_turn_of_several_steps_is_one_move() -> None:
    """Black's man on 9 takes those on 14 and 23: one step alone would be no whole turn."""
    before = board("checkers", start="/".join(TWO_TO_TAKE.split()) + " 0")
    text, after = bot_turn(before, 1)
    assert text == "9x18 18x27"
    assert after.turn != before.turn


def test_without_names_there_is_no_game_to_find() -> None:
    done = CliRunner().invoke(main, ["bot", "checkers", "--dialect", "gamesman", "--name", "zoe"])
    assert done.exit_code == 2
    assert "two names find the game: --name and --opponent" in done.output


def test_the_demo_plays_a_game_between_two_dialects_and_proves_it() -> None:
    boardgate = Path(sys.executable).with_name("boardgate")
    done = subprocess.run(
        [ROOT / "deploy" / "demo", "tic_tac_toe"],
        env={"BOARDGATE": str(boardgate), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"watch -n 1 \S+ show 1 --data \S+", done.stdout)
    assert re.search(r"game 1: x against thorough: (won|lost|drawn)", done.stdout)
    assert "table 1: the record is whole" in done.stdout
    assert "1 game" in done.stdout
