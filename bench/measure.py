"""Measures under load: moves per second beside the bare relay, latency at a given rate, memory of idle clients."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Final

from bench import process, scripts
from bench.load import Count, Load, Progress
from bench.pairs import LinePair, ScriptedPair
from bench.postgresql import Cluster
from migrations import upgrade

WARM_S: Final = 1.0
"""Seconds of play before anything is counted: caches fill, the clients fall out of step."""

TURN_S: Final = 1.0
"""Seconds of play by turns: how fast a shared machine is changes from one minute to the next, and a ratio of two
runs one after the other changes with it."""

Players = type[ScriptedPair]
"""A kind of pair, which knows its dialect and its game."""


@dataclass(frozen=True, slots=True)
class Record:
    """A kind of database; ``fresh`` gives the URL of an empty database, "" for a file of the server's own."""

    name: str
    fresh: Callable[[], str]


SQLITE: Final = Record("sqlite", lambda: "")


@dataclass(frozen=True, slots=True)
class Throughput:
    """The throughput of ``tables`` pairs: by Boardgate, and by the bare relay in the same run.

    ``record`` is the name of what Boardgate stored them in.
    """

    tables: int
    record: str
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


def throughputs(
    playing: Sequence[Players],
    tables: int,
    seconds: float,
    progress: Progress,
    records: Sequence[Record] = (SQLITE,),
) -> list[Throughput]:
    """The throughput of each beside the bare relay, ``seconds`` each, all by turns of a second.

    Of each of ``playing`` one for each of ``records``, in this order.
    """
    contest = [(players, record) for players in playing for record in records]
    with ExitStack() as stack:
        bare = stack.enter_context(process.bare("relay"))
        servers = [stack.enter_context(_server(players, record)) for players, record in contest]
        loads = [Load([LinePair(bare.address) for _ in range(tables)])]
        loads += [Load(_pairs(players, server, tables)) for (players, _), server in zip(contest, servers, strict=True)]
        for number, load in enumerate(loads):
            stack.callback(load.close)
            load.connect(_part(progress, 0.2 * number / len(loads), 0.2 / len(loads)))
            load.run(WARM_S, lambda share: None)
        relay, *ours = _by_turns(loads, seconds, _part(progress, 0.2, 0.8))
        return [Throughput(tables, record.name, found, relay) for (_, record), found in zip(contest, ours, strict=True)]


def _part(progress: Progress, begins: float, of: float) -> Progress:
    """Progress of a part of the work, as progress of the whole."""
    return lambda share: progress(begins + of * share)


def _by_turns(loads: Sequence[Load], seconds: float, progress: Progress) -> list[Count]:
    counts = [Count() for _ in loads]
    rounds = max(1, round(seconds / TURN_S))
    for number in range(rounds):
        for total, load in zip(counts, loads, strict=True):
            total.add(load.run(seconds / rounds, lambda share: None))
        progress((number + 1) / rounds)
    return counts


def boardgate(
    players: Players,
    tables: int,
    seconds: float,
    progress: Progress,
    interval_s: float = 0.0,
    record: Record = SQLITE,
) -> Count:
    """Boardgate's throughput; with ``interval_s`` the time of a move when every table makes one in this time."""
    with _server(players, record) as server:
        return _play(Load(_pairs(players, server, tables), interval_s), seconds, progress)


def idle(players: Players, connections: int, progress: Progress) -> Idle:
    """Memory of so many connections, seated in pairs, their games begun, and then left alone."""
    with _server(players) as server:
        first, rest = Load(_pairs(players, server, 1)), Load(_pairs(players, server, connections // 2))
        try:
            first.connect(lambda share: None)
            before = server.memory_bytes()
            rest.connect(progress)
            time.sleep(WARM_S)  # what was freed while they came goes back to the system, if it does
            seated = 2 * (connections // 2)
            return Idle(seated, (server.memory_bytes() - before) / seated)
        finally:
            first.close()
            rest.close()


def hosted(cluster: Cluster) -> Record:
    """In databases of this PostgreSQL."""
    numbers = count(1)

    def fresh() -> str:
        url = cluster.create(f"bench{next(numbers)}")
        upgrade(url)
        return url

    return Record("postgresql", fresh)


@contextmanager
def _server(players: Players, record: Record = SQLITE) -> Iterator[process.Server]:
    scripts.games(players.game)  # before the server starts: the time is not the server's
    with process.boardgate(players.carrier or players.dialect, players.listener, record.fresh()) as server:
        yield server


def _pairs(players: Players, server: process.Server, tables: int) -> list[ScriptedPair]:
    games = players.script(scripts.games(players.game))
    return [players(server.address, games, number) for number in range(tables)]


def _play(load: Load, seconds: float, progress: Progress) -> Count:
    try:
        load.connect(lambda share: progress(0.2 * share))
        load.run(WARM_S, lambda share: None)
        return load.run(seconds, lambda share: progress(0.2 + 0.8 * share))
    finally:
        load.close()
