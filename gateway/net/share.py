"""A share of the time for what strangers make dear: shaking hands of TLS, and everything that is HTTP.

A move costs some fifty microseconds, a handshake or a request ten times as much, and anybody may ask for it. So
whoever brings such work waits for a turn, and what it took is followed by a rest in which those who play have the
processor. Not here: accepting connections, which is paced by itself (sockets.py).
"""

from __future__ import annotations

import time
import types
from collections.abc import Coroutine, Generator
from typing import Any, Final, TypeVar

import trio

REST: Final = 3.0
"""Times as long as such work took there is none of it: it gets a quarter of the time at most. A thousand clients who
come back to TLS after a restart are inside in some three seconds."""

MOST_S: Final = 0.05
"""Seconds that one piece of work counts at most: when the machine itself has stood still, nobody is to wait for it."""

T = TypeVar("T")


class Share:
    """Who waits is known by where he comes from: places take turns, and who waits at one place comes in order, so that
    a thousand connections from one host delay somebody else by one turn."""

    def __init__(self) -> None:
        self._taken = False
        self._free_at = 0.0
        self._waiting: dict[str, trio.lowlevel.ParkingLot] = {}

    async def turn(self, place: str) -> None:
        """Wait until this place may go on with such work. No waiting, and no checkpoint, where nobody has worked."""
        if self._taken:
            await self._waiting.setdefault(place, trio.lowlevel.ParkingLot()).park()
        self._taken = True
        try:
            if trio.current_time() < self._free_at:
                await trio.sleep_until(self._free_at)
        finally:
            self._next()

    def _next(self) -> None:
        """The place that has waited longest; it waits behind all others then."""
        while self._waiting:
            place = next(iter(self._waiting))
            lot = self._waiting.pop(place)
            if woken := lot.unpark():
                if len(lot):
                    self._waiting[place] = lot
                assert len(woken) == 1
                return
        self._taken = False

    def spent(self, seconds: float) -> None:
        """Such work has taken so long."""
        self._free_at = max(self._free_at, trio.current_time()) + REST * min(seconds, MOST_S)

    @types.coroutine
    def timed(self, work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
        """Do all of this; what each step of it takes is spent, whatever it waits for between two of them is not."""
        answer = None
        while True:
            begun = time.perf_counter()
            try:
                asked = work.send(answer)
            except StopIteration as done:
                return done.value  # type: ignore[no-any-return]
            finally:
                self.spent(time.perf_counter() - begun)
            answer = yield asked


_SHARED: Final = trio.lowlevel.RunVar[Share]("share")


def shared() -> Share:
    """The one of this trio loop."""
    try:
        return _SHARED.get()
    except LookupError:
        made = Share()
        _SHARED.set(made)
        return made
