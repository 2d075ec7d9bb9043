"""Square numbers: ``y * width + x`` with y = 0 the top row, and the coordinates people write.

Quirks of one wire (a wrong width, a one-based count) stay in its own file.
"""

from __future__ import annotations

FILES = "abcdefghijklmnopqrstuvwxyz"


def square(x: int, y: int, width: int) -> int:
    """The number of column ``x`` (0 is the left one), row ``y`` (0 is the top one)."""
    return y * width + x


def coordinates(number: int, width: int) -> tuple[int, int]:
    """Column and row of a square number."""
    return number % width, number // width


def name(number: int, width: int, height: int) -> str:
    """Algebraic name: file letter from the left, rank number from the bottom. "a1" is the bottom left square."""
    x, y = coordinates(number, width)
    return f"{FILES[x]}{height - y}"


def number(text: str, width: int, height: int) -> int:
    """The square with this algebraic name; ValueError when it is not one of this board."""
    x = FILES.find(text[:1].lower()) if text else -1
    rank = int(text[1:]) if text[1:].isascii() and text[1:].isdigit() else 0
    if not (0 <= x < width and 1 <= rank <= height):
        raise ValueError(f"no square {text!r} on a board of {width}x{height}")
    return (height - rank) * width + x
