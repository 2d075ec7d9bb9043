"""Records in memory that fail or wait when a test wants them to: disks that are full, slow, or away."""

from __future__ import annotations

from gateway.store.records import Append
from gateway.store.writer import Deliver
from tests.hall import Hall
from tests.store.memory import MemoryLog


class Failing(MemoryLog):
    """A record whose disk refuses the next ``failures`` steps; ``refused`` are those it refused."""

    def __init__(self, deliver: Deliver) -> None:
        super().__init__(deliver)
        self._tell = deliver
        self.failures = 0
        self.error: Exception = OSError("no space left")
        self.refused: list[Append] = []

    def submit(self, *appends: Append) -> None:
        for append in appends:
            if not self.failures:
                super().submit(append)
                continue
            self.failures -= 1
            self.refused.append(append)
            append.error = self.error
            self._tell([append])


class Waiting(MemoryLog):
    """A record whose disk, while ``waits``, stores nothing before ``go``; ``held`` are the steps that wait."""

    def __init__(self, deliver: Deliver) -> None:
        super().__init__(deliver)
        self.waits = False
        self.held: list[Append] = []

    def submit(self, *appends: Append) -> None:
        if self.waits:
            self.held += appends
        else:
            super().submit(*appends)

    def go(self) -> None:
        self.waits = False
        held, self.held = self.held, []
        self.submit(*held)


def waiting(here: Hall) -> Waiting:
    log = here.server.commits.log
    assert isinstance(log, Waiting)
    return log


def failing(here: Hall) -> Failing:
    log = here.server.commits.log
    assert isinstance(log, Failing)
    return log
