"""Measures the Go Text Protocol: a GUI's command with its answer, and whole games of engines that need no thought.

The engines play scripted games, each its own side, by answering what the server asks of an engine that has dialled in.
"""

from __future__ import annotations

import select
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import Final

from bench import process, scripts
from bench.pairs import RECEIVE, Stuck
from gateway import registry

COMMANDS: Final = 2000
"""Commands that are timed one after another."""

SIZE: Final = 9
LENGTH: Final = 60
"""Moves of an engines' game on 9x9; then both pass."""

PATIENCE_S: Final = 30.0

ECHO: Final = (
    "import sys\nfor line in sys.stdin.buffer:\n sys.stdout.buffer.write(b'= 2\\n\\n'); sys.stdout.buffer.flush()"
)
"""The bare pipe: a process that answers each line without looking at it."""

_KNOWN: Final = "name\nversion\nlist_commands\nboardsize\nclear_board\nkomi\nplay\ngenmove\ntime_settings\nquery_dead"

INTRODUCTION: Final = {"name": "Instant", "version": "1", "list_commands": _KNOWN}
"""An engine's answers about itself."""


@dataclass(frozen=True, slots=True)
class Transport:
    """Seconds from a command to its answer, median: through the server, and through a bare pipe in the same run."""

    server_s: float
    pipe_s: float


@dataclass(frozen=True, slots=True)
class Games:
    """Games that pairs of instant engines finished, and the seconds it took."""

    tables: int
    games: int
    seconds: float

    @property
    def per_minute(self) -> float:
        return 60.0 * self.games / self.seconds if self.seconds else 0.0


def transport(progress: Callable[[float], None]) -> Transport:
    """``protocol_version`` again and again, over TCP to a server's GUI port and over a pipe to a process."""
    with process.boardgate("gtp-gui") as server, socket.create_connection(server.address, PATIENCE_S) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        reader = client.makefile("rb")
        ours = _timed(client.sendall, lambda: _until_blank(reader.readline), lambda share: progress(share / 2))
    with subprocess.Popen([sys.executable, "-c", ECHO], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as echo:
        assert echo.stdin is not None
        assert echo.stdout is not None
        into, out = echo.stdin, echo.stdout

        def say(line: bytes) -> None:
            into.write(line)
            into.flush()

        pipe = _timed(say, lambda: _until_blank(out.readline), lambda share: progress((1 + share) / 2))
        into.close()
    return Transport(ours, pipe)


def _timed(say: Callable[[bytes], object], hear: Callable[[], None], progress: Callable[[float], None]) -> float:
    times = []
    for count in range(COMMANDS):
        begun = time.perf_counter()
        say(b"protocol_version\n")
        hear()
        times.append(time.perf_counter() - begun)
        if not count % 100:
            progress(count / COMMANDS)
    return median(times)


def _until_blank(readline: Callable[[], bytes]) -> None:
    while (line := readline()).strip():
        pass
    if not line:
        raise Stuck("the server hung up")


@cache
def script() -> tuple[str, ...]:
    """The vertices of a game on 9x9 that nothing forbids; behind them both pass."""
    game = registry.game("go")
    position = game.start(game.settings(options={"size": str(SIZE)}))
    moves = []
    for move in scripts.wandering(game, position, LENGTH):
        moves.append(game.notation(position, move))
        position = game.play(position, move)
    return (*moves, "pass", "pass")


class Engine:
    """One that has dialled in: it answers by the script, and dials again when it is let go."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.sock = socket.create_connection(address, PATIENCE_S)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock.setblocking(False)
        self.finished = 0
        self._played = 0
        self._rest = b""

    def receive(self) -> None:
        """Answer everything that has come."""
        data = self.sock.recv(RECEIVE)
        if not data:
            raise Stuck("the server hung up on an engine")
        *lines, self._rest = (self._rest + data).split(b"\n")
        answers = b"".join(self._answer(line.decode()) for line in lines if line.strip())
        if answers:
            self.sock.send(answers)

    def _answer(self, line: str) -> bytes:
        number, _, command = line.partition(" ") if line[:1].isdigit() else ("", "", line)
        word = command.split()[0]
        text = INTRODUCTION.get(word, "")
        if word == "clear_board":
            self._played = 0
        elif word == "play":
            self._played += 1
        elif word == "genmove":
            text = script()[min(self._played, len(script()) - 1)]
            self._played += 1
        elif word == "query_dead":
            self.finished += 1
        return f"={number} {text}\n\n".encode()


def engines(tables: int, seconds: float, progress: Callable[[float], None]) -> Games:
    """Pairs of instant engines that play game after game on 9x9, area rules, without a clock."""
    script()
    with process.boardgate("gtp-engine", f"size={SIZE},time=none") as server:
        players = [Engine(server.address) for _ in range(2 * tables)]
        try:
            begun = time.perf_counter()
            _serve(players, seconds, progress)
            return Games(tables, sum(player.finished for player in players) // 2, time.perf_counter() - begun)
        finally:
            for player in players:
                player.sock.close()


def _serve(players: Sequence[Engine], seconds: float, progress: Callable[[float], None]) -> None:
    by_number = {player.sock.fileno(): player for player in players}
    poll = select.epoll()
    for number in by_number:
        poll.register(number, select.EPOLLIN)
    begun = heard = time.perf_counter()
    try:
        while (now := time.perf_counter()) - begun < seconds:
            for number, _ in poll.poll(0.2):
                by_number[number].receive()
                heard = now
            if now - heard > PATIENCE_S:
                raise Stuck(f"no command within {PATIENCE_S:g} s")
            progress((now - begun) / seconds)
    finally:
        poll.close()
