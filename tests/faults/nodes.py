"""Real nodes on one PostgreSQL, started and started again by a test, and players across them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from tests.conformance.servers import fast
from tests.faults.crossing import Load, checked
from tests.running import RunningServer

PAIRS: Final = 6
LEASE: Final = "3s"

SILENCE_S: Final = 15.0
"""Seconds that a player who keeps the connection is told nothing at most, on a machine that does other things, too."""

BURIED: Final = 75
"""Exit status of a node that others have declared dead."""

ENDS_S: Final = 20.0
"""Seconds in which a node that was declared dead ends."""


DEFECT: Final = r"Traceback|event=\"[^\"]*failed"
"""What the log says of a defect. Messages of databases say "failed", too."""


class Nodes:
    """Servers by name, in the order they were started first; one that is started again takes the place of the first."""

    def __init__(self, folder: Path, url: str, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._starts = 0
        self.url = url
        self.running: list[RunningServer] = []
        self.all: list[RunningServer] = []

    def start(self, place: int, url: str = "", **settings: str) -> RunningServer:
        """The database is at ``url``, if one is given."""
        self._starts += 1
        words = {"SERVER_DATABASE": url or self.url, "CLUSTER_NODE": f"node-{place}", "CLUSTER_LEASE": LEASE}
        folder = self._folder / str(self._starts)
        started = self._stack.enter_context(fast(folder, "bogaprot", ports=None, **(words | settings)))
        self.running[place:] = [started, *self.running[place + 1 :]]
        self.all.append(started)
        return started

    def ports(self) -> list[int]:
        return [running.ports[0] for running in self.running]

    def sound(self) -> bool:
        """Whether no log tells of a defect."""
        lines = [line for running in self.all for line in running.log.read_text().splitlines()]
        found = [line for line in lines if re.search(DEFECT, line)]
        assert found == [], found[:5]
        return True


@contextmanager
def load(nodes: Nodes, seed: int, pairs: int = PAIRS) -> Iterator[Load]:
    """Pairs that play across the nodes; afterwards all they were told is in the record, once, and it is whole."""
    with Load(nodes.ports(), pairs, random.Random(seed)) as playing:
        playing.play(0.0, least=10 * pairs)
        yield playing
        playing.everyone_plays()
    assert checked(nodes.url, playing.games) >= playing.moves
    assert nodes.sound()


def ends_buried(running: RunningServer) -> bool:
    """Whether it ends by itself, because it was declared dead, with one line that says so."""
    assert running.process.wait(ENDS_S) == BURIED
    said = running.log.read_text()
    assert "declared dead" in said
    return "Traceback" not in said
