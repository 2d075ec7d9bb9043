"""Draining by SIGUSR1: the server opens no tables, tells all players, and games go on, at the next server too."""

from __future__ import annotations

import json
import signal
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Final

from gateway.ops.drain import BEGUN, NO_TABLE
from gateway.sessions.connections import FAREWELL
from tests.cli.playing import run
from tests.conformance.chess_guests import LISTENERS, room
from tests.conformance.servers import fast
from tests.running import RunningServer

HTTP: Final = len(LISTENERS)
NOTED_S: Final = 20.0
"""Seconds until the log has it that no game runs, which is looked at twice a second."""


def readyz(running: RunningServer) -> tuple[int, list[str]]:
    """The status of /readyz, and why not."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{running.ports[HTTP]}/readyz", timeout=10) as answer:
            return answer.status, []
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.load(refused)["reasons"]


def logged(running: RunningServer, words: str) -> bool:
    """Whether the log has these words, now or soon."""
    patience = time.monotonic() + NOTED_S
    while words not in running.log.read_text():
        if time.monotonic() > patience:
            return False
        time.sleep(0.05)
    return True


def drained(running: RunningServer) -> None:
    running.process.send_signal(signal.SIGUSR1)
    assert logged(running, 'event=draining by="signal SIGUSR1"')


def test_those_who_play_are_told_and_play_on_and_nobody_opens_a_table(tmp_path: Path) -> None:
    with fast(tmp_path, *LISTENERS, "http", ports=None) as running, room(running) as here:
        pia, mia = here.mixed()
        assert readyz(running) == (200, [])
        drained(running)
        pia.hears(f"text {BEGUN}")
        mia.hears(f"tell gateway {BEGUN}")
        assert readyz(running) == (503, ["draining, games that run: 1"])
        lea = here.miniature("Lea")
        lea.say("seek 5 0 u w")
        assert NO_TABLE in lea.until("error ")
        mia.say("move e7-e5")
        pia.echo("e7e5")
        assert "drained" not in running.log.read_text()
        mia.say("resign")
        for guest in (pia, mia):
            guest.until("result 1-0")
        assert logged(running, 'event="drained: no game runs"')
        assert readyz(running) == (503, ["draining, games that run: 0"])
        assert running.stop() == 0
    (act,) = json.loads(run("log", "--json", data=tmp_path).stdout)
    assert (act["act"], act["by"], act["detail"]) == ("drain.begun", "signal SIGUSR1", {"running": 1})


def test_a_seat_that_waits_can_still_be_taken_and_the_signal_sent_twice_says_the_same(tmp_path: Path) -> None:
    with fast(tmp_path, *LISTENERS, "http", ports=None) as running, room(running) as here:
        sara = here.miniature("Sara")
        sara.seek("5 0 u w")
        drained(running)
        sara.hears(f"tell gateway {BEGUN}")
        running.process.send_signal(signal.SIGUSR1)
        tom = here.miniature("Tom")
        tom.say("play")
        tom.hears("tell gateway game 1:")
        sara.hears("tell gateway game 1:")
        assert not any(BEGUN in line for line in sara.passed)
        assert running.log.read_text().count("event=draining") == 1


def test_a_game_that_runs_when_the_drained_server_is_stopped_goes_on_at_the_next(tmp_path: Path) -> None:
    with fast(tmp_path, *LISTENERS, "http", ports=None) as first, room(first) as here:
        ports = dict(enumerate(first.ports))
        pia, mia = here.mixed()
        drained(first)
        mia.say("move e7-e5")
        pia.echo("e7e5")
        assert first.stop() == 0
        mia.until(f"tell gateway {FAREWELL}")
    with fast(tmp_path, *LISTENERS, "http", ports=ports) as second, room(second) as here:
        assert readyz(second) == (200, [])
        person = here.miniature("Mia")
        person.say(f"tell gateway seat {mia.ticket}")
        person.until("move e7-e5")
        other = here.miniature("Lea")
        other.seek("5 0 u w")
        assert other.ticket, "a new process opens tables"
