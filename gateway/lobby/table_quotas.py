"""Table quotas: counts the tables that each opener has waiting or left.

An opener is an address key (gateway.net.addresses). Tables taken over after a restart have no opener
here. Settings have the limits.
"""

from __future__ import annotations

from gateway.config import Limits
from gateway.table.state import State, Status, seats_of
from protocols.core.errors import Refused, Why
from protocols.core.model import SeatKind


class TableQuotas:
    """Knows every table that a connection opened, until it closes."""

    def __init__(self) -> None:
        self._opened: dict[int, str] = {}  # table -> its opener
        self._waiting: dict[str, set[int]] = {}  # opener -> tables whose game has not begun
        self._left: dict[str, set[int]] = {}  # opener -> empty tables whose game is not over

    def admit(self, opener: str, limits: Limits) -> None:
        """Refused (TOO_FAST): this opener has as many tables as may wait, or be left."""
        if len(self._waiting.get(opener, ())) >= limits.open_tables_per_address:
            most = limits.open_tables_per_address
            raise Refused(Why.TOO_FAST, f"{most} tables opened from your address wait for players: play at one of them")
        if len(self._left.get(opener, ())) >= limits.left_games_per_address:
            most = limits.left_games_per_address
            raise Refused(Why.TOO_FAST, f"{most} games begun from your address were left: finish one of them first")

    def opened(self, state: State, opener: str) -> None:
        """A new table, opened from there."""
        self._opened[state.table] = opener
        self.report(state)

    def report(self, state: State) -> None:
        """A table's seats or status changed."""
        opener = self._opened.get(state.table)
        if state.status is Status.CLOSED:
            self.ended(state.table)
            return
        if opener is None:
            return
        begun = state.status in (Status.PLAYING, Status.ADJOURNED)
        _keep(self._waiting, opener, state.table, state.status is Status.OPEN)
        _keep(self._left, opener, state.table, begun and not seats_of(state, SeatKind.PLAYER))

    def ended(self, table: int) -> None:
        """The table is closed, or another server's: nothing is known of it any more."""
        opener = self._opened.pop(table, "")
        _keep(self._waiting, opener, table, there=False)
        _keep(self._left, opener, table, there=False)


def _keep(tables: dict[str, set[int]], opener: str, table: int, there: bool) -> None:
    """Add ``table`` to those of the opener, or remove it; an opener without any is forgotten."""
    if there:
        tables.setdefault(opener, set()).add(table)
    elif table in (known := tables.get(opener, set())):
        known.remove(table)
        if not known:
            del tables[opener]
