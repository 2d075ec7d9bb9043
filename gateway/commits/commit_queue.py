"""Commit queue: a table hands over a step and waits until the writer thread has stored it.

The record's writer is a thread; a whole batch of committed steps wakes its tables with one call into trio. While the
database is in trouble (unreachable, restarting, full) steps are held and tried again: to a table that looks like a slow
disk.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterable
from itertools import takewhile
from typing import Any, Final, TypeVar

import msgspec
import structlog
import trio

from gateway.store.records import Append, Conflict, Log, MaybeStored, StoredEvent
from gateway.store.writer import database_trouble
from protocols.core.errors import BoardgateError

T = TypeVar("T")

Then = Callable[[Append], None]
"""Called inside trio after a step is stored or has its ``error``; must not raise."""

Late = Callable[[float], None]
"""Told since when a step waits, again and again once that is LATE_S; called inside trio, must not raise."""

MakeLog = Callable[[Callable[[list[Append]], None]], Log]


GATHER: Final = 256
"""Steps that are handed over at once even while tables are busy: a transaction of so many costs little more than its
rows."""

GATHER_S: Final = 0.005
"""Seconds a step is held back at most while others keep the server busy."""

LATE_S: Final = 1.0
"""Seconds after which a step that is not stored is late: commits take milliseconds, a busy disk some hundred."""

RETRY_S: Final = 0.5
"""Seconds between two looks at what waits: whether it is late, and whether the database can be written again."""

HOLD_S: Final = 600.0
"""Seconds a step is tried at most, then it has failed: a database is restarted, a disk cleared, in ten minutes."""

ASK_S: Final = 3.0
"""The same for what may be asked for again, such as a seat: a busy machine, too, answers within five seconds."""

PARTING_S: Final = 1.5
"""Seconds that steps still get when the server stops: a healthy database needs far less, and others wait for the
end."""

_log = structlog.get_logger()


class Wait(msgspec.Struct):
    """A step that was handed in ``since`` then; when the database fails it is tried again for ``hold_s``."""

    step: Append
    then: Then
    since: float
    hold_s: float
    late: Late | None


def _not_now(_: object) -> trio.lowlevel.Abort:
    return trio.lowlevel.Abort.FAILED


class NotStored(BoardgateError):
    """The database could not store a step; nothing of it is stored. The cause is chained."""


class TooLate(NotStored):
    """The step came when the server had stopped: nothing is lost but what it had just been asked."""


def say_not_stored(error: NotStored | MaybeStored, **who: object) -> None:
    """A line about a step that is lost, or may be. Those that came too late are counted: see ``CommitQueue.close``."""
    if isinstance(error, MaybeStored):
        _log.warning("it is not known whether a step is stored", error=str(error), **who)
    elif not isinstance(error, TooLate):
        _log.error("not stored", error=str(error), **who)


class CommitQueue(trio.abc.Instrument):
    """The record as the trio side uses it. Make it inside trio: it keeps the token to come back with.

    Steps are gathered while tables still have something to do, and handed to the writer when trio is about to wait,
    or when there are many: fewer, larger transactions, and the writer's thread works while this one sleeps instead of
    taking turns with it.

    A step that the database refuses is held and tried again for its ``hold_s`` while ``tend`` runs; one of those asks
    whether the database is back, the others follow it. A step of which it is unknown whether it is stored, for the
    connection was lost in its commit, is tried until that is known.

    ``blocking`` says that reads wait for a disk and belong in a thread; the in-memory twin's do not.
    """

    def __init__(self, make_log: MakeLog, *, blocking: bool = True) -> None:
        self._token = trio.lowlevel.current_trio_token()
        self._clock = trio.lowlevel.current_clock()
        self._waiting: dict[int, Wait] = {}  # in the order they came
        self._gathered: list[Append] = []
        self._gathered_at = 0.0  # when the first of them came
        self._blocking = blocking
        self._tended = False
        self._over = False
        self._too_late = 0  # steps that came when it was
        self._troubled = False
        self._held: deque[Append] = deque()
        self._asking: Append | None = None  # the held step that was handed in again
        self.log = make_log(self._deliver)
        trio.lowlevel.add_instrument(self)

    async def append(self, step: Append, *, hold_s: float = 0.0, late: Late | None = None) -> None:
        """Return once ``step`` is stored. Conflict or NotStored: then nothing of it is. MaybeStored: the server stops
        before that is known.

        Cannot be cancelled half-way: whether a step is stored is known before anything else happens.
        """
        task = trio.lowlevel.current_task()
        self.submit(step, lambda _: trio.lowlevel.reschedule(task), hold_s=hold_s, late=late)
        await trio.lowlevel.wait_task_rescheduled(_not_now)
        require_stored(step)

    def submit(self, step: Append, then: Then, *, hold_s: float = 0.0, late: Late | None = None) -> None:
        """Store ``step``, then call ``then`` with it: for callers without a task that waits."""
        if not self._gathered:
            self._gathered_at = trio.current_time()
        self._gathered.append(step)
        self._waiting[id(step)] = Wait(step, then, self._gathered_at, hold_s, late)
        if len(self._gathered) >= GATHER or not self._blocking:  # a jumping clock never waits
            self._hand_over()

    def before_io_wait(self, timeout: float) -> None:
        """trio is about to wait (``timeout`` in seconds, 0: only to look): what was gathered is stored meanwhile."""
        if self._gathered and (timeout > 0 or self.oldest_s() > GATHER_S):
            self._hand_over()

    def _hand_over(self) -> None:
        gathered, self._gathered = self._gathered, []
        now = trio.current_time()
        for step in gathered:
            step.handed = now
        self._try(gathered)

    def _try(self, steps: list[Append]) -> None:
        if self._over:
            self._refuse(steps, "the server has stopped")
            return
        try:
            self.log.submit(*steps)
        except RuntimeError as closed:
            self._refuse(steps, str(closed))

    def _refuse(self, steps: list[Append], why: str) -> None:
        for step in steps:
            if not isinstance(step.error, MaybeStored):
                step.error = TooLate(f"{_where(step)}: {why}")
                self._too_late += 1
        self._deliver(steps)

    def close(self) -> None:
        """Close the log; blocks. One line says how many steps came when the server had stopped."""
        try:
            self.log.close()
        finally:
            if self._too_late:
                _log.info("steps came too late to be stored, nobody was told of them", steps=self._too_late)

    async def read(self, table: int, after: int = 0) -> list[StoredEvent]:
        """The events of a table with a seq above ``after``."""
        return await self.call(self.log.read, table, after)

    async def call(self, function: Callable[..., T], *arguments: Any) -> T:
        """Any reading method of the log, in a thread where it may block.

        Cancelled, it does not wait for a database that is silent: the answer is dropped.
        """
        if self._blocking:
            return await trio.to_thread.run_sync(function, *arguments, abandon_on_cancel=True)
        return function(*arguments)

    @property
    def waiting(self) -> int:
        """Number of steps that are not stored yet."""
        return len(self._waiting)

    @property
    def held(self) -> int:
        """Number of them that the database has refused."""
        return len(self._held) + (self._asking is not None)

    def oldest_s(self) -> float:
        """Seconds that the oldest step has been waiting to be stored; 0.0 when none is."""
        now = trio.current_time()
        oldest = next(iter(self._waiting.values()), None)
        return 0.0 if oldest is None else now - oldest.since

    async def well(self) -> float | None:
        """Return when no step is late; since when one was, None: at once."""
        oldest_s = self.oldest_s()
        if oldest_s < LATE_S:
            return None
        since = trio.current_time() - oldest_s
        while self.oldest_s() >= LATE_S:  # noqa: ASYNC110  # looked at as often as ``tend`` tries
            await trio.sleep(RETRY_S)
        return since

    async def tend(self) -> None:
        """Tell whose steps are late, and try again those that are held, until cancelled.

        Then the waiting steps get PARTING_S: a task that waits for a step cannot be cancelled.
        """
        self._tended = True
        try:
            while True:
                await trio.sleep(RETRY_S)
                self._look()
        finally:
            self._tended = False
            self._try_all()
            with trio.move_on_after(PARTING_S, shield=True):
                while self._waiting:  # noqa: ASYNC110  # a few looks at the end of the server
                    await trio.sleep(PARTING_S / 100)
            self._over = True
            self._give_up(self._waiting[id(step)] for step in self._held)
            for step in [wait.step for wait in self._waiting.values()]:
                step.error = MaybeStored(f"{_where(step)}: the server stops before the database has answered")
                self._wake([step])

    def _look(self) -> None:
        now = trio.current_time()
        for wait in list(takewhile(lambda wait: now - wait.since >= LATE_S, self._waiting.values())):
            if wait.late is not None:
                wait.late(wait.since)
        tired = [wait for step in self._held if now - (wait := self._waiting[id(step)]).since >= wait.hold_s]
        self._give_up(wait for wait in tired if not isinstance(wait.step.error, MaybeStored))
        if self._asking is None and self._held:
            self._asking = self._held.popleft()
            self._try([self._asking])
        self._troubled = bool(self.held)

    def _give_up(self, waits: Iterable[Wait]) -> None:
        """These steps have failed; the reason is the database's last."""
        failed = {id(wait.step): wait for wait in waits}
        self._held = deque(step for step in self._held if id(step) not in failed)
        for wait in failed.values():
            self._wake([wait.step])

    def _deliver(self, batch: list[Append]) -> None:
        """Called by the writer: from its thread, or from inside ``submit`` by the in-memory twin."""
        now = self._clock.current_time()
        for step in batch:
            step.committed = now
        with contextlib.suppress(trio.RunFinishedError):  # trio has ended: no task waits any more
            self._token.run_sync_soon(self._wake, batch)

    def _wake(self, batch: list[Append]) -> None:
        asked, back = self._asking, False
        for step in batch:
            if step is asked:
                self._asking, back = None, not database_trouble(step.error)
            if step.error is not None and self._hold(step):
                continue
            waiting = self._waiting.pop(id(step), None)
            if waiting is not None:
                waiting.then(step)
        if back:
            self._troubled = False
            _log.info("the database can be written again", steps=len(self._held))
            self._try_all()

    def _hold(self, step: Append) -> bool:
        """Keep a step that the database refused, to be tried again; False when it has failed."""
        wait = self._waiting.get(id(step))
        if wait is None or not self._tended or not database_trouble(step.error):
            return False
        unsure = isinstance(step.error, MaybeStored)
        if not unsure and trio.current_time() - wait.since >= wait.hold_s:
            return False
        if not self._troubled:
            self._troubled = True
            _log.error("the database cannot be written, steps are held", error=str(step.error))
        self._held.append(step)
        return True

    def _try_all(self) -> None:
        held, self._held = list(self._held), deque()
        if held:
            self._try(held)


def require_stored(step: Append) -> None:
    """Conflict, NotStored or MaybeStored, unless the step is stored."""
    if step.error is None:
        return
    if isinstance(step.error, Conflict | TooLate | MaybeStored):
        raise step.error
    raise NotStored(f"{_where(step)}: {step.error}") from step.error


def _where(step: Append) -> str:
    return f"step of table {step.table} after {step.after}"
