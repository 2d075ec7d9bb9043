"""Times as people read them: what a clock shows, and a time control in words."""

from __future__ import annotations

from collections.abc import Callable

from protocols.core.model import TimeControl, TimeKind


def span(seconds: float) -> str:
    """Minutes and seconds, hours before them where there are any; what is left of a second is not shown."""
    minutes, rest = divmod(max(0, int(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def control_words(
    control: TimeControl | None,
    length: Callable[[float], str] = span,
    *,
    increment: str = " and {} s a move",
    periods: str = ", then {} periods of {}",
) -> str:
    """A time control: "5:00 and 2 s a move". ``length`` writes seconds; ``increment`` and ``periods`` follow the main
    time."""
    if control is None:
        return "no clock"
    main, period = length(control.main_s), length(control.period_s)
    match control.kind:
        case TimeKind.PER_MOVE:
            return f"{period} a move"
        case TimeKind.CANADIAN:
            return f"{main}, then {control.moves} moves in {period}"
        case TimeKind.BYOYOMI:
            return main + periods.format(control.periods, period)
    step = increment.format(f"{control.increment_s:g}") if control.increment_s else ""
    return (f"{control.moves} moves in " if control.kind is TimeKind.MOVES else "") + main + step
