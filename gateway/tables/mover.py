"""A request to move as its table sees it: an asker that is told its answer, and nothing of what happens there."""

from __future__ import annotations

import trio

from gateway.table.refusals import NOT_STORED, ask_elsewhere
from gateway.table.state import State
from gateway.tables.runner import TableRunner
from gateway.tables.seams import Table
from protocols.core.errors import Refused, Why
from protocols.core.model import Reason


class Mover:
    """Asks ``table`` for one command of ``seat``, which has the id ``asking``; a gateway.tables.seams.Asker.

    It never belongs to the table, so the connection of its seat stays. When ``done`` is set, ``refused`` says why
    nothing happened; otherwise ``after`` is the table's state right behind it. Both None: the table has ended before.
    """

    speaks = "api"
    number = 0

    def __init__(self, table: TableRunner, seat: int, address: str, asking: int) -> None:
        self.asking = asking
        self.address = address
        self.table: Table | None = table
        self.seat: int | None = seat
        self.done = trio.Event()
        self.refused: Refused | None = None
        self.after: State | None = None
        self._runner = table

    @property
    def made(self) -> bool:
        """True if its move led to ``after``: a flag may have fallen instead."""
        after = self.after
        return after is not None and (after.outcome is None or after.outcome.reason is not Reason.TIME)

    def moved(self, took_s: float) -> None:
        self.after = self._runner.state

    def refuse(self, refused: Refused) -> None:
        self.refused = refused.with_traceback(None)  # which would keep this until a collection

    def answered(self) -> None:
        self.done.set()

    def turned(self, seat: int) -> None:
        """A new game has begun with the seats exchanged: it was asked for another one."""
        self.seat = None
        self.refuse(Refused(Why.NOT_NOW, "the seats were exchanged before this move was served"))

    def close(self) -> None:
        """The table has ended while it served this: it is not known whether it is stored."""
        if not self.done.is_set():
            self.refuse(ask_elsewhere(NOT_STORED))
            self.done.set()
