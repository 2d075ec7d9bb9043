"""Times as people read them: what a clock shows, and a time control in words. Not here: how any wire writes them."""

from __future__ import annotations

from protocols.core.model import TimeControl, TimeKind


def span(seconds: float) -> str:
    """Minutes and seconds, hours before them where there are any; what is left of a second is not shown."""
    minutes, rest = divmod(max(0, int(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def control_words(control: TimeControl | None) -> str:
    """A time control: "5:00 and 2 s a move"."""
    if control is None:
        return "no clock"
    main, period = span(control.main_s), span(control.period_s)
    match control.kind:
        case TimeKind.PER_MOVE:
            return f"{period} a move"
        case TimeKind.CANADIAN:
            return f"{main}, then {control.moves} moves in {period}"
        case TimeKind.BYOYOMI:
            return f"{main}, then {control.periods} periods of {period}"
    step = f" and {control.increment_s:g} s a move" if control.increment_s else ""
    return (f"{control.moves} moves in " if control.kind is TimeKind.MOVES else "") + main + step
