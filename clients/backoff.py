"""Pauses between attempts to connect: exponential back-off with jitter.

Each pause is twice the one before, up to a limit, and up to half longer by chance: clients that lost one server do not
all come back in one moment.
"""

from __future__ import annotations

import random
from typing import Final

JITTER: Final = 1.5
"""A pause is at most this much longer than it is due."""


class Backoff:
    def __init__(self, first_s: float) -> None:
        self._first_s = self._due_s = first_s

    def next_s(self, longest_s: float) -> float:
        """Seconds to wait before the next attempt; jitter may exceed ``longest_s``."""
        due_s = min(self._due_s, longest_s)
        self._due_s = 2 * due_s
        return due_s * random.uniform(1, JITTER)

    def reset(self) -> None:
        """The connection was good: begin with the first pause again."""
        self._due_s = self._first_s
