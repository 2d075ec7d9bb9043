"""BotContext: one game of one table, as the move choosers of the server are told of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gateway.table import clock as clocks
from protocols.core.model import Clock, Reading, TimeControl, TimeKind


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


TURNS: Final = 40
"""Turns that every game is taken to go on for, at any moment of it: shares get smaller and never run out."""

RESERVE_S: Final = 0.5
"""Seconds of a period that are left alone, for storing the move and for a busy machine; half of a short period."""


def share_s(control: TimeControl, reading: Reading) -> float:
    """Seconds that the seat with this ``reading`` may take for one turn."""
    main_s, shares = reading.main_s, max(1, reading.moves) + 1  # one for what all of them take beyond their share
    match control.kind:
        case TimeKind.ABSOLUTE:
            return main_s / TURNS
        case TimeKind.FISCHER:
            return min(main_s / TURNS + control.increment_s, _spared(main_s))
        case TimeKind.MOVES:
            return min(main_s / shares + control.increment_s, _spared(main_s))
        case TimeKind.PER_MOVE:
            return _spared(reading.period_s)
        case TimeKind.CANADIAN:
            return main_s / TURNS + reading.period_s / shares
        case TimeKind.BYOYOMI:
            return main_s / TURNS + _spared(reading.period_s)


def _spared(seconds: float) -> float:
    return max(seconds / 2, seconds - RESERVE_S)
