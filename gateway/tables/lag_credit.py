"""Lag credit: how much network delay the mover gets back, bounded by its connection's delay and by a budget a game.

A peer can raise its own measured delay, by acknowledging late. So the credit of a turn is at most the shortest delay
its connection had lately (gateway.sessions.peer), at most clock.LAG_CREDIT_S, and at most what is left of the seat's
budget for the game, of which every move takes what it was given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from gateway.table.clock import credit
from gateway.table.state import State

BUDGET_S: Final = 10.0
"""Seconds a seat gets back in one game at most: a delay of a quarter of a second, for forty moves."""


class Measured(Protocol):
    """The side of a subscriber that lag credit uses."""

    def lag_s(self) -> float:
        """Its measured network delay in seconds."""


class LagCredit:
    """The budgets of one table's game; ``at`` is a seat's subscriber. A server that takes over begins them anew."""

    __slots__ = ("_at", "_game", "_given_s")

    def __init__(self, at: Callable[[int], Measured | None]) -> None:
        self._at = at
        self._game = 0
        self._given_s: dict[int, float] = {}  # seat -> what it got back in this game

    def due(self, state: State) -> float:
        """Seconds that the seat whose clock runs gets back if it moves now; 0.0 where no clock runs."""
        if state.clock is None or (seat := state.clock.running) is None or (mover := self._at(seat)) is None:
            return 0.0
        return min(credit(mover.lag_s()), max(0.0, BUDGET_S - self._given(state, seat)))

    def moved(self, before: State, since: float, lag_s: float) -> None:
        """The seat whose clock ran in ``before`` has moved at ``since``, with a credit of ``lag_s``."""
        if before.clock is not None and (seat := before.clock.running) is not None:
            self._given_s[seat] = self._given(before, seat) + min(lag_s, max(0.0, since - before.clock.since))

    def _given(self, state: State, seat: int) -> float:
        if state.games != self._game:
            self._game, self._given_s = state.games, {}
        return self._given_s.get(seat, 0.0)
