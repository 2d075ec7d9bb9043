"""Go's settings in words: those of a GUI before its first move, of a listener and its limits, of the post's commands.

A board's size and its komi have commands of their own; what is usual is left unsaid.
Source: the post of commands for play on servers; the values it leaves open are decided here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from protocols.core.numbers import whole
from protocols.core.proposals import Start
from protocols.go_words.rule_sets import PARTS, SCORING, rule_set
from protocols.go_words.table import SIZE
from protocols.go_words.vertices import COLOURS, LARGEST, SMALLEST, read_colour
from protocols.go_words.wish import PLACEMENTS, Wish, wish_of
from protocols.gtp.codec import plain
from protocols.gtp.times import LONGEST_S, read_token, token

MOST_HANDICAP: Final = 9
KGS_RULES: Final = ("chinese", "aga", "new_zealand", "japanese")
"""The rule sets that kgs-rules has names for."""


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
