"""Options of a Go table, and the rules they give.

A rule set may be asked for by its name (protocols/go_words/rule_sets.py): settings have its parts. What is not said is
as in the Chinese rules under area, as in the Japanese ones under territory. Settings without a word for a part mean
what they meant when records began: positional superko, no suicide, no compensation. Other choices that are the default
are left out of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from gateway.games import options
from gateway.games.go.grid import MOST_HANDICAP, Grid, grid, most_fixed
from gateway.games.options import Choice, Number, Option
from protocols.core.errors import Refused, Why
from protocols.core.model import Settings
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

OPTIONS: Final[tuple[Option, ...]] = (
    Number(
        name="size",
        title="Board",
        text="crossings on a side",
        usual=str(USUAL),
        least=SMALLEST,
        most=LARGEST,
        shown="{0}x{0}",
    ),
    Choice(
        name="handicap",
        title="Handicap",
        text="stones that Black has on the board before White begins",
        words=(("0", "none"), *((str(count), f"{count} stones") for count in range(2, MOST_HANDICAP + 1))),
        usual="0",
    ),
    Choice(
        name="handicap_placement",
        title="Handicap stones",
        text="where they stand",
        words=(("fixed", "on the usual crossings"), ("free", "where Black puts them")),
        usual="fixed",
    ),
    Number(
        name="komi",
        title="Komi",
        text="points for White, who moves second: 7.5 under area, 6.5 under territory, 0.5 with handicap",
        step=0.0,
    ),
    Choice(
        name="ko",
        title="Ko",
        text="positional: no board comes twice, as under area; situational: none with the same side to move; "
        "simple: no stone is taken back at once, as under territory",
        words=tuple((word, word) for word in rule_sets.PARTS["ko"]),
    ),
    Choice(
        name="suicide",
        title="Suicide",
        text="filling the last free crossing of one's own stones, which are taken; as the rule set says",
        words=((rule_sets.FORBIDDEN, "forbidden"), (rule_sets.ALLOWED, "allowed")),
    ),
    Choice(
        name="compensation",
        title="Points for handicap",
        text="White's points for N handicap stones; N in Chinese rules",
        words=((rule_sets.NONE, "none"), (rule_sets.FULL, "N"), (rule_sets.LESS_ONE, "N - 1")),
        rules=(rule_sets.AREA,),
    ),
)

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
    said = options.read(OPTIONS, asked, "go")
    parts = _parts(variant, said)
    size, stones = int(said.get("size", USUAL)), int(said.get("handicap", "0"))
    komi, usual = said.get("komi", ""), usual_komi(parts.scoring, stones)
    free = said.get("handicap_placement") == "free"
    if stones and not free and stones > most_fixed(size):
        has = most_fixed(size) or "no"
        text = f"{size}x{size} has {has} fixed handicap points, not {stones}"
        raise Refused(Why.BAD_OPTION, text, option="handicap")
    found = {
        "size": str(size) if size != USUAL else "",
        "handicap": str(stones) if stones else "",
        "handicap_placement": "free" if stones and free else "",
        "komi": komi if komi != usual else "",
        **parts.options(stones),
    }
    return parts.scoring, tuple(sorted((name, value) for name, value in found.items() if value))


def board_size(own: tuple[tuple[str, str], ...]) -> int:
    """The points on a side that these options choose."""
    return int(dict(own).get("size", USUAL))


def _parts(variant: str, said: Mapping[str, str]) -> RuleSet:
    try:
        return rule_sets.rule_set(variant or rule_sets.AREA, said)
    except rule_sets.WrongPart as wrong:
        option = "variant" if wrong.part == "scoring" else wrong.part
        raise Refused(Why.BAD_OPTION, str(wrong), option=option) from None
