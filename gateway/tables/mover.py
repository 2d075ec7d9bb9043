"""A request to move as its table sees it: a client that has a seat and is not told what happens there."""

from __future__ import annotations

from collections.abc import Iterable

import trio

from gateway.lobby.party import Party
from gateway.table.refusals import NOT_STORED, away, try_again
from gateway.table.state import State
from gateway.tables.runner import TableRunner
from gateway.tables.seams import Table
from protocols.core.commands import Command
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused, Why
from protocols.core.events import Said
from protocols.core.model import Reason
from protocols.core.notifications import Notification


class ByRequest(Dialect):
    """Stands for the API where a client's dialect is asked for."""

    name = "api"
    public = False

    def receive_data(self, data: bytes) -> list[Command]:
        return []

    def send(self, message: Notification) -> None:
        """Nothing: an answer says what came of a request."""


class Mover:
    """Asks ``table`` for one command of ``seat``; a gateway.tables.seams.Subscriber.

    It never belongs to the table, so the connection of its seat stays. When ``done`` is set, ``refused`` says why
    nothing happened; otherwise ``after`` is the table's state right behind it. Both None: the table has ended before.
    """

    def __init__(self, table: TableRunner, seat: int, account: str, address: str) -> None:
        self.called_away: trio.Event | None = None
        self.number = self.asking = 0
        self.address = address
        self.account = account
        self.dialect = ByRequest()
        self.program = ""
        self.table: Table | None = table
        self.seat: int | None = seat
        self.ready = False
        self.party: Party | None = None
        self.ended = False
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

    def lag_s(self) -> float:
        return 0.0

    def tell(self, messages: Iterable[Notification], seq: int = 0) -> None:
        """Nothing: it is told by its answer alone."""

    async def hears(self, words: Said) -> None:
        """The mover is nobody's client, and hears nothing."""
        raise away(words.to)

    def seated(self, table: Table, seat: int | None, *, ready: bool = False, name: str = "") -> None:
        """Nothing: it asks for no seat."""

    def turned(self, seat: int) -> None:
        """A new game has begun with the seats exchanged: it was asked for another one."""
        self.seat = None
        self.refuse(Refused(Why.NOT_NOW, "the seats were exchanged before this move was served"))

    def released(self) -> None:
        """Nothing, for it belongs to no table; so with the next."""

    def displaced(self) -> None: ...

    def close(self) -> None:
        """The table has ended while it served this: it is not known whether it is stored."""
        if not self.done.is_set():
            self.refuse(try_again(NOT_STORED))
            self.done.set()
