"""Time controls as pure arithmetic on readings: absolute, Fischer, moves per period, per move, Canadian, byo-yomi.

All times are seconds; ``now`` is on one monotonic line. A clock runs for one seat at a time, from ``since``. Readings
change only when a clock stops, so a clock that runs is never written: ``shown`` computes what it shows.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from protocols.core.model import Clock, Reading, TimeControl, TimeKind

LAG_CREDIT_S: Final = 0.5
"""Seconds of measured network delay given back to the mover at most, a turn: more would be worth simulating."""

BACK_S: Final = 6 * 3600.0
"""Seconds that a turn of a correspondence game has left at least when its server is back."""


def fresh(control: TimeControl, seats: int) -> Clock:
    """The stopped clocks of a game that begins."""
    match control.kind:
        case TimeKind.PER_MOVE:
            reading = Reading(0.0, control.period_s)
        case TimeKind.MOVES:
            reading = Reading(control.main_s, moves=control.moves)
        case TimeKind.CANADIAN:
            reading = Reading(control.main_s, control.period_s, moves=control.moves)
        case TimeKind.BYOYOMI:
            reading = Reading(control.main_s, control.period_s, periods=control.periods)
        case TimeKind.ABSOLUTE | TimeKind.FISCHER:
            reading = Reading(control.main_s)
    return Clock((reading,) * seats, None, 0.0)


def start(clock: Clock, seat: int, now: float) -> Clock:
    """The same readings, ``seat``'s clock running from ``now``."""
    return replace(clock, running=seat, since=now)


def elapsed(clock: Clock, now: float, lag_s: float = 0.0) -> float:
    """Seconds the running seat is charged for, its network delay given back up to LAG_CREDIT_S."""
    return max(0.0, now - clock.since - credit(lag_s))


def credit(lag_s: float) -> float:
    """The part of a measured network delay that is given back to the mover."""
    return min(max(lag_s, 0.0), LAG_CREDIT_S)


def spent(control: TimeControl, reading: Reading, used_s: float) -> Reading | None:
    """The clock's reading after ``used_s`` more seconds of one turn; None when the flag has fallen."""
    main_s = reading.main_s - used_s
    if main_s >= 0 and control.kind is not TimeKind.PER_MOVE:
        return replace(reading, main_s=main_s)
    over_s = used_s - reading.main_s
    match control.kind:
        case TimeKind.ABSOLUTE | TimeKind.FISCHER | TimeKind.MOVES:
            return None
        case TimeKind.PER_MOVE | TimeKind.CANADIAN:
            left_s = reading.period_s - over_s
            return replace(reading, main_s=0.0, period_s=left_s) if left_s >= 0 else None
        case TimeKind.BYOYOMI:
            return _byoyomi(control, reading, over_s)


def _byoyomi(control: TimeControl, reading: Reading, over_s: float) -> Reading | None:
    periods, left_s = reading.periods, reading.period_s - over_s
    while left_s < 0 and periods > 1:
        periods -= 1
        left_s += control.period_s
    if left_s < 0 or periods < 1:
        return None
    return replace(reading, main_s=0.0, period_s=left_s, periods=periods)


def turned(control: TimeControl, reading: Reading) -> Reading:
    """The reading once its seat's turn is over: increments added, periods begun anew."""
    match control.kind:
        case TimeKind.ABSOLUTE:
            return reading
        case TimeKind.FISCHER:
            return replace(reading, main_s=reading.main_s + control.increment_s)
        case TimeKind.PER_MOVE | TimeKind.BYOYOMI:
            return replace(reading, period_s=control.period_s)
        case TimeKind.MOVES:
            main_s, left = reading.main_s + control.increment_s, reading.moves - 1
            if left <= 0:
                return Reading(main_s + control.main_s, moves=control.moves)
            return replace(reading, main_s=main_s, moves=left)
        case TimeKind.CANADIAN:
            if reading.main_s > 0:
                return reading
            if reading.moves <= 1:
                return Reading(0.0, control.period_s, moves=control.moves)
            return replace(reading, moves=reading.moves - 1)


def untimed(control: TimeControl, reading: Reading) -> Reading:
    """The reading once a turn is over that no clock measured: it counts as one of its session, and adds nothing."""
    return turned(replace(control, increment_s=0.0), reading)


def given(clock: Clock, seats: Collection[int], seconds: float) -> Clock:
    """The same clocks with so much more main time for ``seats``; what runs runs on."""
    more = (
        replace(reading, main_s=reading.main_s + seconds) if seat in seats else reading
        for seat, reading in enumerate(clock.readings)
    )
    return replace(clock, readings=tuple(more))


def stop(control: TimeControl, clock: Clock, now: float, lag_s: float = 0.0, *, turn_over: bool = True) -> Clock:
    """All clocks stopped, the running seat charged (its flag, if it fell, shows as nothing left)."""
    if clock.running is None:
        return clock
    old = clock.readings[clock.running]
    new = spent(control, old, elapsed(clock, now, lag_s))
    if new is None:
        new = replace(old, main_s=0.0, period_s=0.0, periods=0)
    elif turn_over:
        new = turned(control, new)
    readings = (*clock.readings[: clock.running], new, *clock.readings[clock.running + 1 :])
    return Clock(readings, None, now)


def shown(control: TimeControl, clock: Clock, now: float) -> tuple[Reading, ...]:
    """The readings of all clocks at ``now``."""
    return stop(control, clock, now, turn_over=False).readings


def flag_falls(control: TimeControl, clock: Clock, lag_s: float = 0.0) -> float | None:
    """The time at which the running seat's flag falls if it stays silent; None while no clock runs.

    A move made in time may still be on its way: the fall is found so much later as the network is given back.
    """
    if clock.running is None:
        return None
    reading = clock.readings[clock.running]
    left_s = reading.main_s
    match control.kind:
        case TimeKind.PER_MOVE | TimeKind.CANADIAN:
            left_s += reading.period_s
        case TimeKind.BYOYOMI:
            left_s += reading.period_s + max(0, reading.periods - 1) * control.period_s
    return clock.since + left_s + credit(lag_s)


def by_calendar(clock: Clock, away_s: float) -> float:
    """Seconds that a correspondence game's turn is charged for the ``away_s`` since its clock was last written, in
    which a server may have been off: the calendar goes on, but leaves the player BACK_S, or what there was before.
    """
    left_s = 0.0 if clock.running is None else clock.readings[clock.running].period_s
    return max(0.0, min(away_s, left_s - BACK_S))


def has_fallen(control: TimeControl, clock: Clock, now: float, lag_s: float = 0.0) -> bool:
    """True if the running seat has used up its time."""
    if clock.running is None:
        return False
    return spent(control, clock.readings[clock.running], elapsed(clock, now, lag_s)) is None
