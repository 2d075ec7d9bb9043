"""Measures the two messages of a crossing alone: written, carried by PostgreSQL and read, and nothing done about them.

``python -m bench.exchange URL POSTMASTER SECONDS`` prints how many exchanges there were, and the seconds of
processor that both ends and that PostgreSQL, whose process POSTMASTER is, spent. Both ends are tasks of one process, so
that they share what wakes them.
"""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass
from time import process_time
from typing import Final

import structlog
import trio

from bench import process, scripts
from bench.load import Progress
from bench.pairs import Stuck
from gateway import registry
from gateway.bus.opening import open_bus
from gateway.cluster import messages
from gateway.cluster.links import Links
from protocols.core.commands import PlayMove
from protocols.core.events import MoveMade, TurnStarted
from protocols.core.notifications import Notification

UNDER_WAY: Final = 20
"""Messages that are under way at once: as many leave with each notification when nodes.py lets every move cross."""

MEET_S: Final = 10.0
"""Seconds in which both ends hear each other."""

WARM_S: Final = 0.5
"""Seconds of exchanges before any is counted."""

LOOK_S: Final = 0.05
"""Seconds between two looks at whether the ends hear each other."""


@dataclass(frozen=True, slots=True)
class Exchanged:
    """So many exchanges; seconds of processor of both ends together, and of PostgreSQL."""

    count: int
    ends_s: float
    bus_s: float

    def each_us(self, seconds: float) -> float:
        """Microseconds an exchange."""
        return 1e6 * seconds / self.count if self.count else 0.0


def exchanged(seconds: float, progress: Progress) -> Exchanged:
    """Exchange messages for so many ``seconds`` on the server's core. NotInstalled without PostgreSQL. Linux only."""
    with process.postgresql() as cluster:
        command = [sys.executable, "-m", "bench.exchange", cluster.url(), str(cluster.pid), str(seconds)]
        with process.running(command) as made:
            assert made.stdout is not None
            found = made.stdout.readline().split()
    if len(found) != 3:
        raise Stuck("the messages did not come through")
    progress(1.0)
    return Exchanged(int(found[0]), float(found[1]), float(found[2]))


async def _exchange(url: str, postmaster: int, seconds: float) -> None:
    count = 0
    game, move = registry.game("checkers"), scripts.games("checkers", count=1)[0][0]
    changes = tuple(game.changes(game.start(game.settings()), move))
    step: tuple[Notification, ...] = (MoveMade.unwritten(0, move, 1, changes), TurnStarted(1))

    def asks() -> None:
        asker.send(2, messages.Ask(1, 1, 1, 0.0, 0.0, messages.coded(PlayMove(move))))

    def told(sender: int, message: messages.Message) -> None:
        nonlocal count
        count += 1
        asks()

    def asked(sender: int, message: messages.Message) -> None:
        answers = (messages.Answer(1, 1, 1, moved=True),)
        owner.send(1, messages.Told(1, (1, 2), 1, 0.0, tuple(map(messages.coded, step)), answers))

    asker = Links(open_bus("postgres", url, 1), 1, told, lambda node: None)
    owner = Links(open_bus("postgres", url, 2), 2, asked, lambda node: None)
    async with trio.open_nursery() as nursery:
        await nursery.start(asker.run)
        await nursery.start(owner.run)
        with trio.fail_after(MEET_S):
            while asker.alone or owner.alone:  # noqa: ASYNC110  # there is no event for it
                await trio.sleep(LOOK_S)
        for _ in range(UNDER_WAY):
            asks()
        await trio.sleep(WARM_S)
        backends = process.children(postmaster)
        before, ends_s, count = process.spent(backends), process_time(), 0
        await trio.sleep(seconds)
        ends_s, after = process_time() - ends_s, process.spent(backends)
        print(count, ends_s, sum(after[pid] - before[pid] for pid in after), flush=True)
        nursery.cancel_scope.cancel()


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    trio.run(_exchange, sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
