"""A flood of connections from one address, and of malformed openings: a table plays a whole game and hears every move.

Nothing here is about how long moves take: ``boardgate bench --only flood`` measures that.
"""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway import registry
from gateway.bench import flooder
from gateway.config import Limits
from gateway.server.often import LINES, WINDOW_S
from tests.faults.guests import PATIENCE_S, seated, sound
from tests.running import RunningServer, server

FLOOD_S = 2.0
PLACES = Limits().connections_per_address
GROWTH = 24 << 20
"""Bytes that a flood may leave behind: caches, and what the allocator keeps; ten thousand connections were 250 MB."""

ENGINE = "checkers?time=77777"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningServer]:
    """With the limits that it has by default."""
    with server(tmp_path, "bogaprot", "http", ports=None, BOTS_WORKERS="0") as process:
        yield process
        assert process.stop() == 0


class Flooding:
    """The flooding process. ``ends`` gives its numbers: opened, hung up on, left inside, not connected."""

    def __init__(self, port: int, kind: str) -> None:
        command = [sys.executable, "-m", flooder.__name__, str(port)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdin is not None
        self.process.stdin.write(f"{kind} {FLOOD_S}\n")
        self.process.stdin.close()

    @property
    def over(self) -> bool:
        return self.process.poll() is not None

    def ends(self) -> tuple[int, ...]:
        assert self.process.stdout is not None
        with self.process.stdout as answer:
            return tuple(map(int, answer.readline().split()))


@contextlib.contextmanager
def flooding(port: int, kind: str) -> Iterator[Flooding]:
    flood = Flooding(port, kind)
    try:
        yield flood
    finally:
        flood.process.kill()
        flood.process.wait()


def page(running: RunningServer, path: str) -> str:
    """Raises where the status is not 200."""
    with urllib.request.urlopen(f"http://127.0.0.1:{running.ports[1]}{path}", timeout=PATIENCE_S) as answer:
        return str(answer.read().decode())


def figure(running: RunningServer, beginning: str) -> float:
    (line,) = [line for line in page(running, "/metrics").splitlines() if line.startswith(f"{beginning} ")]
    return float(line.split()[-1])


def memory_bytes(running: RunningServer) -> int:
    pages = int(Path(f"/proc/{running.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def play_a_game(port: int, seed: int) -> int:
    """Two players at a table; both must hear every move and the end. How many moves it took."""
    game, chance, moves = registry.game("checkers"), random.Random(seed), 0
    with seated(port, ENGINE, ENGINE) as guests:
        position = game.start(game.settings())
        while legal := game.legal_moves(position):
            move, turn = chance.choice(legal), game.to_move(position)
            assert isinstance(turn, int)
            guests[turn].say("MSG_MOVE", move.source or 0, move.target or 0)
            assert guests[turn].hear("RSP_MOVE") == (0,)
            for guest in guests:
                while guest.hear("MSG_MOVE") != (move.source, move.target):
                    pass  # a piece that the move before captured
            position = game.play(position, move)
            moves += 1
        assert guests[0].hear("MSG_GAMEOVER") == guests[1].hear("MSG_GAMEOVER")
    return moves


def gone_again(running: RunningServer, places: float) -> bool:
    """Whether there are no more connections than that, however long the machine takes to find out."""
    until = time.monotonic() + PATIENCE_S
    while (inside := figure(running, "boardgate_places_taken")) > places and time.monotonic() < until:
        time.sleep(0.05)
    return inside <= places


@pytest.mark.parametrize("kind", ["connections", "malformed"])
def test_whole_games_are_played_while_a_listener_is_flooded_and_nothing_is_left_behind(
    running: RunningServer, kind: str
) -> None:
    play_a_game(running.ports[0], 0)
    page(running, "/readyz")
    places, before = figure(running, "boardgate_places_taken"), memory_bytes(running)
    games = 0
    with flooding(running.ports[0], kind) as flood:
        while not flood.over:
            games += 1
            assert play_a_game(running.ports[0], games) > 10
            page(running, "/readyz")
        opened, hung_up_on, left, _ = flood.ends()
    assert games > 0
    assert opened > 10 * PLACES
    assert hung_up_on > 0
    if kind == "connections":
        assert left <= PLACES, "an address has so many places, whatever it does"
        assert hung_up_on + left == opened, "all others were hung up on"
    assert figure(running, 'boardgate_connections_turned_away_total{why="no place"}') > PLACES
    assert gone_again(running, places), "every place was given back"
    assert memory_bytes(running) - before < GROWTH
    assert sound(running)


def test_the_log_has_some_lines_of_malformed_openings_and_the_figures_have_all(running: RunningServer) -> None:
    begun = time.monotonic()
    with flooding(running.ports[0], "malformed") as flood:
        flood.ends()
    broken = figure(running, 'boardgate_connections_closed_total{why="protocol broken"}')
    windows = 2 + (time.monotonic() - begun) // WINDOW_S
    log = running.log.read_text()
    assert 0 < log.count('event="protocol broken"') <= windows * LINES
    assert broken > 5 * LINES
    assert len(log.splitlines()) < windows * 3 * LINES, "nor is there any other line for each of them"
