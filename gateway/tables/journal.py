"""One table's journal in the record: writes its steps and knows how far it is written."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final

from gateway.commits.commit_queue import ASK_S, HOLD_S, CommitQueue, Late, Then
from gateway.games.base import Game
from gateway.store import codec
from gateway.store.records import UNCHANGED, Append, EventRow, Result, RowChanges, TableRow
from gateway.store.results import placed
from gateway.table.writing import written
from protocols.core import events as ev

FRESH_EVENTS: Final = 24
"""Events kept in memory until a table\'s first game begins, so that players who sit down cost no read of the record."""

ROW: Final = 150
"""Bytes of a row beside its text, in a database: numbers, digest, kind, entries of indexes, and room in its page."""


STARTED: Final = ev.GameStarted.__name__
ENDED: Final = ev.GameEnded.__name__
"""The kinds of the events between which a game is played."""


class Journal:
    """The page of one table, written by its owner only.

    A new page begins with ``opening``, the table's row, and ``first``, its first event: both are stored with the first
    step, so that a table without players leaves no trace. ``seq`` is the last stored event's, ``told_from`` the number
    of the first event of the last step that clients are told.
    """

    __slots__ = (
        *("_commits", "_digest", "_first", "_fresh", "_opening", "_table"),
        *("began_at", "epoch", "seq", "told_from", "served", "written"),
    )

    def __init__(
        self,
        commits: CommitQueue,
        table: int,
        epoch: int,
        opening: TableRow | None = None,
        first: ev.Event | None = None,
    ) -> None:
        self._commits = commits
        self._table = table
        self.epoch = epoch
        self._opening = opening
        self._first = [] if first is None else [first]
        self.seq = 0
        self.told_from = 0
        self.written = 0
        """Bytes that were handed over to be stored, as they count for their authors."""
        self.began_at = 0.0
        """Unix time of the beginning of the table's last game in seconds, 0.0 before there is one."""
        self._digest = codec.GENESIS
        self._fresh: list[ev.Event] | None = [] if opening is not None else None
        self.served: frozenset[int] = frozenset()
        """The ids of commands that were served before this process had the table."""

    @property
    def blank(self) -> bool:
        """True if nothing of the table is stored yet."""
        return self._opening is not None

    @property
    def settled(self) -> bool:
        """True if all that has happened is stored."""
        return not self.blank and not self._first

    def go_on_after(self, rows: Sequence[EventRow], served: frozenset[int] = frozenset()) -> None:
        """An existing page has these events. These commands were served on it."""
        self.seq, self._digest, self.served = rows[-1].seq, rows[-1].digest, served
        self.began_at = next((row.at for row in reversed(rows) if row.kind == STARTED), 0.0)

    def owe(self, events: Sequence[ev.Event]) -> None:
        """Keep what has happened and need not be told: it is stored with the next step, before its own events."""
        self._first = [*self._first, *events]

    async def write(
        self,
        events: Sequence[ev.Event],
        changes: RowChanges = UNCHANGED,
        *,
        hold_s: float = ASK_S,
        served: int = 0,
        late: Late | None = None,
    ) -> Append:
        """Store one step and its other changes; what was stored. Conflict, NotStored or MaybeStored as
        ``CommitQueue.append``.

        ``hold_s`` is how long it is tried while the database is in trouble; ``late`` is told that it waits. ``served``
        is the id of the command that it came of. A turn without a clock follows from the position: it is told, and not
        stored.
        """
        kept, rows = self._rows(events, served)
        step = Append(
            self._table,
            self.epoch,
            self.seq,
            rows,
            self._opening,
            status=changes.status,
            seats=changes.seats,
            tickets=changes.tickets,
            revoked=changes.revoked,
            turned=changes.turned,
            acts=changes.acts,
            seen=changes.seen,
            notices=changes.notices,
            results=tuple(self._placed(result, rows) for result in changes.results),
        )
        self.written += ROW * ((self._opening is not None) + len(changes.seats) + len(changes.tickets))
        await self._commits.append(step, hold_s=hold_s, late=late)
        self._turn_over(kept, step)
        return step

    def write_on(self, events: Sequence[ev.Event], then: Then, served: int, late: Late) -> None:
        """Store a step of events alone, then call ``then`` with it. The table does nothing else meanwhile."""
        kept, rows = self._rows(events, served)

        def stored(step: Append) -> None:
            if step.error is None:
                self._turn_over(kept, step)
            then(step)

        self._commits.submit(Append(self._table, self.epoch, self.seq, rows), stored, hold_s=HOLD_S, late=late)

    def _rows(self, events: Sequence[ev.Event], served: int) -> tuple[list[ev.Event], tuple[EventRow, ...]]:
        kept = self._first + [event for event in events if type(event) is not ev.TurnStarted or event.clock is not None]
        rows = codec.rows(self._digest, self._table, self.seq, time.time(), kept, served)
        for row in rows:
            self.written += ROW + (len(row.body) if row.body.isascii() else len(row.body.encode()))
        return kept, rows

    def _placed(self, result: Result, rows: Sequence[EventRow]) -> Result:
        """The result of the game that these rows end, with its place in the record."""
        began_at = next((row.at for row in rows if row.kind == STARTED), self.began_at)
        end = next(row for row in rows if row.kind == ENDED)
        return placed(result, end, began_at)

    def _turn_over(self, kept: list[ev.Event], step: Append) -> None:
        """The page ends with this step now."""
        self.told_from = self.seq + len(self._first) + 1
        self._opening, self._first = None, []
        if step.rows:
            self.seq, self._digest = step.rows[-1].seq, step.rows[-1].digest
        if any(type(event) is ev.GameStarted for event in kept):
            self.began_at = step.rows[-1].at
        if self._fresh is not None:
            self._fresh += kept
            if len(self._fresh) > FRESH_EVENTS:
                self._fresh = None

    async def read(self, game: Game[Any]) -> Sequence[ev.Event]:
        """Everything that has happened, what is owed included; ``game`` writes the moves.

        Unreadable when the database fails, ValueError when the record is damaged.
        """
        if self._fresh is not None:
            return (*self._fresh, *self._first)
        stored = [row.event for row in await self._commits.read(self._table)]
        return written(game, [*stored, *self._first])
