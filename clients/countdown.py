"""Counts the clocks down between two messages of the server about them. The server's readings decide.

A word is exact when it is said. For a player who returns in the middle of a turn it says what was left when the turn
began: at most that is left then, and it is shown so. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

from gateway.table.clock import spent
from protocols.core.model import Clock, Reading, TimeControl, TimeKind
from protocols.core.time_text import span


@dataclass(frozen=True, slots=True)
class ToldClock:
    """``late``: the clock that runs had run for a time that is not known when this was told."""

    clock: Clock
    late: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """One seat's clock: whether it runs, its text, and whether its flag has fallen or soon will."""

    running: bool
    text: str
    short: bool


SHORT_S = 20.0
"""Seconds below which a running clock is marked."""


class Countdown:
    """The clocks of one table, from the moment each word about them was heard."""

    def __init__(self) -> None:
        self._told: ToldClock | None = None
        self._since_s = 0.0

    def hear(self, told: ToldClock | None, now_s: float) -> None:
        """Note the clocks at ``now_s``, on any steady line of seconds; the same word changes nothing."""
        if told is not self._told:
            self._told, self._since_s = told, now_s

    def shown(self, now_s: float) -> list[Shown]:
        """Every seat's clock; none without a clock."""
        told = self._told
        if told is None:
            return []
        readings = enumerate(told.clock.readings)
        used_s = max(0.0, now_s - self._since_s)
        return [
            _shown(reading, used_s, late=told.late) if seat == told.clock.running else _still(reading)
            for seat, reading in readings
        ]


def _still(reading: Reading) -> Shown:
    return Shown(False, text(reading), False)


def _shown(reading: Reading, used_s: float, *, late: bool) -> Shown:
    left = spent(control_of(reading), reading, used_s) or Reading(0.0)
    return Shown(True, ("≤" if late else "") + text(left), left.main_s + left.period_s < SHORT_S and left.periods < 2)


def control_of(reading: Reading) -> TimeControl:
    """A time control under which a clock that shows this goes on as it will; a period is as long as the present one."""
    if reading.periods:
        kind = TimeKind.BYOYOMI
    elif reading.moves:
        kind = TimeKind.CANADIAN if reading.period_s else TimeKind.MOVES
    else:
        kind = TimeKind.PER_MOVE if reading.period_s else TimeKind.ABSOLUTE
    return TimeControl(kind, reading.main_s, period_s=reading.period_s, periods=reading.periods, moves=reading.moves)


def text(reading: Reading) -> str:
    """ "4:59"; "0:30x3", the last but two of its periods; "2:10/12", for 12 more turns."""
    if reading.main_s > 0 or not reading.period_s:
        turns = f"/{reading.moves}" if reading.moves and not reading.period_s else ""
        return span(reading.main_s) + turns
    if reading.periods:
        return f"{span(reading.period_s)}x{reading.periods}"
    return span(reading.period_s) + (f"/{reading.moves}" if reading.moves else "")
