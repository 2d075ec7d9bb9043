"""How much is said at a table: by the player of a seat, or by those who look on from one place.

Counted there and not with the connection, or whoever comes back might begin anew each time. Not here: what may be said
(gateway.table.decide), and who hears it.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

import trio

from gateway.config import Limits
from gateway.net.addresses import place_of
from gateway.net.allowance import Allowance
from protocols.core.errors import Refused, Why

if TYPE_CHECKING:
    from gateway.server.connection import Connection

REMEMBERED: Final = 20_000
"""Seats and places that are remembered; those that have been silent longest are forgotten first."""


class Sayings:
    """Of all tables."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._said: OrderedDict[tuple[int, int | str], Allowance] = OrderedDict()

    def count(self, connection: Connection) -> None:
        """One more. Refused (TOO_FAST): it is more than others at the table should have to read."""
        if connection.table is None:
            return
        now, seat = trio.current_time(), connection.seat
        who = connection.table.state.table, place_of(connection.address) if seat is None else seat
        allowance = self._said.pop(who, None)
        if allowance is None:
            allowance = Allowance(self._limits.sayings_per_second, self._limits.sayings_burst, now)
        self._said[who] = allowance
        if len(self._said) > REMEMBERED:
            self._said.popitem(last=False)
        if wait_s := allowance.refuses_s(1, now):
            raise Refused(Why.TOO_FAST, f"you say too much at once; try again in {math.ceil(wait_s)} s")
