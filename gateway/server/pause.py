"""A table that waits for the record: its players are told once, and the time it took is charged to nobody.

A step that takes longer than scribe.LATE_S pauses its table, whatever the cause; while it waits, the table's task
sleeps in ``Ledger.write``, or its inbox is held. Not here: trying again (scribe.py), what is then owed to players
(gateway.table.pausing).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import structlog
import trio

from gateway.server.cursors import EVERYBODY
from gateway.server.scribe import NotStored, say_not_stored
from gateway.table.pausing import stood_still
from protocols.core.events import Said

if TYPE_CHECKING:
    from gateway.server.table_task import TableTask

WAITS: Final = "the server cannot store moves just now: the game waits, and goes on by itself"
GOES_ON: Final = "the game goes on; the time it waited is charged to nobody"

AGAIN_S: Final = 1.0
"""Seconds until what must be stored, and has failed, is decided anew."""

_log = structlog.get_logger()


class Pause:
    """One table's. ``ended`` is when the last pause did: what was heard during it counts from then."""

    def __init__(self, table: TableTask) -> None:
        self._table = table
        self._since: float | None = None
        self.ended = 0.0

    def late(self, since: float) -> None:
        """A step has been waiting ``since`` then; told again as long as it does."""
        if self._since is not None:
            return
        self._since = since
        _log.warning("a game waits for the record", table=self._table.state.table)
        self._table.cursors.tell([Said(None, EVERYBODY, WAITS)])

    def over(self) -> None:
        """The step is stored and told, or has failed: if that took long, the game goes on now."""
        if self._since is None:
            return
        since, self._since = self._since, None
        self.ended = trio.current_time()
        self._charge_nobody(since)
        _log.info("a game goes on", table=self._table.state.table, waited_s=round(self.ended - since, 1))
        self._table.cursors.tell([Said(None, EVERYBODY, GOES_ON)])

    async def failed(self, error: NotStored) -> None:
        """What must be stored could not be, for as long as it was tried: a moment until it is decided anew."""
        say_not_stored(error, table=self._table.state.table)
        await trio.sleep(AGAIN_S)

    async def moved_deadlines(self) -> bool:
        """Whether what is due has become due later: a pause is over, or nobody could take a seat back for a while."""
        if self._since is not None:
            self.over()
            return True
        since = await self._table.house.scribe.well() if any(self._table.state.until) else None
        if since is None:
            return False
        self._charge_nobody(since, clock=False)
        return True

    def _charge_nobody(self, since: float, *, clock: bool = True) -> None:
        """Nobody could be served ``since`` then. It is in the record with the table's next step."""
        draft = stood_still(self._table.state, since, trio.current_time(), clock=clock)
        self._table.state = draft.state
        self._table.ledger.owe(draft.events)
