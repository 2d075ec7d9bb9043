"""Time controls as people write them, and back; and in words, as what a clock shows.

none               no clock
600                ten minutes for the whole game
300+5              five minutes, five seconds added after each turn (Fischer)
40/5400            90 minutes for each 40 turns; 40/5400+30 adds 30 seconds a turn
10/move            ten seconds for each turn
3d/move            three days for each turn; 259200/move is the same
600+25/300         ten minutes, then five minutes for each 25 turns (Canadian)
600+5x30           ten minutes, then five periods of 30 seconds (byo-yomi)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from protocols.core.errors import Refused, Why
from protocols.core.model import DAY_S, TimeControl, TimeKind

LONGEST_S: Final = 30 * 24 * 3600.0
"""Seconds: no single time is longer than thirty days."""

_DAYS: Final = re.compile(r"(\d{1,2})d/move", re.ASCII)

_NUMBER = r"(\d{1,9}(?:\.\d{1,3})?)"
_COUNT = r"(\d{1,4})"
_FORMS: Final = (
    (TimeKind.CANADIAN, re.compile(rf"{_NUMBER}\+{_COUNT}/{_NUMBER}", re.ASCII), ("main_s", "moves", "period_s")),
    (TimeKind.BYOYOMI, re.compile(rf"{_NUMBER}\+{_COUNT}x{_NUMBER}", re.ASCII), ("main_s", "periods", "period_s")),
    (TimeKind.MOVES, re.compile(rf"{_COUNT}/{_NUMBER}(?:\+{_NUMBER})?", re.ASCII), ("moves", "main_s", "increment_s")),
    (TimeKind.PER_MOVE, re.compile(rf"{_NUMBER}/move", re.ASCII), ("period_s",)),
    (TimeKind.FISCHER, re.compile(rf"{_NUMBER}\+{_NUMBER}", re.ASCII), ("main_s", "increment_s")),
    (TimeKind.ABSOLUTE, re.compile(_NUMBER, re.ASCII), ("main_s",)),
)


def read(text: str) -> TimeControl | None:
    """The time control written so; None for "none". Refused (BAD_OPTION) shows what cannot be read."""
    if text.strip().lower() in ("", "none"):
        return None
    if days := _DAYS.fullmatch(text.strip()):
        return _checked(text, TimeKind.PER_MOVE, {"period_s": int(days[1]) * DAY_S})
    for kind, form, names in _FORMS:
        if found := form.fullmatch(text.strip()):
            numbers = {name: float(value) for name, value in zip(names, found.groups(), strict=True) if value}
            return _checked(text, kind, numbers)
    raise Refused(
        Why.BAD_OPTION, f"no time control: {text!r}; for example none, 600, 300+5, 40/5400, 10/move, 3d/move, 600+5x30"
    )


def _checked(text: str, kind: TimeKind, numbers: dict[str, float]) -> TimeControl:
    control = TimeControl(
        kind,
        numbers.get("main_s", 0.0),
        numbers.get("increment_s", 0.0),
        int(numbers.get("moves", 0)),
        numbers.get("period_s", 0.0),
        int(numbers.get("periods", 0)),
    )
    no_time = control.main_s + control.period_s == 0
    no_count = any(numbers.get(name) == 0 for name in ("moves", "periods", "period_s"))
    if no_time or no_count or max(control.main_s, control.increment_s, control.period_s) > LONGEST_S:
        raise Refused(Why.BAD_OPTION, f"no usable time control: {text!r}")
    return control


def spell(control: TimeControl | None) -> str:
    """The text that ``read`` understands as this control."""
    if control is None:
        return "none"
    main, step, period = f"{control.main_s:g}", f"{control.increment_s:g}", f"{control.period_s:g}"
    match control.kind:
        case TimeKind.ABSOLUTE:
            return main
        case TimeKind.FISCHER:
            return f"{main}+{step}"
        case TimeKind.MOVES:
            return f"{control.moves}/{main}" + (f"+{step}" if control.increment_s else "")
        case TimeKind.PER_MOVE if control.period_s % DAY_S == 0:
            return f"{control.period_s / DAY_S:g}d/move"
        case TimeKind.PER_MOVE:
            return f"{period}/move"
        case TimeKind.CANADIAN:
            return f"{main}+{control.moves}/{period}"
        case TimeKind.BYOYOMI:
            return f"{main}+{control.periods}x{period}"


def span(seconds: float) -> str:
    """The time that a clock shows: "4:07", "1:02:33", and from a day on "1 day 4 h". Less than its last unit is not
    shown."""
    if seconds >= DAY_S:
        days, rest_s = divmod(int(seconds), int(DAY_S))
        more = f" {rest_s // 3600} h" if rest_s >= 3600 else ""
        return f"{days} day{'s' if days > 1 else ''}{more}"
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
