"""One of two joined sockets: reads into a buffer that all pairs share, and sends at once; the rest waits."""

from __future__ import annotations

import contextlib
import socket
from typing import Final, Protocol

from gateway.relay.visitor import Visitor

BUFFER: Final = 65_536
"""Bytes read at once, and so the most that waits for a side that does not read: twice or four times as much is slower
(the processor's cache), and it is little beside what the system itself holds for two sockets."""

ROUNDS: Final = 4
"""Reads of one socket before the others have their turn."""

buffer: Final = bytearray(BUFFER)
view: Final = memoryview(buffer)


class Pair(Protocol):
    """The side of a pair that its ends use."""

    @property
    def ends(self) -> tuple[End, End]:
        """Both, each at its place."""

    parted: bool
    """The pair is over: nothing is read any more."""

    paused: bool
    """The pair has used up its rate: nothing is read until it may go on."""

    def passed(self, at: int, count: int) -> None:
        """Note ``count`` bytes of side ``at``, which are in the buffer; 0: it has closed."""

    def settle(self) -> None:
        """An end waits for something else than before."""


class End:
    """One of the two sockets. ``waiting`` is what it has not taken yet; ``silent``: nothing more is read from it."""

    __slots__ = ("at", "events", "pair", "shut", "silent", "visitor", "waiting")

    def __init__(self, pair: Pair, at: int, visitor: Visitor) -> None:
        self.pair = pair
        self.at = at
        self.visitor = visitor
        self.waiting = b""
        self.silent = False
        self.shut = False
        self.events = 0

    @property
    def other(self) -> End:
        """The end to which goes what this one sends."""
        return self.pair.ends[1 - self.at]

    def ready(self) -> None:
        """The connection has room or bytes to read, or is broken."""
        if self.pair.parted:
            return
        waited = bool(self.waiting)
        if waited:
            self.send_waiting()
        if self.may_read():
            self._forward()
        if waited or self.waiting or not self.may_read():  # otherwise all is as it was
            self.pair.settle()

    def may_read(self) -> bool:
        """True if what it sends can be sent on."""
        return not (self.silent or self.other.waiting or self.pair.paused)

    def _forward(self) -> None:
        source, pair = self.visitor.sock, self.pair
        for _ in range(ROUNDS):
            try:
                count = source.recv_into(buffer)
            except BlockingIOError:
                return
            except OSError:
                self._broken()
                return
            pair.passed(self.at, count)
            if not count:
                self.silent = True
                return
            self.other.send(view[:count])
            if count < BUFFER or not self.may_read():
                return

    def send(self, data: memoryview | bytes) -> None:
        """Send what the other has said, while nothing waits; what does not fit waits."""
        try:
            sent = self.visitor.sock.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            self.refuse()
            return
        if sent < len(data):
            self.waiting = bytes(data[sent:])

    def say_end(self) -> None:
        """The other says no more."""
        with contextlib.suppress(OSError):  # it is gone by itself
            self.visitor.sock.shutdown(socket.SHUT_WR)

    def send_waiting(self) -> None:
        """Send what waits, as far as there is room."""
        try:
            self.waiting = self.waiting[self.visitor.sock.send(self.waiting) :]
        except BlockingIOError:
            pass
        except OSError:
            self.refuse()

    def refuse(self) -> None:
        """The end takes nothing any more; what it has sent before may still be read."""
        self.waiting = b""
        self.shut = True
        self.other.silent = True

    def _broken(self) -> None:
        """The end can neither be read nor sent to; what it has sent before is still delivered."""
        self.silent = True
        self.refuse()
