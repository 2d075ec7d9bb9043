"""Holds what waits at a connection: requests of its dialect not served yet, bytes and answers of its peer."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import trio

from protocols.core.commands import Command
from protocols.core.dialect import Awaited


@dataclass(slots=True)
class Prompted:
    """The requests of a dialect's own that are not served yet, by time; ``served`` is set when all are."""

    waiting: deque[tuple[list[Command], float]] = field(default_factory=deque)
    served: trio.Event = field(default_factory=trio.Event)


@dataclass(slots=True)
class Unsent:
    """The bytes that the peer has not taken yet: each of ``parts`` is whole messages, but for the rest of the first.

    ``size`` is in bytes, ``since`` when the last part was taken. ``gone`` is set when all is sent, or the peer is gone.
    """

    since: float
    size: int = 0
    parts: deque[bytes] = field(default_factory=deque)
    gone: trio.Event = field(default_factory=trio.Event)


@dataclass(slots=True)
class Overdue:
    """The answer that a dialect waits for, by its number, and since when; None without one."""

    awaited: tuple[int, float] | None = None

    def look(self, awaited: Awaited | None, now: float) -> Awaited | None:
        """The answer that is awaited now, if it is late; it is late once."""
        if awaited is None:
            self.awaited = None
        elif self.awaited is None or self.awaited[0] != awaited.number:
            self.awaited = awaited.number, now
        elif now - self.awaited[1] > awaited.within_s:
            self.awaited = None
            return awaited
        return None
