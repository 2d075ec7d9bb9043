"""What a listener lets others ask of its engines: board sizes, handicap, time, rated games.

Not here: what its engines play each other at (offered.py), what an engine itself accepts (engine_match.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from protocols.gtp.offered import MOST_HANDICAP, Wish
from protocols.gtp.times import LONGEST_S
from protocols.gtp.vertices import LARGEST, SMALLEST

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
    """What a listener's options say. ValueError shows the value that makes no sense."""
    usual = Limits()
    handicap = _number("most_handicap", options.get("most_handicap", str(usual.most_handicap)), MOST_HANDICAP)
    time = _number("most_time", options["most_time"], LONGEST_S) if "most_time" in options else None
    sizes = _sizes(options["sizes"]) if "sizes" in options else usual.sizes
    return Limits(sizes, handicap, time)


def _number(name: str, text: str, most: int) -> int:
    if not (re.fullmatch("[0-9]{1,8}", text) and int(text) <= most):
        raise ValueError(f"{name} {text!r}: a number up to {most}")
    return int(text)


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
