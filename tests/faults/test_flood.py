"""Floods of connections, of malformed openings, of TLS and HTTP: a table plays whole games and hears every move.

Nothing here is about how long moves take: ``boardgate bench --only flood`` measures that.
"""

from __future__ import annotations

import contextlib
import os
import random
import select
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path

import pytest

from bench import flooder
from bench.flood import Became
from bench.floods import HTTP, KINDS, PLAIN, TLS
from bench.process import self_signed
from gateway import registry
from gateway.config import Limits
from gateway.net.log_limiter import LINES, WINDOW_S
from tests.conformance.over_tls.secure import Secure
from tests.faults.guests import PATIENCE_S, seated, sound
from tests.running import RunningServer, server

FLOOD_S = 1.0
PLACES = Limits().connections_per_address
"""Of one address, whatever it does."""

OURS = 8
"""Places of the clients that do not flood, at most: the server may not have seen yet that some have gone."""

GROWTH = 24 << 20
"""Bytes that a flood may leave behind: caches, and what the allocator keeps; ten thousand connections were 250 MB."""

MANY_GROWTH = 4 * GROWTH
"""And one from 32 addresses, which may have 2,048 connections: what a handshake of TLS needs of each."""

ENGINE = "checkers?time=77777"

LISTENERS = (PLAIN, HTTP, TLS)
"""In the order of their ports."""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningServer]:
    """With the limits that it has by default, and a listener of each of LISTENERS."""
    with (
        self_signed() as secure,
        server(tmp_path, "bogaprot", "http", f"bogaprot,{secure}", ports=None, BOTS_WORKERS="0") as process,
    ):
        yield process
        assert process.stop() == 0


class Flooding:
    """The flooding process. Floods for FLOOD_S first, then each time twice as long: it has the lowest priority."""

    def __init__(self, port: int, kind: str) -> None:
        command = [sys.executable, "-m", flooder.__name__]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._told, self._answers = self.process.stdin, self.process.stdout
        self._asked, self._seconds = f"{port} {kind}", FLOOD_S
        self._flood()

    def over(self, enough: Callable[[Became], bool]) -> bool:
        """Whether a flood has ended that was ``enough``. ``became`` is what became of its connections."""
        if not select.select([self._answers], [], [], 0.0)[0]:
            return False
        self.became = Became(*map(int, self._answers.readline().split()))
        if enough(self.became):
            return True
        self._seconds *= 2
        assert self._seconds < PATIENCE_S, self.became
        self._flood()
        return False

    def _flood(self) -> None:
        self._told.write(f"{self._asked} {self._seconds}\n")
        self._told.flush()

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


@contextlib.contextmanager
def flooding(running: RunningServer, kind: str) -> Iterator[Flooding]:
    flood = Flooding(running.ports[LISTENERS.index(KINDS[kind].at)], kind)
    try:
        yield flood
    finally:
        flood.end()


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
    """Whether there are no more connections than that, as long as the server goes on finding out who has gone.

    Each of two thousand handshakes costs it milliseconds, of whatever share of a core it has.
    """
    least, until = inf, time.monotonic() + PATIENCE_S
    while (inside := figure(running, "boardgate_places_taken")) > places and time.monotonic() < until:
        if inside < least:
            least, until = inside, time.monotonic() + PATIENCE_S
        time.sleep(0.05)
    return inside <= places


@pytest.mark.parametrize("kind", KINDS)
def test_others_are_served_and_play_whole_games_while_a_listener_is_flooded_and_nothing_is_left_behind(
    running: RunningServer, kind: str
) -> None:
    play_a_game(running.ports[0], 0)
    page(running, "/readyz")
    places, before = figure(running, "boardgate_places_taken"), memory_bytes(running)
    one, games = len(KINDS[kind].sources) == 1, 0

    def enough(became: Became) -> bool:
        refused = figure(running, 'boardgate_connections_turned_away_total{why="no place"}')
        return became.opened > 2 * PLACES and (refused > PLACES or not one)

    with flooding(running, kind) as flood:
        while not flood.over(enough):
            games += 1
            assert play_a_game(running.ports[0], games) > 10
            page(running, "/readyz")
            shakes_hands(running.ports[2])
            if one:
                assert figure(running, "boardgate_places_taken") <= places + PLACES + OURS
    assert games > 0
    if one:
        assert flood.became.ended + flood.became.left == flood.became.opened, "the others were hung up on"
    assert gone_again(running, places), "every place was given back"
    assert memory_bytes(running) - before < (GROWTH if one else MANY_GROWTH)
    assert sound(running)


def shakes_hands(port: int) -> None:
    """A whole handshake of TLS from an address that floods nothing, and an answer over it.

    A client that hung up right after its own part would be counted as one whose handshake has failed.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with Secure(port, context) as guest:
        assert guest.asks("no-such-game")[0] == 1


def test_the_log_has_some_lines_of_malformed_openings_and_the_figures_have_all(running: RunningServer) -> None:
    begun = time.monotonic()
    broken = 'boardgate_connections_closed_total{why="protocol broken"}'
    with flooding(running, "malformed") as flood:
        while not flood.over(lambda _: figure(running, broken) > 5 * LINES):
            time.sleep(0.05)
    windows = 2 + (time.monotonic() - begun) // WINDOW_S
    log = running.log.read_text()
    assert 0 < log.count('event="protocol broken"') <= windows * LINES
    assert len(log.splitlines()) < windows * 3 * LINES, "nor is there any other line for each of them"
