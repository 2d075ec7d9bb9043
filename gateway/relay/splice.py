"""Two sockets joined: what one sends the other gets, verbatim, both ways, with half-closes and back-pressure.

Only what does not fit is kept, at most a buffer's worth each way, and its source is not read meanwhile. An idle pair
holds no buffer and no task. A side that breaks off is passed on as a close.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import trio

from gateway.admission.token_bucket import TokenBucket
from gateway.net.readiness import READ, WRITE
from gateway.relay.counters import Counters
from gateway.relay.ends import End, view
from gateway.relay.secured import SecuredEnd, SecuredVisitor
from gateway.relay.visitor import Visitor

BURST_S: Final = 2
"""Seconds of the pair's rate that it may send at once."""


class Recorder(Protocol):
    """Told of the bytes of a pair as they are read."""

    def passed(self, at: int, data: bytes) -> None:
        """Bytes of side ``at``; b"": it has closed."""

    def close(self) -> None:
        """The pair is parted."""


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
        self._allowance = TokenBucket(rate, BURST_S * rate, self.heard)
        self._counters = counters
        self._ended = ended
        self._pause = pause
        self._recorder = recorder
        self.ends = (_end(self, 0, visitors[0]), _end(self, 1, visitors[1]))
        for visitor in visitors:
            visitor.unwatch()
        counters.pairs += 1
        counters.pairs_now += 1

    def start(self, early: tuple[bytes, bytes], silent: tuple[bool, bool]) -> None:
        """Begin, with what each side has sent ``early`` and whether it is ``silent`` since."""
        for end, data, closed in zip(self.ends, early, silent, strict=True):
            if data:
                self.passed(end.at, len(data), data)
                end.other.send(data)
            if closed:
                self.passed(end.at, 0)
            end.silent = end.silent or closed
        self.settle()

    def passed(self, at: int, count: int, data: bytes | None = None) -> None:
        """Note ``count`` bytes of side ``at``, which are in the buffer unless given; 0: it has closed."""
        self.heard = trio.current_time()
        if self._recorder is not None:
            self._recorder.passed(at, bytes(view[:count]) if data is None else data)
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
                end.say_end()
        if all(end.shut and not end.waiting for end in self.ends):
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
            end.visitor.close(cut=bool(end.waiting))
            end.waiting = b""
        self._ended()


def _end(splice: Splice, at: int, visitor: Visitor) -> End:
    return SecuredEnd(splice, at, visitor) if isinstance(visitor, SecuredVisitor) else End(splice, at, visitor)
