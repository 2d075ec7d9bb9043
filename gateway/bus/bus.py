"""Bus: what every bus between nodes promises, the limits of a message, and the counters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import trio

MOST: Final = 7_000
"""Bytes of one message at most: PostgreSQL's NOTIFY takes less than 8,000 in all."""

Heard: TypeAlias = Callable[[int, bytes], None]
"""Called inside trio with a sender and its message; must not block, must not raise."""


@dataclass(slots=True)
class Counts:
    """Messages ``sent``, ``received`` and ``dropped`` by this end, and how often the bus was used and lost.

    ``sent`` were given to the broker; whether a node heard them is not known. ``dropped`` were not, or the session was
    lost before the broker had taken them. ``garbled`` are notifications that no bus of ours has sent.
    """

    sent: int = 0
    received: int = 0
    dropped: int = 0
    notifications: int = 0
    reconnects: int = 0
    garbled: int = 0


class Bus(Protocol):
    """Carries messages between nodes: of one sender in order, each at most once. Lost ones are lost without a word.

    A message is UTF-8 text without NUL or newline, as JSON is, of MOST bytes at most; another is a ValueError. Only
    inside trio. The id of a node is used by one bus in all its life: later buses have ids of their own.
    """

    @property
    def connected(self) -> bool:
        """False while messages cannot be sent; they are dropped then."""

    @property
    def counts(self) -> Counts:
        """Counted from the start, never back."""

    def send(self, to: int, message: bytes) -> None:
        """To one other node; never blocks. ValueError for a message to oneself."""

    def publish(self, message: bytes) -> None:
        """To every other node; never blocks."""

    def soon(self, call: Callable[[], None]) -> None:
        """Call this once, before messages leave next and within a moment: what it sends leaves with them."""

    async def run(self, heard: Heard, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Carry messages until cancelled; started once it listens. Reconnects by itself."""


def require_carried(message: bytes) -> None:
    """ValueError unless a bus can carry this."""
    if len(message) > MOST:
        raise ValueError(f"a message of {len(message)} bytes; {MOST} are the most")
    if b"\n" in message or b"\0" in message:
        raise ValueError(f"a message with a newline or NUL: {message[:80]!r}")
    if not message.isascii():
        message.decode()


def require_another(to: int, me: int) -> None:
    """ValueError for a message to oneself."""
    if to == me:
        raise ValueError(f"node {me} sends a message to itself")
