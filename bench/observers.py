"""Measures observers: what each costs the server, beside a bare send of the same bytes, and what it costs other tables.

All of it by turns in one run: other tables alone, the same while the game with the observers is played, and the bare
sends of the yardstick.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import msgspec

from bench import audience, process, scripts
from bench.audience import Told
from bench.load import Count, Load, Progress
from bench.measure import WARM_S
from bench.pairs import Stuck
from bench.web_pair import WebPair

INTERVAL_S: Final = 0.25
"""Seconds between two moves of the game that is looked at: as fast as blitz at its end."""

OTHERS_S: Final = 1.0
"""Seconds between two moves of every other table."""

TURN_S: Final = 2.0
"""Seconds of each kind of turn, again and again."""

SIZE: Final = 200
"""Bytes of a bare send: as many as an observer is told of a move of chess; the report says how many those were."""


@dataclass(slots=True)
class Side:
    """The server's processor time, and what the observers were told meanwhile."""

    processor_s: float = 0.0
    told: Told = field(default_factory=Told)

    def add(self, processor_s: float, told: Told) -> None:
        """Count another turn."""
        self.processor_s += processor_s
        self.told.moves += told.moves
        self.told.size += told.size
        self.told.last_s += told.last_s

    def last_s(self, share: float) -> float:
        """Seconds within which ``share`` of the moves had been told to the last one."""
        return Count(latencies=self.told.last_s).percentile(share)


@dataclass(slots=True)
class Observed:
    """``calm`` and ``disturbed`` are the moves of the other tables; ``bytes_each`` the server's memory an observer."""

    observers: int
    tables: int
    bytes_each: float = 0.0
    calm_s: float = 0.0
    """The server's processor time in as long with the other tables alone."""
    calm: Count = field(default_factory=Count)
    disturbed: Count = field(default_factory=Count)
    web: Side = field(default_factory=Side)
    bare: Side = field(default_factory=Side)

    @property
    def each_us(self) -> float:
        """Microseconds of the server for one observer and one move: without those for the moves of the other tables."""
        others_s = self.calm_s * self.disturbed.moves / self.calm.moves if self.calm.moves else 0.0
        return self._each_us(self.web, others_s)

    @property
    def bare_us(self) -> float:
        """The same of the bare send."""
        return self._each_us(self.bare, 0.0)

    def _each_us(self, side: Side, but_s: float) -> float:
        sends = side.told.moves * self.observers
        return 1e6 * (side.processor_s - but_s) / sends if sends else 0.0


def observed(observers: int, tables: int, seconds: float, progress: Progress) -> Observed:
    """``observers`` of one game for so many ``seconds``, beside ``tables`` others."""
    found = Observed(observers, tables)
    games = WebPair.script(scripts.games(WebPair.game))
    limit = {"BOARDGATE_LIMITS_OBSERVERS": str(max(observers, 1))}
    with (
        process.serving("http=127.0.0.1:0", **limit) as (server,),
        process.bare("sends") as yardstick,
    ):
        load = Load([WebPair(server.address, games, number) for number in range(tables)], OTHERS_S)
        try:
            load.connect(lambda share: progress(0.1 * share))
            before = server.memory_bytes()
            with (
                _audience("web", server.address[1], observers) as web,
                _audience("bare", yardstick.address[1], observers, SIZE) as bare,
            ):
                found.bytes_each = (server.memory_bytes() - before) / observers
                load.run(WARM_S, lambda share: None)
                rounds = max(1, round(seconds / TURN_S))
                for number in range(rounds):
                    _turn(found, load, server, web, yardstick, bare, seconds / rounds)
                    progress(0.2 + 0.8 * (number + 1) / rounds)
        finally:
            load.close()
    return found


def _turn(
    found: Observed,
    load: Load,
    server: process.Server,
    web: subprocess.Popen[str],
    yardstick: process.Server,
    bare: subprocess.Popen[str],
    seconds: float,
) -> None:
    before = server.processor_s()
    found.calm.add(load.run(seconds, lambda share: None))
    found.calm_s += server.processor_s() - before
    before = server.processor_s()
    _begin(web, seconds)
    found.disturbed.add(load.run(seconds, lambda share: None))
    found.web.add(server.processor_s() - before, _told(web))
    before = yardstick.processor_s()
    _begin(bare, seconds)
    told = _told(bare)
    found.bare.add(yardstick.processor_s() - before, told)


def _begin(crowd: subprocess.Popen[str], seconds: float) -> None:
    assert crowd.stdin is not None
    crowd.stdin.write(f"{seconds} {INTERVAL_S}\n")
    crowd.stdin.flush()


def _told(crowd: subprocess.Popen[str]) -> Told:
    """Reads one answer of the observers. Stuck: they have gone."""
    assert crowd.stdout is not None
    line = crowd.stdout.readline()
    if not line:
        raise Stuck("the observers have gone")
    return msgspec.json.decode(line, type=Told)


@contextmanager
def _audience(*words: object) -> Iterator[subprocess.Popen[str]]:
    """The process of the observers, on the load's core like everything that is started now. Stuck."""
    command = [sys.executable, "-m", audience.__name__, *map(str, words)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crowd:
        try:
            assert crowd.stdout is not None
            if crowd.stdout.readline().strip() != "ready":
                raise Stuck("the observers did not come in")
            yield crowd
        finally:
            crowd.kill()
