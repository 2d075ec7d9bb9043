"""A bounded queue with a single reader, which sleeps while it is empty.

A memory channel of trio does the same for many readers and costs three times as much an item, which at thousands of
moves a second is felt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import trio

T = TypeVar("T")


class Closed(Exception):
    """This inbox is not read any more."""


class Inbox(Generic[T]):
    """At most ``most`` items wait; ``get`` is called by one task only."""

    __slots__ = ("_broken", "_closed", "_held", "_items", "_most", "_reader", "_room", "_stopping")

    def __init__(self, most: int) -> None:
        self._most = most
        self._items: list[T] = []
        self._reader: trio.lowlevel.Task | None = None
        self._room: trio.lowlevel.ParkingLot | None = None  # made for the first that waits
        self._closed = False
        self._held = False
        self._stopping = False
        self._broken: Exception | None = None

    @property
    def asleep(self) -> bool:
        """True if the reader waits for an item, and is not held."""
        return self._reader is not None and not self._held

    def __len__(self) -> int:
        return len(self._items)

    def hold(self) -> None:
        """Keep the sleeping reader asleep until ``release``, even if items come or it is cancelled."""
        self._held = True

    def release(self, broken: Exception | None = None) -> None:
        """The reader goes on with what was put in meanwhile; ``get`` raises ``broken``, where that is given."""
        self._held = False
        self._broken = broken
        if self._items or self._stopping or broken is not None:
            self._wake()

    def put_now(self, item: T) -> bool:
        """Leave an item; False, and nothing left, when there is no room. Closed: it would not be read."""
        if self._closed:
            raise Closed
        if len(self._items) >= self._most:
            return False
        self._items.append(item)
        if not self._held:
            self._wake()
        return True

    async def put(self, item: T) -> None:
        """Leave an item, waiting for room. Closed: it would not be read."""
        while not self.put_now(item):
            self._room = self._room or trio.lowlevel.ParkingLot()
            await self._room.park()

    def holds(self, wanted: Callable[[T], bool]) -> bool:
        """True if such an item waits."""
        return any(map(wanted, self._items))

    async def get(self) -> T:
        """The oldest item, waiting for one. Does not yield to other tasks when there is one already."""
        while not self._items:
            self._reader = trio.lowlevel.current_task()
            await trio.lowlevel.wait_task_rescheduled(self._stop_reading)
            if self._broken is not None:
                raise self._broken
        item = self._items.pop(0)
        if self._room is not None:
            self._room.unpark()
        return item

    def close(self) -> list[T]:
        """Refuse everything from now on; what is still there comes back."""
        self._closed = True
        left, self._items = self._items, []
        if self._room is not None:
            self._room.unpark_all()
        return left

    def _wake(self) -> None:
        if self._reader is not None:
            trio.lowlevel.reschedule(self._reader)
            self._reader = None

    def _stop_reading(self, _: object) -> trio.lowlevel.Abort:
        if self._held:
            self._stopping = True
            return trio.lowlevel.Abort.FAILED
        self._reader = None
        return trio.lowlevel.Abort.SUCCEEDED
