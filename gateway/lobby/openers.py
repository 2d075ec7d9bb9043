"""Whose tables wait, and whose games are left: how many of each one place has opened.

A place is an address, or what counts as one (gateway.net.addresses). Tables taken over after a restart are nobody's
here. Not here: the limits' numbers (settings), registered tables (gateway.server.registrar).
"""

from __future__ import annotations

from gateway.config import Limits
from gateway.table.state import State, Status, seats_of
from protocols.core.errors import Refused, Why
from protocols.core.model import SeatKind


class Openers:
    """Knows every table somebody opened through a connection, until it closes."""

    def __init__(self) -> None:
        self._opened: dict[int, str] = {}  # table -> the place it was opened from
        self._waiting: dict[str, set[int]] = {}  # place -> tables whose game has not begun
        self._left: dict[str, set[int]] = {}  # place -> tables whose game is not over, and nobody sits there

    def admit(self, place: str, limits: Limits) -> None:
        """Refused (TOO_FAST): this place has opened as many tables as may wait, or be left."""
        if len(self._waiting.get(place, ())) >= limits.open_tables_per_address:
            most = limits.open_tables_per_address
            raise Refused(Why.TOO_FAST, f"{most} tables opened from your address wait for players: play at one of them")
        if len(self._left.get(place, ())) >= limits.left_games_per_address:
            most = limits.left_games_per_address
            raise Refused(Why.TOO_FAST, f"{most} games begun from your address were left: finish one of them first")

    def opened(self, state: State, place: str) -> None:
        """A new table, opened from there."""
        self._opened[state.table] = place
        self.report(state)

    def report(self, state: State) -> None:
        """A table's seats or status changed."""
        place = self._opened.get(state.table)
        if place is None:
            return
        begun = state.status in (Status.PLAYING, Status.ADJOURNED)
        _keep(self._waiting, place, state.table, state.status is Status.OPEN)
        _keep(self._left, place, state.table, begun and not seats_of(state, SeatKind.PLAYER))
        if state.status is Status.CLOSED:
            del self._opened[state.table]


def _keep(tables: dict[str, set[int]], place: str, table: int, there: bool) -> None:
    """``table`` is among those of the place, or is not; a place without any is forgotten."""
    if there:
        tables.setdefault(place, set()).add(table)
    elif table in (known := tables.get(place, set())):
        known.remove(table)
        if not known:
            del tables[place]
