"""An hour of games and of clients that come and go: behind its plateau the server's memory does not grow."""

from __future__ import annotations

import os
import random
import time
from itertools import count
from pathlib import Path
from statistics import median
from typing import Final

import pytest

from tests.conformance.servers import fast
from tests.faults.guests import seated
from tests.faults.pairs import Load
from tests.faults.test_memory import resident

SOAK_S: Final = float(os.environ.get("BOARDGATE_SOAK_S", "3600"))
"""BOARDGATE_SOAK_S=300 tries the test itself; a plateau takes some twenty minutes."""

EACH_S: Final = 5.0
"""Seconds of a round: games are played for a fifth of it, for an hour at full speed would fill five gigabytes."""

PAIRS, COMING = 20, 10

GROWTH: Final = 3 << 20
"""Bytes that the last quarter may have more than the one before: what an allocator takes and gives back."""


@pytest.mark.nightly
def test_memory_does_not_grow_behind_its_plateau(tmp_path: Path) -> None:
    """Quarters of the hour are compared by their medians: the first two are for caches to fill."""
    short = {"SEATS_GRACE": "5s", "SEATS_ADJOURNED": "10s"}
    numbers, sizes, end = count(1), list[int](), time.monotonic() + SOAK_S
    with fast(tmp_path, "bogaprot", ports=None, **short) as running:
        port = running.ports[0]
        with Load(port, PAIRS, 1, random.Random(7)) as playing:
            while (begun := time.monotonic()) < end:
                playing.play(EACH_S / 5)
                for told in playing.games:
                    if told.over:
                        told.moves[0].clear()
                        told.moves[1].clear()
                for _ in range(COMING):
                    comes_and_goes(port, next(numbers))
                sizes.append(resident(running))
                time.sleep(max(0.0, begun + EACH_S - time.monotonic()))
    quarter = len(sizes) // 4
    third, last = median(sizes[2 * quarter : 3 * quarter]), median(sizes[3 * quarter :])
    shown = [f"{size / (1 << 20):.0f}" for size in sizes[:: max(1, len(sizes) // 40)]]
    print(f"{len(playing.games)} games, MiB: {' '.join(shown)}")
    assert last - third < GROWTH, f"MiB: {' '.join(shown)}"


def comes_and_goes(port: int, number: int) -> None:
    """Two players begin a game and lose their connections: it waits in its grace, is adjourned, and then void."""
    engine = f"tic_tac_toe?time={number + 1_000}"
    with seated(port, f"{engine}#the-ticket-of-guest-a-{number}", f"{engine}#the-ticket-of-guest-b-{number}") as (a, _):
        assert a.puts(4) == (0,)
