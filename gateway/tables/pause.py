"""Pauses a table that waits for the record: tells its players once, and charges the time it took to no clock.

A step that takes longer than commit_queue.LATE_S pauses its table; while it waits, the table's task
sleeps in ``Journal.write``, or its inbox is held.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

import structlog
import trio

from gateway.commits.commit_queue import NotStored, say_not_stored
from gateway.table.seating import stood_still
from gateway.table.state import State
from gateway.tables.journal import Journal
from gateway.tables.subscribers import EVERYBODY, Subscribers
from protocols.core.events import Said

WAITS: Final = "the server cannot store moves just now: the game waits, and goes on by itself"
GOES_ON: Final = "the game goes on; the time it waited is charged to nobody"

AGAIN_S: Final = 1.0
"""Seconds until what must be stored, and has failed, is decided anew."""

_log = structlog.get_logger()


class Paused(Protocol):
    """The side of a table that a pause uses."""

    state: State
    journal: Journal
    subscribers: Subscribers


class Pause:
    """One table's. ``ended`` is when the last pause did: what was heard during it counts from then.

    ``healthy`` returns when no step is late: since when one was, None at once.
    """

    __slots__ = ("_healthy", "_since", "_table", "ended")

    def __init__(self, table: Paused, healthy: Callable[[], Awaitable[float | None]]) -> None:
        self._table = table
        self._healthy = healthy
        self._since: float | None = None
        self.ended = 0.0

    def late(self, since: float) -> None:
        """A step has been waiting ``since`` then; told again as long as it does."""
        if self._since is not None:
            return
        self._since = since
        _log.warning("a game waits for the record", table=self._table.state.table)
        self._table.subscribers.tell([Said(None, EVERYBODY, WAITS)])

    def over(self) -> None:
        """The step is stored and told, or has failed: if that took long, the game goes on now."""
        if self._since is None:
            return
        since, self._since = self._since, None
        self.ended = trio.current_time()
        self._charge_nobody(since)
        _log.info("a game goes on", table=self._table.state.table, waited_s=round(self.ended - since, 1))
        self._table.subscribers.tell([Said(None, EVERYBODY, GOES_ON)])

    async def failed(self, error: NotStored) -> None:
        """The step could not be stored within the retry period: wait a moment until it is decided anew."""
        say_not_stored(error, table=self._table.state.table)
        await trio.sleep(AGAIN_S)

    async def moved_deadlines(self) -> bool:
        """True if what is due has become due later: a pause is over, or seats could not be taken back for a while."""
        if self._since is not None:
            self.over()
            return True
        since = await self._healthy() if any(self._table.state.until) else None
        if since is None:
            return False
        self._charge_nobody(since, clock=False)
        return True

    def _charge_nobody(self, since: float, *, clock: bool = True) -> None:
        """No player could be served ``since`` then. It is in the record with the table's next step."""
        draft = stood_still(self._table.state, since, trio.current_time(), clock=clock)
        self._table.state = draft.state
        self._table.journal.owe(draft.events)
