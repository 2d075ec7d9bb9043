"""GNU Go as the house's bot of a running server: a process for each game, restarted, given back, told the clock.

"The server can start engines itself (`[[bot]] game = "go" command = "gnugo --mode gtp"`), one process per game,
bounded, restarted when they die."
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gateway.bots.engine_pool import STANDS_IN
from protocols.core.opcodes import Value
from tests import peers
from tests.bots.running_engines import ended
from tests.conformance.gtp.gnugos import gnugo, options
from tests.faults.guests import DEFECTS, PATIENCE_S, Guest
from tests.running import RunningServer, server

pytestmark = peers.needed

SIZE = 9
AGAINST = f"Go?against=bot&size={SIZE}"
RESIGN = (-1, -1, "resign")
FREE = [row * SIZE + column for row in (2, 4, 6) for column in range(SIZE)]
"""Points that a player tries, one after the other."""


@contextmanager
def serving(data: Path, **settings: str) -> Iterator[RunningServer]:
    command = " ".join([gnugo(), *options(seed=1)])
    bot = f"go={command},move_time=5s" + "".join(f",{key}={value}" for key, value in settings.items())
    with server(data, "bogaprot", BOT=bot, BOTS_PAUSE="0s", BOTS_LEVEL="1") as running:
        yield running
    assert [word for word in DEFECTS if word in running.log.read_text()] == []


def pids(running: RunningServer) -> list[int]:
    """Of all engines started until now, the first one first."""
    return [int(pid) for pid in re.findall(r"an engine started.* pid=(\d+)", running.log.read_text())]


def sits(guest: Guest, wishes: str = "") -> Guest:
    """Sits down as Black at a table of its own, against gnugo."""
    assert guest.joins(AGAINST + wishes) == 0
    assert guest.hear("REQ_MOVE") == (0,)
    return guest


def plays(guest: Guest) -> tuple[Value, ...]:
    """Places a stone anywhere; gnugo's answering stone."""
    for point in FREE:
        if guest.puts(point) == (0,):
            assert guest.hear("REQ_MOVE") == (1,)
            while (moved := guest.hear("MSG_MOVE"))[1] == point or moved[1] == -1:
                pass  # one's own, and prisoners
            assert guest.hear("REQ_MOVE") == (0,)
            return moved
    raise AssertionError("no point is free")


def resigns(guest: Guest) -> None:
    guest.say("MSG_MOVE", *RESIGN)
    assert guest.hear("MSG_GAMEOVER") == (1,)


def test_two_tables_have_two_processes_and_killing_one_leaves_the_other_alone(tmp_path: Path) -> None:
    with serving(tmp_path) as running, Guest(running.ports[0]) as anna, Guest(running.ports[0]) as bert:
        for guest in (sits(anna), sits(bert)):
            plays(guest)
        first, second = pids(running)
        assert not ended(first)
        assert not ended(second)
        os.kill(first, signal.SIGKILL)
        assert ended(first, PATIENCE_S)
        for _ in range(4):
            plays(bert)
        assert pids(running) == [first, second]
        for _ in range(4):
            plays(anna)
        assert len(pids(running)) == 3
        assert not ended(second)
        assert running.log.read_text().count("an engine was lost") == 1


def test_a_process_is_given_back_when_its_game_ends(tmp_path: Path) -> None:
    with serving(tmp_path) as running:
        for _ in range(3):
            with Guest(running.ports[0]) as guest:
                plays(sits(guest))
                resigns(guest)
        assert len(pids(running)) == 1


def test_games_beyond_the_bound_are_played_by_the_processes_there_are(tmp_path: Path) -> None:
    with (
        serving(tmp_path, processes="1") as running,
        Guest(running.ports[0]) as anna,
        Guest(running.ports[0]) as bert,
    ):
        sits(anna)
        sits(bert)
        for guest in (anna, bert) * 3:
            plays(guest)
        assert len(pids(running)) == 1
        assert "an engine was lost" not in running.log.read_text()


@pytest.mark.parametrize("time", ["20", "5+1", "3/move", "6+4/8", "3+2x3"])
def test_gnugo_keeps_to_a_short_clock(tmp_path: Path, time: str) -> None:
    with serving(tmp_path) as running, Guest(running.ports[0]) as anna:
        sits(anna, f"&time={time}")
        for _ in range(6):
            plays(anna)
        resigns(anna)
        assert "an engine was lost" not in running.log.read_text()


def test_the_record_says_that_the_engine_does_not_answer_and_who_moves_instead(tmp_path: Path) -> None:
    with server(tmp_path, "bogaprot", BOT="go=/bin/true", BOTS_PAUSE="0s", BOTS_LEVEL="1") as running:
        with Guest(running.ports[0]) as anna:
            sits(anna)
            for _ in range(3):
                plays(anna)
        running.stop()
    export = [sys.executable, "-m", "gateway.cli", "export", "1", "--format", "ndjson", "--data", str(tmp_path)]
    record = subprocess.run(export, capture_output=True, text=True, check=True, timeout=30).stdout
    assert record.count(STANDS_IN) == 1
