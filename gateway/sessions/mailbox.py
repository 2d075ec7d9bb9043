"""A peer that is no socket: messages are put in, and what the connection says to them is given to a function.

For protocols whose messages arrive one by one over something else, such as the requests of HTTP.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

import trio

from gateway.sessions.peer import Serve

MOST_BYTES: Final = 65_536
"""Bytes that may lie in a mailbox: some hundred messages that its connection has not come to, where one is usual."""


class Mailbox:
    """A Peer. ``said`` is given the bytes that the connection sends, ``ended`` is called once when it is closed."""

    def __init__(self, said: Callable[[bytes], None], ended: Callable[[], None]) -> None:
        self._said = said
        self._ended = ended
        self._inside: deque[bytes] = deque()
        self._bytes = 0
        self._arrived = trio.Event()
        self._leaving = False
        self._closed = False

    @property
    def open(self) -> bool:
        """True if messages can be put in."""
        return not (self._leaving or self._closed)

    def put(self, message: bytes) -> bool:
        """Leave a message; False, and nothing left, when the mailbox is closed or full."""
        if not self.open or self._bytes + len(message) > MOST_BYTES:
            return False
        self._inside.append(message)
        self._bytes += len(message)
        self._arrived.set()
        return True

    def leave(self) -> None:
        """Close the mailbox: the connection serves what is inside, then ends."""
        self._leaving = True
        self._arrived.set()

    async def receive(self, most: int, serve: Serve) -> None:
        while True:
            data = await self._next(most)
            if not serve(data):
                return

    async def _next(self, most: int) -> bytes:
        """At most so many bytes; b"" at the end."""
        while not (self._inside or self._leaving or self._closed):
            self._arrived = trio.Event()
            await self._arrived.wait()
        if self._closed or not self._inside:
            return b""
        message = self._inside.popleft()
        if len(message) > most:
            self._inside.appendleft(message[most:])
        self._bytes -= min(len(message), most)
        return message[:most]

    def send_now(self, data: bytes) -> int:
        self._said(data)
        return len(data)

    async def send_rest(self, data: bytes) -> None:
        self._said(data)

    def acknowledge_at_once(self) -> None:
        """Nothing has to be acknowledged."""

    def lag_s(self) -> float:
        return 0.0

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._arrived.set()
        self._ended()
