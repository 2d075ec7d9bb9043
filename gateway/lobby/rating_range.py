"""Ranges of ratings that a rated offer is for: read, written, and compared with a player's rating.

Source: the seek command of FICS, whose words they are.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from protocols.core.errors import Refused, Why

FORM: Final = "1400-1600, 1400- or -1600"
"""A range as it is written."""

_RANGE: Final = re.compile(r"([0-9]{0,4})-([0-9]{0,4})")


class Ratings(NamedTuple):
    """Whole points from ``lowest`` to ``highest``, both in it; 0: there is no such bound."""

    lowest: int = 0
    highest: int = 0

    def __str__(self) -> str:
        """As it is read; "" where every rating is in it."""
        return f"{self.lowest or ''}-{self.highest or ''}" if any(self) else ""

    def has(self, rating: int) -> bool:
        """True if this rating is in it."""
        return self.lowest <= rating and (not self.highest or rating <= self.highest)


ANY: Final = Ratings()
"""Every rating, and players without one."""


def read(text: str) -> Ratings:
    """The range that is written so; "" is every rating. Refused (BAD_OPTION): it is none, or empty."""
    if not text:
        return ANY
    found = _RANGE.fullmatch(text.replace(" ", ""))
    ratings = ANY if found is None else Ratings(*(int(part or 0) for part in found.groups()))
    if ratings == ANY or (ratings.highest and ratings.lowest > ratings.highest):
        raise Refused(Why.BAD_OPTION, f"ratings {text[:40]!r}: a range is {FORM}")
    return ratings
