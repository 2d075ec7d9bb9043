"""Awaiting the record: a table's task hands over a step and sleeps until it is on disk.

The record's writer is a thread; a whole batch of committed steps wakes its tables with one call into trio. Not here:
what is written (gateway.store).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, Final, TypeVar

import trio

from gateway.store.records import Append, Conflict, Log, StoredEvent
from protocols.core.errors import BoardgateError

T = TypeVar("T")

Then = Callable[[Append], None]
"""What follows a step that is stored, or that has its ``error``; called inside trio, must not raise."""

MakeLog = Callable[[Callable[[list[Append]], None]], Log]


GATHER: Final = 256
"""Steps that are handed over at once even while tables are busy: a transaction of so many costs little more than its
rows."""

GATHER_S: Final = 0.005
"""Seconds a step is held back at most while others keep the server busy."""


def _not_now(_: object) -> trio.lowlevel.Abort:
    return trio.lowlevel.Abort.FAILED


class NotStored(BoardgateError):
    """The database could not store a step; nothing of it is stored. The cause is chained."""


class Scribe(trio.abc.Instrument):
    """The record as the trio side uses it. Make it inside trio: it keeps the token to come back with.

    Steps are gathered while tables still have something to do, and handed to the writer when trio is about to wait,
    or when there are many: fewer, larger transactions, and the writer's thread works while this one sleeps instead of
    taking turns with it.

    ``blocking`` says that reads wait for a disk and belong in a thread; the in-memory twin's do not.
    """

    def __init__(self, make_log: MakeLog, *, blocking: bool = True) -> None:
        self._token = trio.lowlevel.current_trio_token()
        self._waiting: dict[int, tuple[Then, float]] = {}  # in the order they came
        self._gathered: list[Append] = []
        self._gathered_at = 0.0  # when the first of them came
        self._blocking = blocking
        self.log = make_log(self._deliver)
        trio.lowlevel.add_instrument(self)

    async def append(self, step: Append) -> None:
        """Return once ``step`` is stored. Conflict or NotStored: then nothing of it is.

        Cannot be cancelled half-way: whether a step is stored is known before anything else happens.
        """
        task = trio.lowlevel.current_task()
        self.submit(step, lambda _: trio.lowlevel.reschedule(task))
        await trio.lowlevel.wait_task_rescheduled(_not_now)
        require_stored(step)

    def submit(self, step: Append, then: Then) -> None:
        """Store ``step``, then call ``then`` with it: for those who need no task to wait."""
        if not self._gathered:
            self._gathered_at = trio.current_time()
        self._gathered.append(step)
        self._waiting[id(step)] = (then, self._gathered_at)
        if len(self._gathered) >= GATHER or not self._blocking:  # a jumping clock never waits
            self._hand_over()

    def before_io_wait(self, timeout: float) -> None:
        """trio is about to wait (``timeout`` in seconds, 0: only to look): what was gathered is stored meanwhile."""
        if self._gathered and (timeout > 0 or self.oldest_s() > GATHER_S):
            self._hand_over()

    def _hand_over(self) -> None:
        gathered, self._gathered = self._gathered, []
        try:
            self.log.submit(*gathered)
        except RuntimeError as closed:
            for step in gathered:
                step.error = closed
            self._deliver(gathered)

    async def read(self, table: int, after: int = 0) -> list[StoredEvent]:
        """The events of a table with a seq above ``after``."""
        return await self.call(self.log.read, table, after)

    async def call(self, function: Callable[..., T], *arguments: Any) -> T:
        """Any reading method of the log, in a thread where it may block."""
        if self._blocking:
            return await trio.to_thread.run_sync(function, *arguments)
        return function(*arguments)

    def oldest_s(self) -> float:
        """How long the oldest step has been waiting to be stored, in seconds; 0.0 when none is."""
        now = trio.current_time()
        _, since = next(iter(self._waiting.values()), (None, now))
        return now - since

    def _deliver(self, batch: list[Append]) -> None:
        """Called by the writer: from its thread, or from inside ``submit`` by the in-memory twin."""
        with contextlib.suppress(trio.RunFinishedError):  # nobody is left to be told
            self._token.run_sync_soon(self._wake, batch)

    def _wake(self, batch: list[Append]) -> None:
        for step in batch:
            waiting = self._waiting.pop(id(step), None)
            if waiting is not None:
                waiting[0](step)


def require_stored(step: Append) -> None:
    """Conflict or NotStored, unless the step is stored."""
    if step.error is None:
        return
    if isinstance(step.error, Conflict):
        raise step.error
    raise NotStored(f"step of table {step.table} after {step.after}: {step.error}") from step.error
