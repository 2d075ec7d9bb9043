"""Fair throttle: bounds the share of time for expensive work, TLS handshakes and HTTP; addresses take turns.

A move costs some fifty microseconds, a handshake or a request ten times as much, and any host may ask for it. So such
work waits for its turn, and a rest follows in which players have the processor.
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
"""Seconds that one piece of work counts at most: a standstill of the machine itself must cause no wait."""

T = TypeVar("T")


class FairThrottle:
    """Waiters are keyed by address: keys take turns, and the waiters of one key come in order, so that
    a thousand connections from one host delay another host by one turn."""

    def __init__(self) -> None:
        self._taken = False
        self._free_at = 0.0
        self._waiting: dict[str, trio.lowlevel.ParkingLot] = {}

    async def turn(self, key: str) -> None:
        """Wait until this address may go on. No waiting, and no checkpoint, while there was no such work."""
        if self._taken:
            await self._waiting.setdefault(key, trio.lowlevel.ParkingLot()).park()
        self._taken = True
        try:
            if trio.current_time() < self._free_at:
                await trio.sleep_until(self._free_at)
        finally:
            self._next()

    def _next(self) -> None:
        """The key that has waited longest; it waits behind all others then."""
        while self._waiting:
            key = next(iter(self._waiting))
            lot = self._waiting.pop(key)
            if woken := lot.unpark():
                if len(lot):
                    self._waiting[key] = lot
                assert len(woken) == 1
                return
        self._taken = False

    def spent(self, seconds: float) -> None:
        """Such work has taken so long."""
        self._free_at = max(self._free_at, trio.current_time()) + REST * min(seconds, MOST_S)

    @types.coroutine
    def timed(self, work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
        """Run a coroutine; the time of each of its steps is spent, its waiting between them is not."""
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


_SHARED: Final = trio.lowlevel.RunVar[FairThrottle]("share")


def shared() -> FairThrottle:
    """The one of this trio loop."""
    try:
        return _SHARED.get()
    except LookupError:
        made = FairThrottle()
        _SHARED.set(made)
        return made
