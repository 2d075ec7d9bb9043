"""The game that a request asks for: its rule set, clock, first position and side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from protocols.core.model import DAY_S, Settings, TimeControl, TimeKind
from protocols.core.proposals import Start
from protocols.lichess import objects
from protocols.lichess.wire import Line

LONGEST_LIMIT_S: Final = 10_800.0
LONGEST_INCREMENT_S: Final = 180.0
LONGEST_DAYS: Final = 14
"""The largest numbers of a challenge."""


def wanted(line: Line) -> Start:
    """The game of a challenge or a seek. ValueError says what cannot be had."""
    variant = objects.rule_set(line.variant)
    if variant is None:
        raise ValueError(f"there is no variant {line.variant[:20]!r} here")
    if line.color not in _SIDES:
        raise ValueError(f"color {line.color[:20]!r}: it is white, black or random")
    if line.fen and variant not in ("normal", "fischerandom"):
        raise ValueError("only standard chess and chess960 begin from a position here")
    settings = Settings(objects.GAME, variant, 8, 8, 2, _time(line), line.fen, line.rated)
    return Start(settings, _SIDES[line.color])


_SIDES: Final[Mapping[str, int | None]] = {"white": 0, "black": 1, "random": None}


def _time(line: Line) -> TimeControl | None:
    """The clock of a challenge, None without one. ValueError: there is no such clock."""
    if line.limit is None and not line.days:
        return None
    if line.limit is None:
        if not 1 <= line.days <= LONGEST_DAYS:
            raise ValueError(f"days {line.days}: a move has 1 to {LONGEST_DAYS} days")
        return TimeControl(TimeKind.PER_MOVE, period_s=line.days * DAY_S)
    if not (0 <= line.limit <= LONGEST_LIMIT_S and 0 <= line.increment <= LONGEST_INCREMENT_S):
        raise ValueError(
            f"a clock has at most {LONGEST_LIMIT_S:.0f} seconds, and {LONGEST_INCREMENT_S:.0f} more a move"
        )
    if not line.limit:
        raise ValueError("a clock of 0 seconds: this server's games begin with some")
    kind = TimeKind.FISCHER if line.increment else TimeKind.ABSOLUTE
    return TimeControl(kind, float(line.limit), float(line.increment))
