"""Decimal numbers as people and programs write them: whole ones and any float of 32 bits read, one plain text written.

Source: the GTP version 2 draft, "Simple Entities", for what a float is.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

MOST: Final = 3.4028235e38
"""The largest float of 32 bits."""

LONGEST: Final = 60
"""Characters of a number: the largest and the smallest without an exponent are shorter."""

_FLOAT: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,2})?", re.ASCII)


def read_number(text: str) -> float:
    """The number written so: "6.5", "-3", "1e1". ValueError: it is none, or no float of 32 bits."""
    if len(text) > LONGEST or not _FLOAT.fullmatch(text) or abs(float(text)) > MOST:
        raise ValueError(f"no number: {text[:20]!r}")
    return float(text) + 0.0  # no negative zero


def whole(text: str, digits: int = 18) -> int | None:
    """The whole number that ``text`` is in at most so many decimal digits and nothing else; None: it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def plain_number(number: float) -> str:
    """The number to nine digits, which tell floats of 32 bits apart, without an exponent: "6.5", "1000"."""
    return format(Decimal(f"{number:.9g}"), "f")


def option_text(value: str | float) -> str:
    """An option as games read it: a number the shortest way it can be written."""
    return value if isinstance(value, str) else f"{value:.15g}"
