"""Counters of the record's writer, as plain numbers."""

from __future__ import annotations

from gateway.tally import SIZES, Histogram


class StoreTally:
    """``commit_s`` is how long each transaction took, from its first statement until its commit had returned, and
    ``steps`` how many steps were in it; ``failed`` counts transactions that came to nothing."""

    def __init__(self) -> None:
        self.commit_s = Histogram()
        self.steps = Histogram(SIZES)
        self.failed = 0

    def stored(self, seconds: float, steps: int) -> None:
        """A transaction was."""
        self.commit_s.note(seconds)
        self.steps.note(steps)
