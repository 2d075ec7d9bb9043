"""A running server starts an engine from its settings, gets moves from it, and ends it when it stops."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import peers
from tests.bots.running_engines import SCRIPT, ended, stockfish
from tests.faults.guests import DEFECTS, Guest
from tests.running import RunningServer, server

QUICK = {"BOTS_PAUSE": "0s"}
E2, E4 = 52, 36


@contextmanager
def answered(data: Path, bot: str) -> Iterator[tuple[RunningServer, list[int]]]:
    """A server whose engine for chess is ``bot``, and has answered 1. e4; the engines' process ids."""
    with server(data, "bogaprot", ports=None, BOT=bot, **QUICK) as running, Guest(running.ports[0]) as guest:
        assert guest.joins("Chess?against=bot") == 0
        turns = [guest.hear("REQ_MOVE")]
        guest.say("MSG_MOVE", E2, E4)
        assert guest.hear("RSP_MOVE") == (0,)
        turns += [guest.hear("REQ_MOVE"), guest.hear("REQ_MOVE")]
        assert turns == [(0,), (1,), (0,)]
        yield running, [int(pid) for pid in re.findall(r"an engine started.* pid=(\d+)", running.log.read_text())]


@peers.needed
@pytest.mark.parametrize("end", [RunningServer.stop, RunningServer.kill])
def test_stockfish_answers_and_is_gone_with_the_server(tmp_path: Path, end: object) -> None:
    with answered(tmp_path, f"chess={stockfish().command[0]},move_time=50ms") as (running, pids):
        assert len(pids) == 1
        assert not ended(pids[0])
        assert callable(end)
        end(running)
        assert ended(pids[0], within_s=10)
        assert [word for word in DEFECTS if word in running.log.read_text()] == []


def test_an_engine_that_refuses_to_quit_does_not_hold_the_server_up(tmp_path: Path) -> None:
    command = shlex.join([sys.executable, str(SCRIPT), "stays"])
    with answered(tmp_path, f"chess={command}") as (running, pids):
        assert [ended(pid) for pid in pids] == [False]
        assert running.stop() == 0
        assert [ended(pid) for pid in pids] == [True]


def test_an_engine_that_cannot_play_is_an_error_at_the_start(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "gateway.cli",
        "serve",
        "--data",
        str(tmp_path),
        "--listen",
        "bogaprot=127.0.0.1:0",
    ]
    refused = subprocess.run(command, env={"BOARDGATE_BOT": "chess=no-such-engine"}, capture_output=True, text=True)
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert "[[bot]] of chess: command 'no-such-engine': there is no executable 'no-such-engine'" in refused.stderr
    assert "Traceback" not in refused.stderr
