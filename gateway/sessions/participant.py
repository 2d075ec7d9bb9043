"""A client among tables: its state, its place at a table, and what its table tells it of that.

It is the side of a connection that a table moves (gateway.tables.seams.Subscriber); the conversation with the peer is
gateway.sessions.connection.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import structlog
import trio

from gateway.lobby.party import Party
from gateway.log_context import log_context
from gateway.sessions.states import ConnectionState, Happening, after
from gateway.tables.seams import Table
from protocols.core.errors import LocalProtocolError

_log = structlog.get_logger()


class Participant(ABC):
    """``state`` follows the table of gateway.sessions.states. Times are trio's, in seconds.

    ``table`` and ``seat`` are set by its table. ``since`` is since when it has been at none, if it is at none.
    """

    # fmt: off
    __slots__ = (
        "_looks_on_as", "account", "address", "called_away", "number", "party", "ready", "seat", "since", "speaks",
        "state", "table",
    )
    # fmt: on
    asking = 0  # no other node

    def __init__(self, speaks: str, address: str, number: int, now: float) -> None:
        self.speaks = speaks
        self.address = address
        self.number = number
        self.state = ConnectionState.ARRIVED
        self.table: Table | None = None
        self.seat: int | None = None
        self.since = now
        self._looks_on_as = self.account = ""
        """The account it is logged in as, by the name that was registered; "" for a guest."""
        self.party: Party | None = None
        """Its last request for a seat."""
        self.ready = False
        """True if it sat down ready: what it wants stands as long as it sits, for it has no word to say it again."""
        self.called_away: trio.Event | None = None
        """While its table lets it go to another one: set when the dialect has been told, and asks for a seat."""

    @abstractmethod
    def close(self) -> None:
        """End it from outside: by its table, the sweep, or a send that failed."""

    @property
    def ended(self) -> bool:
        return self.state is ConnectionState.ENDED

    @property
    def speaks_for(self) -> int:
        """The number of the client that has its name: its own, but of an onlooker."""
        return self.number

    @property
    def called(self) -> str:
        """The name under which it plays or looks on; "" without one."""
        if self.table is None or self.seat is None:
            return self._looks_on_as
        return self.table.state.seats[self.seat].name

    def seated(self, table: Table, seat: int | None, *, ready: bool = False, name: str = "") -> None:
        happens = self._is_told(Happening.LOOKED_ON if seat is None else Happening.SAT_DOWN)
        if happens or self.table is None:  # the table is to hear that it has ended
            self.table, self.seat, self.ready, self._looks_on_as = table, seat, ready, name

    def turned(self, seat: int) -> None:
        if self._is_told(Happening.TURNED):
            self.seat = seat

    def released(self) -> None:
        if self._is_told(Happening.LET_GO):
            self.table = self.seat = None
            self._looks_on_as = ""
            self.since = trio.current_time()

    def _happens(self, what: Happening) -> None:
        """Go on to the next state. LocalProtocolError: that cannot happen now."""
        self.state = after(self.state, what)

    def _is_told(self, what: Happening) -> bool:
        """The same by its table, whose task goes on. False: that cannot happen now, and this client ends."""
        try:
            self._happens(what)
        except LocalProtocolError:
            _log.exception("connection failed", **log_context(self))
            self.close()
            return False
        return True
