"""Go's settings in words: those of a GUI before its first move, of a listener and its limits, of the post's commands.

A board's size and its komi have commands of their own; what is usual is left unsaid.
Source: the post of commands for play on servers; the values it leaves open are decided here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from protocols.core import time_text
from protocols.core.errors import Refused
from protocols.core.model import Settings, TimeControl, TimeKind
from protocols.core.numbers import plain_number, read_number, whole
from protocols.core.proposals import Start
from protocols.go_words.rule_sets import AREA, NAMED, PARTS, SCORING, RuleSet, in_settings, rule_set, usual_komi
from protocols.gtp.codec import plain
from protocols.gtp.table import GAME, SIZE
from protocols.gtp.times import LONGEST_S, MOST_STONES, read_token, token
from protocols.gtp.vertices import COLOURS, LARGEST, SMALLEST, fixed_handicap, read_colour, write_vertices

PLACEMENTS: Final = ("fixed", "free")
"""Words of the post and of the options; the usual one first."""

MOST_HANDICAP: Final = 9
KGS_RULES: Final = ("chinese", "aga", "new_zealand", "japanese")
"""The rule sets that kgs-rules has names for."""


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


def in_words(start: Start) -> str:
    """A proposal in words for people."""
    settings = start.settings
    if settings is None:
        return "any"
    options = ", ".join(f"{name} {value}" for name, value in settings.options if name != "size")
    size = settings.width or SIZE
    time = f"time {token(settings.time)}" if settings.time is not None else ""
    parts = (f"{size}x{size}", settings.variant, options, time, "rated" if settings.rated else "")
    return ", ".join(part for part in parts if part)


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


@dataclass(frozen=True, slots=True)
class Particulars:
    """The post's eight words: ``colour`` is the seat the engine plays from, ``user`` its opponent.

    ``colour`` None: the other words could not be read, and only the opponent is particular.
    """

    colour: int | None
    user: str
    wish: Wish


def read_particulars(text: str, usual: Wish) -> Particulars:
    """<color> <user> <handicap> <handicap fixed?> <ko setting> <suicide> <scoring system> <time system>.

    ValueError names the word that cannot be read. Size and komi, of which the post does not speak, are the usual ones.
    """
    words = text.split()
    if len(words) != 8:
        raise ValueError(f"play_mode has 8 words, not {len(words)}")
    colour, user, handicap, fixed, ko, suicide, scoring, time = words
    if not (re.fullmatch("[0-9]{1,2}", handicap) and int(handicap) in (0, *range(2, MOST_HANDICAP + 1))):
        raise ValueError(f"no handicap: {handicap[:20]!r}")
    for word, known in ((fixed, PLACEMENTS), (ko, PARTS["ko"]), (suicide, PARTS["suicide"]), (scoring, SCORING)):
        if word.lower() not in known:
            raise ValueError(f"{word[:20]!r} is not {' or '.join(known)}")
    wish = replace(
        usual,
        handicap=int(handicap),
        placement=fixed.lower(),
        rules=rule_set(scoring, {"ko": ko, "suicide": suicide}),
        time=read_token(time),
    )
    return Particulars(read_colour(colour), plain(user), wish)


def read_user(text: str) -> str:
    """The opponent that unreadable particulars name still; "" where no colour stands before a name."""
    colour, _, rest = text.partition(" ")
    try:
        read_colour(colour)
    except ValueError:
        return ""
    return plain(rest.split()[0]) if rest.split() else ""


def differs(particulars: Particulars, start: Start) -> str:
    """In words, what of a proposal is not as the particulars say; "" if all is. Size and komi are not theirs to say."""
    if start.settings is None or particulars.colour is None:
        return ""
    wanted, other = particulars.wish, wish_of(start.settings)
    if start.side == particulars.colour:
        return f"plays {COLOURS[particulars.colour]} itself"
    if wanted.handicap != other.handicap or (wanted.handicap and wanted.placement != other.placement):
        return f"plays with {f'handicap {wanted.handicap}, {wanted.placement}' if wanted.handicap else 'no handicap'}"
    for name, mine, theirs in (
        ("scoring", wanted.rules.scoring, other.rules.scoring),
        ("ko", wanted.rules.ko, other.rules.ko),
        ("suicide", wanted.rules.suicide, other.rules.suicide),
        ("time", token(wanted.time), token(other.time)),
    ):
        if mine != theirs:
            return f"plays with {name} {mine}, not {theirs}"
    return ""


def write_particulars(particulars: Particulars) -> str:
    """The same as words of a command; a name is one word."""
    wish, user = particulars.wish, "_".join(plain(particulars.user).replace("#", "").split()) or "anybody"
    colour, handicap = COLOURS[particulars.colour or 0], str(wish.handicap)
    rules = wish.rules
    words = (colour, user, handicap, wish.placement, rules.ko, rules.suicide, rules.scoring, token(wish.time))
    return " ".join(words)


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


LIMITS: Final[Mapping[str, str]] = {
    "sizes": 'boards that others may ask for: "9-19", one size, or several joined by "/" as in "9/13/19"',
    "most_handicap": "handicap stones that others may ask for, 0 to 9",
    "most_time": "seconds of main time that others may ask for; games without a clock are too long, too",
}
"""The listener's options."""


@dataclass(frozen=True, slots=True)
class Limits:
    """``most_time_s`` None: any time, and none."""

    sizes: frozenset[int] = frozenset(range(SMALLEST, LARGEST + 1))
    most_handicap: int = MOST_HANDICAP
    most_time_s: int | None = None

    def excluded(self, wish: Wish) -> str:
        """In words, what of this game is beyond the limits; "" if nothing is."""
        if wish.size not in self.sizes:
            sizes = "/".join(map(str, sorted(self.sizes)))
            return f"plays on no board of {wish.size}x{wish.size} here, only on sizes {sizes}"
        if wish.handicap > self.most_handicap:
            return f"plays with at most {self.most_handicap} handicap stones here, not {wish.handicap}"
        if self.most_time_s is not None and wish.time is None:
            return f"plays with a clock only, of at most {self.most_time_s} seconds main time"
        if self.most_time_s is not None and wish.time is not None and wish.time.main_s > self.most_time_s:
            return f"plays with at most {self.most_time_s} seconds main time here, not {wish.time.main_s:g}"
        return ""


def read_limits(options: Mapping[str, str]) -> Limits:
    """The limits of a listener's options. ValueError shows the value that makes no sense."""
    usual = Limits()
    handicap = _up_to("most_handicap", options.get("most_handicap", str(usual.most_handicap)), MOST_HANDICAP)
    time = _up_to("most_time", options["most_time"], LONGEST_S) if "most_time" in options else None
    sizes = _sizes(options["sizes"]) if "sizes" in options else usual.sizes
    return Limits(sizes, handicap, time)


def _up_to(name: str, text: str, most: int) -> int:
    number = whole(text, 8)
    if number is None or number > most:
        raise ValueError(f"{name} {text!r}: a number up to {most}")
    return number


def _sizes(text: str) -> frozenset[int]:
    if not re.fullmatch(r"\d{1,2}(-\d{1,2})?(/\d{1,2}(-\d{1,2})?)*", text, re.ASCII):
        raise ValueError(f"sizes {text!r}: {LIMITS['sizes']}")
    found: set[int] = set()
    for part in text.split("/"):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    if not found or not SMALLEST <= min(found) <= max(found) <= LARGEST:
        raise ValueError(f"sizes {text!r}: boards have {SMALLEST} to {LARGEST} lines")
    return frozenset(found)
