"""The measurements: moves per second beside the bare relay, latency at a given rate, memory of idle connections.

Not here: how the numbers are shown (report.py).
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gateway.bench import process, scripts
from gateway.bench.load import Count, Load, Progress
from gateway.bench.pairs import RECEIVE, BogaprotPair, LinePair, Stuck

WARM_S: Final = 1.0
"""Seconds of play before anything is counted: caches fill, the clients fall out of step."""


@dataclass(frozen=True, slots=True)
class Throughput:
    """As many moves as ``tables`` pairs can make: by Boardgate, and by the bare relay in the same run."""

    tables: int
    boardgate: Count
    relay: Count

    @property
    def ratio(self) -> float:
        """Boardgate's moves per second as a share of the relay's."""
        return self.boardgate.rate / self.relay.rate if self.relay.rate else 0.0


@dataclass(frozen=True, slots=True)
class Idle:
    """Seated connections that do nothing, and what the server's memory grew by for each, in bytes."""

    connections: int
    bytes_each: float


def throughput(tables: int, seconds: float, progress: Callable[[str, float], None]) -> Throughput:
    """Both servers under the same pattern, one after the other."""
    games = scripts.games()
    with process.relay() as server:
        relay = _play(
            Load([LinePair(server.address) for _ in range(tables)]), seconds, lambda share: progress("relay", share)
        )
    with process.boardgate(scripts.GAME) as server:
        load = Load([BogaprotPair(server.address, games, number) for number in range(tables)])
        ours = _play(load, seconds, lambda share: progress("boardgate", share))
    return Throughput(tables, ours, relay)


def paced(tables: int, interval_s: float, seconds: float, progress: Callable[[str, float], None]) -> Count:
    """Boardgate's latencies when every table moves once in ``interval_s``."""
    games = scripts.games()
    with process.boardgate(scripts.GAME) as server:
        load = Load([BogaprotPair(server.address, games, number) for number in range(tables)], interval_s)
        return _play(load, seconds, lambda share: progress("boardgate", share))


def idle(connections: int, progress: Callable[[str, float], None]) -> Idle:
    """Memory of so many connections, seated in pairs with their games begun, and then left alone."""
    clients: list[socket.socket] = []
    with process.boardgate(scripts.GAME) as server:
        _seat(server, 2, clients)
        before = server.memory_bytes()
        try:
            while len(clients) < connections + 2:
                _seat(server, 2, clients)
                progress("connections", len(clients) / (connections + 2))
            time.sleep(WARM_S)  # what was freed while they came goes back to the system, if it does
            return Idle(connections, (server.memory_bytes() - before) / connections)
        finally:
            for client in clients:
                client.close()


def _seat(server: process.Server, count: int, clients: list[socket.socket]) -> None:
    """One after another, each waiting to be told something: so two of them meet at a table."""
    for _ in range(count):
        client = socket.create_connection(server.address, timeout=30.0)
        if not client.recv(RECEIVE):
            raise Stuck("the server hung up")
        clients.append(client)


def _play(load: Load, seconds: float, progress: Progress) -> Count:
    try:
        load.connect(lambda share: progress(0.2 * share))
        load.run(WARM_S, lambda share: None)
        return load.run(seconds, lambda share: progress(0.2 + 0.8 * share))
    finally:
        load.close()
