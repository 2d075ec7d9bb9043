"""Options of a Go table, and the rules they give.

    size                5 to 25; 19 where nothing is said
    komi                points for White, any number; 7.5 (area), 6.5 (territory), 0.5 with handicap
    handicap            2 to 9 stones
    handicap_placement  "fixed" (the usual points) or "free" (Black's first moves)
    compensation        "none", or under area "full" or "less-one": White's points for handicap stones
    ko                  "positional", "situational" (superko) or "simple"
    suicide             "forbidden" or "allowed"

Choices that are the default are left out of the settings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from gateway.games.go.grid import MOST_HANDICAP, Grid, grid, most_fixed
from protocols.core.errors import Refused, Why
from protocols.core.model import Settings
from protocols.core.numbers import plain_number, read_number

SMALLEST: Final = 5
USUAL: Final = 19
LARGEST: Final = 25
"""Points on a side: GTP can name no more than 25 columns."""

MOVES_A_POINT: Final = 4
MOVES_AT_LEAST: Final = 400
"""A game of more moves than this for every point of the board, and than 400, is void: long games of people have one
move a point, and a thousand short cycles must end some day."""

KEPT: Final = 256
"""Rule sets kept to be shared by positions: more than are in use at once."""

POSITIONAL: Final = "positional"
SITUATIONAL: Final = "situational"
SIMPLE: Final = "simple"

_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "handicap_placement": ("fixed", "free"),
    "compensation": ("none", "full", "less-one"),
    "ko": (POSITIONAL, SITUATIONAL, SIMPLE),
    "suicide": ("forbidden", "allowed"),
}
"""Choices between words, the default first."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one table. ``free`` handicap stones are placed by Black; ``compensation`` are points for White."""

    size: int
    area: bool
    komi: float
    handicap: int
    free: bool
    compensation: int
    ko: str
    suicide: bool
    grid: Grid = field(compare=False, repr=False)
    longest: int = field(compare=False, repr=False)

    def __reduce__(self) -> tuple[Callable[..., Rules], tuple[Any, ...]]:
        chosen = (self.size, self.area, self.komi, self.handicap, self.free, self.compensation, self.ko, self.suicide)
        return _rules, chosen


def rules(settings: Settings) -> Rules:
    """The rules of a table with these settings, which are ``chosen``'s."""
    area, own = settings.variant == "area", dict(settings.options)
    stones = int(own.get("handicap", 0))
    bonus = {"full": stones, "less-one": stones - 1}.get(own.get("compensation", ""), 0)
    komi = float(own.get("komi", usual_komi(settings.variant, stones)))
    free = own.get("handicap_placement") == "free"
    ko, suicide = own.get("ko", POSITIONAL), own.get("suicide") == "allowed"
    return _rules(settings.width, area, komi, stones, free, bonus, ko, suicide)


@lru_cache(KEPT)
def _rules(size: int, area: bool, komi: float, stones: int, free: bool, bonus: int, ko: str, suicide: bool) -> Rules:
    longest = max(MOVES_AT_LEAST, MOVES_A_POINT * size * size)
    return Rules(size, area, komi, stones, free, bonus, ko, suicide, grid(size), longest)


def chosen(variant: str, asked: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The options as settings hold them. Refused (BAD_OPTION) names what there is not, or what does not fit."""
    unknown = sorted(asked.keys() - {"size", "komi", "handicap", *_WORDS})
    if unknown:
        raise Refused(Why.BAD_OPTION, f"go has no option {unknown[0]!r}")
    size, stones = _size(asked.get("size", str(USUAL))), _stones(asked.get("handicap", "0"))
    komi, usual = _komi(asked.get("komi", "")), usual_komi(variant, stones)
    found = {
        "size": str(size) if size != USUAL else "",
        "handicap": str(stones) if stones else "",
        "komi": komi if komi != usual else "",
        **{name: _word(name, asked.get(name, "")) for name in _WORDS},
    }
    if not stones:
        found["handicap_placement"] = found["compensation"] = ""
    elif found["handicap_placement"] != "free" and stones > most_fixed(size):
        has = most_fixed(size) or "no"
        raise Refused(Why.BAD_OPTION, f"{size}x{size} has {has} fixed handicap points, not {stones}")
    if found["compensation"] and variant != "area":
        raise Refused(Why.BAD_OPTION, "handicap stones are compensated under area scoring only")
    return tuple(sorted((name, value) for name, value in found.items() if value))


def usual_komi(variant: str, stones: int) -> str:
    """The komi of a game where nothing is said about it."""
    return "0.5" if stones else "7.5" if variant == "area" else "6.5"


def board_size(options: tuple[tuple[str, str], ...]) -> int:
    """The points on a side that these options choose."""
    return int(dict(options).get("size", USUAL))


def _size(text: str) -> int:
    """Also written "13x13"."""
    found = re.fullmatch(r"(\d{1,2})(?:x\1)?", text.strip().lower(), re.ASCII)
    if found is None or not SMALLEST <= int(found[1]) <= LARGEST:
        raise Refused(Why.BAD_OPTION, f"a board has {SMALLEST} to {LARGEST} points on a side, not {text[:20]!r}")
    return int(found[1])


def _stones(text: str) -> int:
    if not re.fullmatch(r"[02-9]", text.strip(), re.ASCII):
        raise Refused(Why.BAD_OPTION, f"a handicap is 0, or 2 to {MOST_HANDICAP} stones, not {text[:20]!r}")
    return int(text)


def _komi(text: str) -> str:
    """As ``usual_komi`` writes them; "" where nothing is said."""
    if not text:
        return ""
    try:
        return plain_number(read_number(text.strip()))
    except ValueError:
        raise Refused(Why.BAD_OPTION, f"komi is a number of points, not {text[:20]!r}") from None


def _word(name: str, text: str) -> str:
    """One of the words for ``name``; "" for the default."""
    known, word = _WORDS[name], text.strip().lower()
    if word and word not in known:
        raise Refused(Why.BAD_OPTION, f"{name} is {' or '.join(known)}, not {text[:20]!r}")
    return "" if word == known[0] else word
