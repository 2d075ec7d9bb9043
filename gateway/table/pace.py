"""Estimates the time for one turn by a clock, so that the turns after it can be played as well.

A guess, and a careful one: a player who takes no longer than this for every turn never loses on time. For house bots.
"""

from __future__ import annotations

from typing import Final

from protocols.core.model import Reading, TimeControl, TimeKind

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
