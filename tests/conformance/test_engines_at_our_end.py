"""``boardgate bot GAME --engine COMMAND``: engines of three protocols join a running server without a GUI."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gateway.cli import main
from tests import peers
from tests.conformance.gtp.gnugos import gnugo, options
from tests.conformance.host import Host
from tests.conformance.servers import fast

PATIENCE_S = 60.0


@contextmanager
def bot(game: str, port: int, engine: str, *more: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "gateway.cli", "bot", game, f"127.0.0.1:{port}", "--engine", engine, *more]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    try:
        yield process
    finally:
        process.terminate()
        process.wait(10)
        process.stderr.close()


def until_moves(host: Host, count: int) -> dict[str, Any]:
    """Wait until the newest table has seen so many moves."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        listed = host.ask("/api/tables")[1]["tables"]
        if listed:
            table = host.table(listed[0]["id"])
            if len(table["moves"]) >= count or table["outcome"]:
                return table
        assert time.monotonic() < deadline, listed
        time.sleep(0.1)


@peers.needed
@pytest.mark.parametrize("time_control", ["none", "60+1"])
def test_engines_of_uci_and_cecp_play_each_other(tmp_path: Path, time_control: str) -> None:
    """What each speaks is found out; Fairy-Max has no setboard and follows the game move by move."""
    fairymax, stockfish = (str(peers.program(name, "usr/games")) for name in ("fairymax", "stockfish"))
    more = ("--level", "1", "--games", "1", "--move-time", "100ms", "--time", time_control)
    with fast(tmp_path, "http", "bogaprot") as running:
        with (
            bot("chess", running.ports[1], fairymax, "--name", "Max", *more),
            bot("chess", running.ports[1], stockfish, "--name", "Fish", "--engine-option", "Hash=1", *more),
        ):
            table = until_moves(Host(running.ports[0]), 14)
        assert sorted(str(name) for name in table["players"]) == ["Fish", "Max"]
        assert len(table["moves"]) >= 14 or table["outcome"]["reason"] == "rules"
        assert "Traceback" not in running.log.read_text()


@peers.needed
def test_two_gnugos_finish_a_game_of_go_and_say_what_is_dead(tmp_path: Path) -> None:
    command = " ".join([gnugo(), *options(3)])
    more = ("--option", "size=7", "--games", "1", "--move-time", "5s")
    with fast(tmp_path, "http", "bogaprot") as running:
        with bot("go", running.ports[1], command, *more) as one, bot("go", running.ports[1], command, *more) as other:
            assert one.wait(PATIENCE_S) == 0
            assert other.wait(PATIENCE_S) == 0
        table = Host(running.ports[0]).table(1)
        assert table["outcome"]["reason"] == "rules"
        assert table["outcome"]["detail"][:2] in ("B+", "W+")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess", "--engine", "no-such-engine"], "there is no executable 'no-such-engine'"),
        (["ludo", "--engine", "true"], "no engine's protocol here can play ludo"),
        (["chess", "--engine", "true", "--move-time", "soon"], "is no duration"),
        (["chess", "--engine", "true", "--move-time", "never"], "a move takes some time"),
        (["chess", "--engine", "true", "--dialect", "gamesman"], "--engine plays over bogaprot"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_joined(words: list[str], said: str) -> None:
    assert said in CliRunner().invoke(main, ["bot", *words]).output


def test_an_engine_that_dies_at_once_ends_the_bot_with_a_sentence(tmp_path: Path) -> None:
    with fast(tmp_path, "bogaprot", SEATS_BOT_AFTER="0s", BOTS_WORKERS="1") as running:
        words = ["bot", "chess", f"127.0.0.1:{running.ports[0]}", "--engine", "true", "--games", "1"]
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 1
        assert "the engine 'true' fails" in done.output
