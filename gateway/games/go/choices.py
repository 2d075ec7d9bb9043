"""Options of a Go table, and the rules they give.

    size                5 to 25; 19 where nothing is said
    komi                points for White, any number; 7.5 (area), 6.5 (territory), 0.5 with handicap
    handicap            2 to 9 stones
    handicap_placement  "fixed" (the usual points) or "free" (Black's first moves)
    compensation        "none", or under area "full" or "less-one": White's points for handicap stones
    ko                  "positional", "situational" (superko) or "simple"
    suicide             "forbidden" or "allowed"

A rule set may be asked for by its name (protocols/go_words/rule_sets.py): settings have its parts. What is not said is
as in the Chinese rules under area, as in the Japanese ones under territory. Settings without a word for a part mean
what they meant when records began: positional superko, no suicide, no compensation. Other choices that are the default
are left out of them.
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
from protocols.go_words import rule_sets
from protocols.go_words.rule_sets import RuleSet, usual_komi

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


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one table. ``free`` handicap stones are placed by Black; ``compensation`` are points for White."""

    size: int
    parts: RuleSet
    komi: float
    handicap: int
    free: bool
    area: bool = field(compare=False, repr=False)
    ko: str = field(compare=False, repr=False)
    suicide: bool = field(compare=False, repr=False)
    compensation: int = field(compare=False)
    grid: Grid = field(compare=False, repr=False)
    longest: int = field(compare=False, repr=False)

    def __reduce__(self) -> tuple[Callable[..., Rules], tuple[Any, ...]]:
        return _rules, (self.size, self.parts, self.komi, self.handicap, self.free)

    @property
    def name(self) -> str:
        """The name of exactly these rules; "" where they have none."""
        return rule_sets.name_of(self.parts, self.handicap)


def rules(settings: Settings) -> Rules:
    """The rules of a table with these settings, which are ``chosen``'s."""
    own = dict(settings.options)
    stones = int(own.get("handicap", 0))
    komi = float(own.get("komi", usual_komi(settings.variant, stones)))
    free = own.get("handicap_placement") == "free"
    return _rules(settings.width, rule_sets.in_settings(settings.variant, own), komi, stones, free)


@lru_cache(KEPT)
def _rules(size: int, parts: RuleSet, komi: float, stones: int, free: bool) -> Rules:
    longest = max(MOVES_AT_LEAST, MOVES_A_POINT * size * size)
    area, suicide = parts.scoring == rule_sets.AREA, parts.suicide == rule_sets.ALLOWED
    points = parts.points(stones)
    return Rules(size, parts, komi, stones, free, area, parts.ko, suicide, points, grid(size), longest)


def chosen(variant: str, asked: Mapping[str, str]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The scoring and the options as settings hold them. Refused (BAD_OPTION) names what there is not, or what does
    not fit."""
    unknown = sorted(asked.keys() - {"size", "komi", "handicap", "handicap_placement", *rule_sets.PARTS})
    if unknown:
        raise Refused(Why.BAD_OPTION, f"go has no option {unknown[0]!r}")
    parts = _parts(variant, asked)
    size, stones = _size(asked.get("size", str(USUAL))), _stones(asked.get("handicap", "0"))
    komi, usual = _komi(asked.get("komi", "")), usual_komi(parts.scoring, stones)
    free = _is_free(asked.get("handicap_placement", ""))
    if stones and not free and stones > most_fixed(size):
        has = most_fixed(size) or "no"
        raise Refused(Why.BAD_OPTION, f"{size}x{size} has {has} fixed handicap points, not {stones}")
    found = {
        "size": str(size) if size != USUAL else "",
        "handicap": str(stones) if stones else "",
        "handicap_placement": "free" if stones and free else "",
        "komi": komi if komi != usual else "",
        **parts.options(stones),
    }
    return parts.scoring, tuple(sorted((name, value) for name, value in found.items() if value))


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


def _is_free(text: str) -> bool:
    word = text.strip().lower()
    if word not in ("", "fixed", "free"):
        raise Refused(Why.BAD_OPTION, f"handicap_placement is fixed or free, not {text[:20]!r}")
    return word == "free"


def _parts(variant: str, asked: Mapping[str, str]) -> RuleSet:
    try:
        return rule_sets.rule_set(variant or rule_sets.AREA, asked)
    except ValueError as error:
        raise Refused(Why.BAD_OPTION, str(error)) from None
