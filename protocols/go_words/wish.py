"""A game of Go as its settings say it, and as the options of a listener do.

What is usual is left unsaid. Source: the post of commands for play on servers; what it leaves open is decided here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from protocols.core import time_text
from protocols.core.errors import Refused
from protocols.core.model import Settings, TimeControl, TimeKind
from protocols.core.numbers import plain_number, read_number, whole
from protocols.go_words.rule_sets import AREA, NAMED, SCORING, RuleSet, in_settings, rule_set, usual_komi
from protocols.go_words.table import GAME, SIZE
from protocols.go_words.vertices import LARGEST, SMALLEST, fixed_handicap, write_vertices

PLACEMENTS: Final = ("fixed", "free")
"""Words of the post and of the options; the usual one first."""

MOST_STONES: Final = 1000
"""Stones of a period, or periods, that a clock may have."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A game as its settings say it. ``komi`` "" is the usual one; ``stones`` are those of a free handicap."""

    size: int = SIZE
    komi: str = ""
    rules: RuleSet = NAMED["chinese"]
    time: TimeControl | None = None
    rated: bool = False
    handicap: int = 0
    placement: str = PLACEMENTS[0]
    stones: tuple[int, ...] = ()

    def options(self) -> tuple[tuple[str, str], ...]:
        """The rule set's options, sorted; what is usual is left out."""
        said = {
            "handicap": str(self.handicap) if self.handicap else "",
            "handicap_placement": self.placement if self.handicap and self.placement != PLACEMENTS[0] else "",
            "komi": self.komi,
            "size": "" if self.size == SIZE else str(self.size),
            **self.rules.options(self.handicap),
        }
        return tuple(sorted((name, value) for name, value in said.items() if value))

    def settings(self) -> Settings:
        start = f"moves {write_vertices(self.stones, self.size)}" if self.stones else ""
        size = self.size
        return Settings(GAME, self.rules.scoring, size, size, 2, self.time, start, self.rated, self.options())

    def wishes(self) -> tuple[tuple[str, str], ...]:
        """The wishes of its Join: the table that is opened if none waits."""
        variant = () if self.rules.scoring == AREA else (("variant", self.rules.scoring),)
        return (*variant, *self.options())


def wish_of(settings: Settings) -> Wish:
    """The same read back from a proposal or a table, whose sizes may be left to the options."""
    options = dict(settings.options)
    return Wish(
        settings.width or SIZE if (said := whole(options.get("size", ""), 2)) is None else said,
        options.get("komi", ""),
        in_settings(settings.variant or AREA, options),
        settings.time,
        settings.rated,
        whole(options.get("handicap", ""), 2) or 0,
        options.get("handicap_placement", PLACEMENTS[0]),
    )


def komi_of(wish: Wish) -> str:
    """Komi as it is played."""
    return wish.komi or usual_komi(wish.rules.scoring, wish.handicap)


def read_size(text: str) -> int:
    """ValueError: no board of that size is played on here."""
    if not (re.fullmatch("[0-9]{1,3}", text) and SMALLEST <= int(text) <= LARGEST):
        raise ValueError("unacceptable size")
    return int(text)


def read_komi(text: str) -> str:
    """Komi as options write it. ValueError: it is none."""
    try:
        return plain_number(read_number(text))
    except ValueError:
        raise ValueError(f"syntax error: komi is a number, not {text[:20]!r}") from None


OPTIONS: Final[Mapping[str, str]] = {
    "size": "lines of the board, 5 to 25",
    "komi": "points for White: 7.5",
    "rules": f"{', '.join((*SCORING, *NAMED))}; area means chinese, territory japanese",
    "ko": "positional, situational or simple, where rules is area or territory",
    "suicide": "forbidden or allowed, where rules is area or territory",
    "compensation": "White's points for N handicap stones, where rules is area: none, full (N) or less-one (N-1)",
    "time": 'none, or seconds: "600", "600+25/300" (Canadian), "600+5x30" (byo-yomi), "300+5"',
    "rated": "yes or no; rated games are between accounts",
}
"""The listener's options."""

ENGINES_OPTIONS: Final[Mapping[str, str]] = {**OPTIONS, "handicap": "Black's stones on fixed points: 0, or 2 to 9"}
"""The options of a listener for engines: a GUI says that itself."""

_TIMED: Final = (TimeKind.ABSOLUTE, TimeKind.FISCHER, TimeKind.CANADIAN, TimeKind.BYOYOMI)


def read_options(options: Mapping[str, str]) -> Wish:
    """The game of a listener's options. ValueError shows the value that makes no sense."""
    rated = options.get("rated", "no").lower()
    if rated not in ("yes", "no"):
        raise ValueError(f"rated {rated!r}: yes or no")
    size = read_size(options.get("size", str(SIZE)))
    return Wish(
        size,
        read_komi(options["komi"]) if "komi" in options else "",
        rule_set(options.get("rules", AREA), options),
        _read_time(options.get("time", "none")),
        rated == "yes",
        _read_handicap(options.get("handicap", "0"), size),
    )


def _read_handicap(text: str, size: int) -> int:
    if text == "0":
        return 0
    if not re.fullmatch("[0-9]{1,2}", text):
        raise ValueError(f"handicap {text!r}: {ENGINES_OPTIONS['handicap']}")
    return len(fixed_handicap(int(text), size))


def _read_time(text: str) -> TimeControl | None:
    with suppress(Refused):
        time = time_text.read(text)
        if time is None or (time.kind in _TIMED and max(time.moves, time.periods) <= MOST_STONES):
            return time
    raise ValueError(f"time {text!r}: {OPTIONS['time']}")
