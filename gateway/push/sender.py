"""Sends what waits in the database, again where that failed: one node for all of a database, one loop for each way.

A message is claimed in the database before it is sent and deleted after its answer, so two nodes send none twice. A
process that is killed between the two leaves it claimed, and it is sent once more.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, Protocol, TypeVar

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.admission.token_bucket import TokenBuckets
from gateway.store.notices import Notices
from gateway.store.waiting import Queued, Waits

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

ROUND_S: Final = 2.0
"""Seconds between two looks at what there is to send."""

SETTLED_S: Final = 5.0
"""Seconds that a notice waits: a page that is loaded anew is away for some."""

HELD_S: Final = 90.0
"""Seconds that a notice waits for a player who sits at the table: longer than a dead connection stays unnoticed."""

LASTS_S: Final = {"turn": 86_400.0, "joined": 3600.0, "back": 900.0, "offer": 86_400.0}
"""Seconds after which a notice of each kind is not sent any more, nor kept by its push service."""

CLAIMED_S: Final = 60.0
"""Seconds until a message whose sender is gone is tried again: longer than sending may take."""

FIRST_WAIT_S: Final = 30.0
"""Seconds until the second try; each further one waits four times as long."""

LONGEST_WAIT_S: Final = 4 * 3600.0

MOST_TRIES: Final = 8

TIDY_S: Final = 3600.0

_log = structlog.get_logger()


def spread(notices: Notices, now: float) -> None:
    """Make messages of the notices that have waited long enough. Every way does so, and the first one finds them."""
    notices.spread(now, SETTLED_S, HELD_S, LASTS_S)


def too_often(told: TokenBuckets[K], who: K, table: int, now: float) -> bool:
    """Count a notice of this person. True: there were as many as the settings allow."""
    if not told.bucket(who, now).refuses_s(now):
        return False
    _log.info("a person has had as many notices as the settings allow", table=table)
    return True


class Message(Waits, Protocol):
    """A row of a queue, as this loop reads it."""

    @property
    def until(self) -> float: ...

    @property
    def seen(self) -> bool: ...


M = TypeVar("M", bound=Message)


@dataclass(frozen=True, slots=True)
class Later:
    """The message was not taken now: ``why``, and the seconds that were asked for, 0.0 none."""

    why: str
    after_s: float = 0.0


class Way(Protocol[M]):
    """A way that messages take. ``store`` has those that wait; ``at_once`` are sent at the same time."""

    @property
    def store(self) -> Queued: ...

    @property
    def at_once(self) -> int: ...

    async def due(self, now: float) -> Sequence[M]:
        """The messages to try now. SQLAlchemyError here and below: the database is in trouble."""

    def too_many(self, message: M, now: float) -> bool:
        """Count a message of its person; True where there were too many. ``now`` is in trio's time."""

    async def send(self, message: M, now: float) -> Later | None:
        """None: it has arrived, or never will."""

    async def tidy(self, now: float) -> None:
        """Delete what is old."""


class Threads:
    """Calls what blocks on the database, in a few threads that are left behind when the server stops: a database that
    is away holds nobody up."""

    def __init__(self, most: int = 2) -> None:
        self._threads = trio.CapacityLimiter(most)

    async def do(self, function: Callable[..., T], *arguments: Any) -> T:
        call = partial(function, *arguments)
        return await trio.to_thread.run_sync(call, abandon_on_cancel=True, limiter=self._threads)


class Sender(Generic[M]):
    """``may`` says whether this node sends."""

    def __init__(self, way: Way[M], may: Callable[[], Awaitable[bool]]) -> None:
        self._way = way
        self._may = may
        self._threads = Threads()

    async def run(self) -> None:
        """Send until cancelled. A database in trouble is asked again with the next round."""
        tidy_at = 0.0
        while True:
            try:
                if await self._may():
                    await self.round(time.time())
                    if trio.current_time() >= tidy_at:
                        await self._way.tidy(time.time())
                        tidy_at = trio.current_time() + TIDY_S
            except SQLAlchemyError as error:
                _log.warning("notices cannot be read", error=str(error))
            await trio.sleep(ROUND_S)

    async def round(self, now: float) -> None:
        """Send all that are due."""
        turns = trio.CapacityLimiter(self._way.at_once)
        due = await self._way.due(now)
        async with trio.open_nursery() as nursery:
            for message in due:
                nursery.start_soon(self._in_turn, turns, message)

    async def _in_turn(self, turns: trio.CapacityLimiter, message: M) -> None:
        async with turns:
            try:
                await self._send(message, time.time())
            except SQLAlchemyError as error:
                _log.warning("notices cannot be read", error=str(error))

    async def _send(self, message: M, now: float) -> None:
        """Claimed, and then sent or given up. A message counts for its person on its first try."""
        if not await self._threads.do(self._way.store.claim, message, now + CLAIMED_S):
            return
        late = message.seen or now >= message.until or message.tries >= MOST_TRIES
        if late or (not message.tries and self._way.too_many(message, trio.current_time())):
            await self._threads.do(self._way.store.done, message)
            return
        later = await self._way.send(message, now)
        if later is None:
            await self._threads.do(self._way.store.done, message)
            return
        wait_s = min(max(FIRST_WAIT_S * 4**message.tries, later.after_s), LONGEST_WAIT_S)
        _log.info("a message is not taken now", why=later.why, again_s=wait_s, tries=message.tries + 1)
        await self._threads.do(self._way.store.put_off, message, now + wait_s)
