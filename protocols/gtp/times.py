"""Time controls and clocks in GTP's words: time_settings, kgs-time_settings, time_left, and the posts' one token.

GTP knows Canadian overtime only: a byo-yomi period is one stone of it, moves per session are it without main time, an
increment is told by time_left alone. All numbers sent are integers, rounded down: engines read no others. Source: the
GTP version 2 draft; kgsGtp's description; the post of commands for play on servers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from protocols.core.model import Reading, TimeControl, TimeKind
from protocols.go_words.wish import MOST_STONES

LONGEST_S: Final = 30 * 24 * 3600
"""Seconds: no single time is longer than thirty days."""

_STYLES: Final = {"none": 0, "absolute": 1, "canadian": 3, "byoyomi": 3}
"""The count of numbers of each style."""


def read_time_settings(words: Sequence[str]) -> TimeControl | None:
    """main_time byo_yomi_time byo_yomi_stones; None: no limit. ValueError shows what is wrong.

    No stones in some byo-yomi time means that there is no limit; no byo-yomi time, that main time is all.
    """
    main, period, stones = _numbers(words, 3)
    if period > 0 and stones == 0:
        return None
    if main + period == 0:
        raise ValueError("no time at all; time_settings 0 1 0 is no limit")
    if period == 0:
        return TimeControl(TimeKind.ABSOLUTE, main_s=float(main))
    return TimeControl(TimeKind.CANADIAN, main_s=float(main), moves=stones, period_s=float(period))


def read_styled(words: Sequence[str]) -> TimeControl | None:
    """none | absolute main | canadian main period stones | byoyomi main period periods. ValueError shows what it is."""
    style = words[0].lower() if words else ""
    if style not in _STYLES:
        raise ValueError(f"no time system {style[:20]!r}: it is {', '.join(_STYLES)}")
    numbers = _numbers(words[1:], _STYLES[style])
    if style == "none":
        return None
    if style == "absolute":
        return _some(TimeControl(TimeKind.ABSOLUTE, main_s=float(numbers[0])))
    main, period, count = numbers
    if not period or not count:
        raise ValueError(f"{style}: a period of {period} seconds for {count}")
    if style == "canadian":
        return TimeControl(TimeKind.CANADIAN, main_s=float(main), moves=count, period_s=float(period))
    return TimeControl(TimeKind.BYOYOMI, main_s=float(main), period_s=float(period), periods=count)


def read_token(word: str) -> TimeControl | None:
    """The post's form, one token: ``canadian,600,300,25``."""
    return read_styled(word.split(","))


def _some(control: TimeControl) -> TimeControl:
    if control.main_s == 0:
        raise ValueError("no time at all")
    return control


def _numbers(words: Sequence[str], count: int) -> list[int]:
    """Whole seconds and counts; a fraction is cut off."""
    if len(words) != count or not all(re.fullmatch(r"\d{1,8}(\.\d{1,6})?", word, re.ASCII) for word in words):
        raise ValueError(f"times are {count} whole numbers, not {' '.join(words)[:60]!r}")
    numbers = [int(float(word)) for word in words]
    if max(numbers[:2], default=0) > LONGEST_S or max(numbers[2:], default=0) > MOST_STONES:
        raise ValueError(f"a time longer than {LONGEST_S} seconds, or more than {MOST_STONES} stones")
    return numbers


def styled(time: TimeControl | None) -> list[str]:
    """The words of kgs-time_settings; joined by commas, the post's token."""
    if time is None:
        return ["none"]
    main, period = int(time.main_s), int(time.period_s)
    match time.kind:
        case TimeKind.ABSOLUTE | TimeKind.FISCHER:
            words: list[str | int] = ["absolute", main]
        case TimeKind.CANADIAN:
            words = ["canadian", main, period, time.moves]
        case TimeKind.BYOYOMI:
            words = ["byoyomi", main, period, time.periods]
        case TimeKind.MOVES:
            words = ["canadian", 0, main, time.moves]
        case TimeKind.PER_MOVE:
            words = ["byoyomi", 0, period, 1]
    return [str(word) for word in words]


def token(time: TimeControl | None) -> str:
    """The post's form, one token."""
    return ",".join(styled(time))


def time_settings(time: TimeControl | None) -> str:
    """The standard's three numbers."""
    if time is None:
        return "0 1 0"
    style, *numbers = styled(time)
    if style == "absolute":
        return f"{numbers[0]} 0 0"
    main, period, count = numbers
    return f"{main} {period} {1 if style == 'byoyomi' else count}"


def time_left(time: TimeControl, reading: Reading, *, periods: bool = False) -> str:
    """Seconds and stones, always both: 0 stones in main time.

    ``periods``: whether the reader was told byo-yomi with kgs-time_settings. Its stones are then the periods left, as
    KGS sends them and Pachi, Leela Zero and KataGo read them; otherwise a period is one stone.
    """
    if time.kind is TimeKind.MOVES:
        return f"{int(max(0.0, reading.main_s))} {max(1, reading.moves)}"
    if reading.main_s > 0 or time.kind in (TimeKind.ABSOLUTE, TimeKind.FISCHER):
        return f"{int(max(0.0, reading.main_s))} 0"
    stones = reading.moves if time.kind is TimeKind.CANADIAN else reading.periods if periods else 1
    return f"{int(max(0.0, reading.period_s))} {max(1, stones)}"
