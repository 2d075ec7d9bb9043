"""Rule sets of Go: the parts that they are made of, and the names of some.

    name            scoring      ko            suicide      compensation
    chinese         area         positional    forbidden    full
    aga             area         situational   forbidden    less-one
    new_zealand     area         situational   allowed      none
    tromp_taylor    area         positional    allowed      none
    japanese        territory    simple        forbidden    none

``compensation`` are White's points for N handicap stones: N, N - 1 or none. Komi is no part of a rule set. Who says
"area" and nothing else means the Chinese rules, "territory" the Japanese ones. A part that is left unsaid beside others
is as usual; the usual compensation is that of the set with a name which the other parts make, or none.

Sources: the Japanese rules of 1989 (articles 6 and 12), those of the New Zealand Go Society and of the American Go
Association, Tromp and Taylor's logical rules, and the Chinese rules as Go servers play them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Final

AREA: Final = "area"
TERRITORY: Final = "territory"

POSITIONAL: Final = "positional"
SITUATIONAL: Final = "situational"
SIMPLE: Final = "simple"

FORBIDDEN: Final = "forbidden"
ALLOWED: Final = "allowed"

NONE: Final = "none"
FULL: Final = "full"
LESS_ONE: Final = "less-one"

SCORING: Final = (AREA, TERRITORY)
PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "ko": (POSITIONAL, SITUATIONAL, SIMPLE),
    "suicide": (FORBIDDEN, ALLOWED),
    "compensation": (NONE, FULL, LESS_ONE),
}
"""The words for each part but the scoring. The first is what settings without a word mean, in old records too."""


class WrongPart(ValueError):
    """A rule set that there is not. ``part`` is what is wrong with it: "scoring", or a name of PARTS."""

    def __init__(self, part: str, text: str) -> None:
        super().__init__(text)
        self.part = part


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One word for each part."""

    scoring: str
    ko: str
    suicide: str
    compensation: str = NONE

    def points(self, stones: int) -> int:
        """White's points for so many handicap stones."""
        return {FULL: stones, LESS_ONE: stones - 1}.get(self.compensation, 0) if stones else 0

    def options(self, stones: int) -> dict[str, str]:
        """The options of settings with so many handicap stones, beside the scoring. A word is left out that would be
        meant by its absence both in a record and by a player, and the compensation of no stones."""
        said = {"ko": self.ko, "suicide": self.suicide, "compensation": self.compensation if stones else NONE}
        usual = {"ko": _usual_ko(self.scoring), "suicide": FORBIDDEN, "compensation": NONE}
        if stones:
            usual["compensation"] = _usual_compensation(self.scoring, self.ko, self.suicide)
        return {part: word for part, word in said.items() if not word == usual[part] == PARTS[part][0]}


NAMED: Final[Mapping[str, RuleSet]] = {
    "chinese": RuleSet(AREA, POSITIONAL, FORBIDDEN, FULL),
    "aga": RuleSet(AREA, SITUATIONAL, FORBIDDEN, LESS_ONE),
    "new_zealand": RuleSet(AREA, SITUATIONAL, ALLOWED),
    "tromp_taylor": RuleSet(AREA, POSITIONAL, ALLOWED),
    "japanese": RuleSet(TERRITORY, SIMPLE, FORBIDDEN),
}
"""No two of them are alike in all but the compensation."""


def rule_set(word: str, said: Mapping[str, str]) -> RuleSet:
    """The rule set of a scoring or a name, and of what is ``said`` of the other parts; "" says nothing.

    WrongPart: there is no such rule set, or a name that is said to have other rules than its own.
    """
    name = word.strip().lower().replace("-", "_").replace(" ", "_")
    own = NAMED.get(name)
    if own is None and name not in SCORING:
        raise WrongPart("scoring", f"no rules {word[:20]!r}: they are {', '.join((*SCORING, *NAMED))}")
    words = {part: _word(part, said.get(part, "")) for part in PARTS}
    if own is not None:
        _must_agree(name, own, words)
        return own
    ko, suicide = words["ko"] or _usual_ko(name), words["suicide"] or FORBIDDEN
    made = RuleSet(name, ko, suicide, words["compensation"] or _usual_compensation(name, ko, suicide))
    if made.compensation != NONE and name != AREA:
        raise WrongPart("compensation", "handicap stones are compensated under area scoring only")
    return made


def in_settings(scoring: str, options: Mapping[str, str]) -> RuleSet:
    """The rule set of settings, which say what they say there by ``RuleSet.options``."""
    ko, suicide, compensation = (options.get(part, words[0]) for part, words in PARTS.items())
    return RuleSet(scoring, ko, suicide, compensation)


def alike(one: RuleSet, other: RuleSet, stones: int) -> bool:
    """True if these are the same rules in a game with so many handicap stones."""
    return one.scoring == other.scoring and one.options(stones) == other.options(stones)


def name_of(rules: RuleSet, stones: int) -> str:
    """The name of exactly these rules in a game with so many handicap stones; "" for rules without a name."""
    return next((name for name, named in NAMED.items() if alike(named, rules, stones)), "")


def spelled(rules: RuleSet, stones: int) -> str:
    """The name, or else the parts: "chinese", "area with simple ko, suicide forbidden, compensation none"."""
    named = name_of(rules, stones)
    return named or ", ".join(
        (f"{rules.scoring} with {rules.ko} ko", f"suicide {rules.suicide}", f"compensation {rules.compensation}")
    )


def usual_komi(scoring: str, stones: int) -> str:
    """The komi of a game where nothing is said about it."""
    return "0.5" if stones else "7.5" if scoring == AREA else "6.5"


def _word(part: str, text: str) -> str:
    """One of the words for ``part``; "" for none. WrongPart: it is no word for that."""
    known, word = PARTS[part], text.strip().lower()
    if word and word not in known:
        raise WrongPart(part, f"{part} is {' or '.join(known)}, not {text[:20]!r}")
    return word


def _must_agree(name: str, own: RuleSet, words: Mapping[str, str]) -> None:
    for part, word in words.items():
        if word and word != getattr(own, part):
            text = f"{name} has {part} {getattr(own, part)}, not {word}: say {own.scoring} for other rules"
            raise WrongPart(part, text)


def _usual_ko(scoring: str) -> str:
    return POSITIONAL if scoring == AREA else SIMPLE


def _usual_compensation(scoring: str, ko: str, suicide: str) -> str:
    made = (scoring, ko, suicide)
    return next((named.compensation for named in NAMED.values() if astuple(named)[:3] == made), NONE)
