"""BotContext: one game of one table, as the move choosers of the server are told of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from gateway.table import clock as clocks
from gateway.table.pace import share_s
from protocols.core.model import Clock, Reading, TimeControl


def _unheard(text: str) -> None:
    """Without players, nothing is heard."""


@dataclass(frozen=True, slots=True)
class BotContext:
    """``number`` counts the table's games from 1; ``time`` and ``clock`` are None without a clock.

    ``tell`` takes a sentence for the players, for instance that their opponent is another one now. ``bot`` is the name
    of the house bot that they chose, "" the usual one.
    """

    table: int
    number: int
    time: TimeControl | None = None
    clock: Clock | None = None
    tell: Callable[[str], None] = _unheard
    bot: str = ""

    def readings(self, now: float) -> tuple[Reading, ...]:
        """The readings of all clocks at ``now``; () without a clock."""
        if self.time is None or self.clock is None:
            return ()
        return clocks.shown(self.time, self.clock, now)

    def share_s(self, seat: int, now: float) -> float:
        """Seconds that ``seat`` may take for a turn by its clock; infinite without a clock."""
        readings = self.readings(now)
        return share_s(self.time, readings[seat]) if self.time is not None and readings else math.inf
