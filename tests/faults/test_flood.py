"""Floods of connections, of malformed openings, of TLS and HTTP: a table plays whole games and hears every move.

Nothing here is about how long moves take: ``boardgate bench --only flood`` measures that.
"""

from __future__ import annotations

import contextlib
import os
import random
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway import registry
from gateway.bench import flooder
from gateway.bench.flood import Became
from gateway.bench.floods import HTTP, KINDS, PLAIN, TLS
from gateway.bench.self_signed import self_signed
from gateway.config import Limits
from gateway.net.log_limiter import LINES, WINDOW_S
from tests.faults.guests import PATIENCE_S, seated, sound
from tests.running import RunningServer, server

FLOOD_S = 2.0
PLACES = Limits().connections_per_address
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
    """The flooding process. ``ends`` gives its numbers."""

    def __init__(self, port: int, kind: str) -> None:
        command = [sys.executable, "-m", flooder.__name__]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdin is not None
        self.process.stdin.write(f"{port} {kind} {FLOOD_S}\n")
        self.process.stdin.close()

    @property
    def over(self) -> bool:
        return self.process.poll() is not None

    def ends(self) -> Became:
        assert self.process.stdout is not None
        with self.process.stdout as answer:
            return Became(*map(int, answer.readline().split()))


@contextlib.contextmanager
def flooding(running: RunningServer, kind: str) -> Iterator[Flooding]:
    flood = Flooding(running.ports[LISTENERS.index(KINDS[kind].at)], kind)
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


@pytest.mark.parametrize("kind", KINDS)
def test_whole_games_are_played_while_a_listener_is_flooded_and_nothing_is_left_behind(
    running: RunningServer, kind: str
) -> None:
    play_a_game(running.ports[0], 0)
    page(running, "/readyz")
    places, before = figure(running, "boardgate_places_taken"), memory_bytes(running)
    games = 0
    with flooding(running, kind) as flood:
        while not flood.over:
            games += 1
            assert play_a_game(running.ports[0], games) > 10
            page(running, "/readyz")
        became = flood.ends()
    assert games > 0
    assert became.opened > 2 * PLACES
    one = len(KINDS[kind].sources) == 1
    if one:
        bounded(became)
    if one or kind == "malformed":
        assert figure(running, 'boardgate_connections_turned_away_total{why="no place"}') > PLACES
    assert gone_again(running, places), "every place was given back"
    assert memory_bytes(running) - before < (GROWTH if one else MANY_GROWTH)
    assert sound(running)


def bounded(became: Became) -> None:
    """One address has so many places, whatever it does; all others were hung up on."""
    assert became.left <= PLACES
    assert became.ended + became.left == became.opened


@pytest.mark.parametrize("kind", ["TLS-32", "HTTP-32"])
def test_somebody_else_is_served_in_the_middle_of_a_flood_of_dear_work(running: RunningServer, kind: str) -> None:
    with flooding(running, kind) as flood:
        served = 0
        while not flood.over:
            page(running, "/readyz")
            shakes_hands(running.ports[2])
            served += 1
        flood.ends()
    assert served > 0


def shakes_hands(port: int) -> None:
    """A whole handshake of TLS, from an address that floods nothing."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as plain, context.wrap_socket(plain) as secured:
        assert secured.version() == "TLSv1.3"


def test_the_log_has_some_lines_of_malformed_openings_and_the_figures_have_all(running: RunningServer) -> None:
    begun = time.monotonic()
    with flooding(running, "malformed") as flood:
        flood.ends()
    broken = figure(running, 'boardgate_connections_closed_total{why="protocol broken"}')
    windows = 2 + (time.monotonic() - begun) // WINDOW_S
    log = running.log.read_text()
    assert 0 < log.count('event="protocol broken"') <= windows * LINES
    assert broken > 5 * LINES
    assert len(log.splitlines()) < windows * 3 * LINES, "nor is there any other line for each of them"
