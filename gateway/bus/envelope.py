"""Outbox: joins the messages that wait into envelopes, one a notification; Arrivals: takes envelopes apart, in order.

An envelope is text: a line ``SENDER NUMBER``, then one line a message. Numbers rise from envelope to envelope of a
sender, whomever they are for, so that a receiver sees what comes twice or too late.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

LIMIT: Final = 7_900
"""Bytes of an envelope at most: PostgreSQL takes 7,999, and an address or two may be added to an envelope one day."""

HEAD: Final = 40
"""Bytes that its first line needs at most: two numbers of 64 bits, a space and a newline."""

MOST_WAITING: Final = 8 << 20
"""Bytes of messages that wait at most: seconds of a busy node; a broker that is slower loses them."""

MOST_SENDERS: Final = 1_000
"""Senders whose last number is remembered: many times the nodes that live together."""


class Post(NamedTuple):
    """A finished envelope. ``to`` is None for all nodes; ``messages`` says how many it holds."""

    to: int | None
    text: bytes
    messages: int


class _Envelope:
    __slots__ = ("messages", "room", "to")

    def __init__(self, to: int | None) -> None:
        self.to = to
        self.messages: list[bytes] = []
        self.room = LIMIT - HEAD


class Outbox:
    """Messages that wait to be sent by ``me``.

    Direct messages and those for all are not joined past each other: a node hears both kinds in the order they were
    put in.
    """

    def __init__(self, me: int) -> None:
        self._me = me
        self._number = 0
        self._waiting: deque[_Envelope] = deque()
        self._open: dict[int | None, _Envelope] = {}
        self._for_all = False  # what is in ``_open``
        self._bytes = 0

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def put(self, to: int | None, message: bytes) -> bool:
        """False if there is no room left: the message is dropped."""
        size = len(message) + 1
        if self._bytes + size > MOST_WAITING:
            return False
        if self._for_all is not (to is None):
            self._for_all = to is None
            self._open.clear()
        envelope = self._open.get(to)
        if envelope is None or envelope.room < size:
            envelope = self._open[to] = _Envelope(to)
            self._waiting.append(envelope)
        envelope.messages.append(message)
        envelope.room -= size
        self._bytes += size
        return True

    def take(self, most: int) -> Sequence[Post]:
        """The oldest envelopes, at most so many; they are no longer here."""
        if most >= len(self._waiting):
            self._open.clear()
        posts = []
        for _ in range(min(most, len(self._waiting))):
            envelope = self._waiting.popleft()
            if self._open.get(envelope.to) is envelope:
                del self._open[envelope.to]
            self._bytes -= LIMIT - HEAD - envelope.room
            self._number += 1
            text = b"%d %d\n%b" % (self._me, self._number, b"\n".join(envelope.messages))
            posts.append(Post(envelope.to, text, len(envelope.messages)))
        return posts

    def clear(self) -> int:
        """Forget all that waits; how many messages that were."""
        forgotten = sum(len(envelope.messages) for envelope in self._waiting)
        self._waiting.clear()
        self._open.clear()
        self._bytes = 0
        return forgotten


class Arrivals:
    """The messages that ``me`` has heard from others. ``garbled`` counts texts that are no envelopes."""

    def __init__(self, me: int) -> None:
        self._me = me
        self._last: dict[int, int] = {}
        self.garbled = 0

    def open(self, text: bytes) -> tuple[int, list[bytes]]:
        """The sender and its messages; none of what came before, comes from oneself or is no envelope."""
        head, *messages = text.split(b"\n")
        try:
            sender, number = map(int, head.split(b" "))
        except ValueError:
            self.garbled += 1
            return self._me, []
        if sender == self._me or number <= self._last.get(sender, 0):
            return sender, []
        if sender not in self._last and len(self._last) >= MOST_SENDERS:
            del self._last[next(iter(self._last))]
        self._last[sender] = number
        return sender, messages
