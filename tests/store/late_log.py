"""A record in memory that is stored when a test says so."""

from __future__ import annotations

from gateway.store.records import Append
from gateway.store.writer import Deliver
from tests.store.memory import MemoryLog


class LateLog(MemoryLog):
    """While it is ``slow`` nothing is stored; ``go`` stores what waits."""

    def __init__(self, deliver: Deliver) -> None:
        super().__init__(deliver)
        self._later: list[Append] = []
        self.slow = False

    def submit(self, *appends: Append) -> None:
        self._later += appends
        if not self.slow:
            self.go()

    def go(self) -> None:
        later, self._later = self._later, []
        if later:
            super().submit(*later)
