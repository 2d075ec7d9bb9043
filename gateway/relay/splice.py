"""Two sockets joined: what one sends the other gets, verbatim, both ways, with half-closes and back-pressure.

Bytes are read into one buffer that all pairs share and sent on at once; only what does not fit is kept, at most a
buffer's worth each way, and its source is not read meanwhile. An idle pair holds no buffer and no task. A side that
breaks off is passed on as a close. Not here: how the two met, when they are parted (relay.py).
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from typing import Final, Protocol

import trio

from gateway.net.allowance import Allowance
from gateway.net.readiness import READ, WRITE
from gateway.relay.counters import Counters
from gateway.relay.visitor import Visitor

BUFFER: Final = 65_536
"""Bytes read at once, and so the most that waits for a side that does not read: twice or four times as much is slower
(the processor's cache), and it is little beside what the system itself holds for two sockets."""

ROUNDS: Final = 4
"""Reads of one socket before the others have their turn."""

BURST_S: Final = 2
"""Seconds of the pair's rate that it may send at once."""

_buffer: Final = bytearray(BUFFER)
_view: Final = memoryview(_buffer)


class Recorder(Protocol):
    """Told of the bytes of a pair as they are read."""

    def passed(self, at: int, data: bytes) -> None:
        """Bytes of side ``at``; b"": it has closed."""

    def close(self) -> None:
        """The pair is parted."""


class End:
    """One of the two sockets. ``waiting`` is what it has not taken yet; ``silent``: nothing more is read from it."""

    __slots__ = ("at", "events", "other", "shut", "silent", "splice", "visitor", "waiting")

    other: End

    def __init__(self, splice: Splice, at: int, visitor: Visitor) -> None:
        self.splice = splice
        self.at = at
        self.visitor = visitor
        self.waiting = b""
        self.silent = False
        self.shut = False
        self.events = 0

    def ready(self) -> None:
        """There is room to send, or something to read, or it is broken."""
        if self.splice.parted:
            return
        waited = bool(self.waiting)
        if waited:
            self.send_waiting()
        if self.may_read():
            self._forward()
        if waited or not self.may_read():  # otherwise all is as it was
            self.splice.settle()

    def may_read(self) -> bool:
        """Whether what it sends can be sent on."""
        return not (self.silent or self.other.waiting or self.splice.paused)

    def _forward(self) -> None:
        source, splice = self.visitor.sock, self.splice
        for _ in range(ROUNDS):
            try:
                count = source.recv_into(_buffer)
            except BlockingIOError:
                return
            except OSError:
                self._broken()
                return
            splice.passed(self.at, count)
            if not count:
                self.silent = True
                return
            self.other.send(count)
            if count < BUFFER or not self.may_read():
                return

    def send(self, count: int) -> None:
        """Send the first ``count`` bytes of the buffer; what does not fit waits."""
        try:
            sent = self.visitor.sock.send(_view[:count])
        except BlockingIOError:
            sent = 0
        except OSError:
            self.refuse()
            return
        if sent < count:
            self.waiting = bytes(_view[sent:count])

    def send_waiting(self) -> None:
        """The same for what waits."""
        try:
            self.waiting = self.waiting[self.visitor.sock.send(self.waiting) :]
        except BlockingIOError:
            pass
        except OSError:
            self.refuse()

    def refuse(self) -> None:
        """It takes nothing any more; what it has sent before may still be read."""
        self.waiting = b""
        self.shut = True
        self.other.silent = True

    def _broken(self) -> None:
        """It can neither be read nor sent to; what it has sent before is still delivered."""
        self.silent = True
        self.refuse()


class Splice:
    """Owns two visitors. ``ended`` is called once, when both directions are through or ``close`` was called.

    ``heard`` is when bytes last went either way, in trio's seconds.
    """

    __slots__ = ("_allowance", "_counters", "_ended", "_pause", "_recorder", "ends", "heard", "parted", "paused")

    def __init__(
        self,
        visitors: tuple[Visitor, Visitor],
        rate: int,
        counters: Counters,
        ended: Callable[[], None],
        pause: Callable[[float, Callable[[], None]], None],
        recorder: Recorder | None = None,
    ) -> None:
        """``rate`` is bytes a second, ``pause(seconds, resume)`` calls ``resume`` after that time."""
        self.heard = trio.current_time()
        self.parted = False
        self.paused = False
        self._allowance = Allowance(rate, BURST_S * rate, self.heard)
        self._counters = counters
        self._ended = ended
        self._pause = pause
        self._recorder = recorder
        self.ends = (End(self, 0, visitors[0]), End(self, 1, visitors[1]))
        self.ends[0].other, self.ends[1].other = self.ends[1], self.ends[0]
        for visitor in visitors:
            visitor.unwatch()
        counters.pairs += 1
        counters.pairs_now += 1

    def start(self, early: tuple[bytes, bytes], silent: tuple[bool, bool]) -> None:
        """Begin, with what each side has sent ``early`` and whether it is ``silent`` since."""
        for end, data, closed in zip(self.ends, early, silent, strict=True):
            if data:
                self.passed(end.at, len(data), data)
                end.other.waiting = data
            if closed:
                self.passed(end.at, 0)
            end.silent = closed
        for end in self.ends:
            if end.waiting:
                end.send_waiting()
        self.settle()

    def passed(self, at: int, count: int, data: bytes | None = None) -> None:
        """Note ``count`` bytes of side ``at``, which are in the buffer unless given; 0: it has closed."""
        self.heard = trio.current_time()
        if self._recorder is not None:
            self._recorder.passed(at, bytes(_view[:count]) if data is None else data)
        if at:
            self._counters.bytes_from_second += count
        else:
            self._counters.bytes_from_first += count
        wait_s = self._allowance.wait_s(count, self.heard)
        if wait_s and not self.paused:
            self.paused = True
            self._pause(wait_s, self._resume)

    def _resume(self) -> None:
        self.paused = False
        if not self.parted:
            self.settle()

    def settle(self) -> None:
        """Pass closes on, watch what there is to wait for, and part the two when nothing is left."""
        for end in self.ends:
            if end.other.silent and not end.waiting and not end.shut:
                end.shut = True
                _shut(end.visitor.sock)
        if all(end.shut for end in self.ends):
            self.close()
            return
        for end in self.ends:
            events = (READ if end.may_read() else 0) | (WRITE if end.waiting else 0)
            if events == end.events:
                continue
            end.events = events
            if events:
                end.visitor.watch(end.ready, events)
            else:
                end.visitor.unwatch()

    def close(self) -> None:
        """Hang up on both. Idempotent."""
        if self.parted:
            return
        self.parted = True
        self._counters.pairs_now -= 1
        if self._recorder is not None:
            self._recorder.close()
        for end in self.ends:
            end.waiting = b""
            end.visitor.close()
        self._ended()


def _shut(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it is gone by itself
        sock.shutdown(socket.SHUT_WR)
