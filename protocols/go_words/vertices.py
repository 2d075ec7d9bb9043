"""Points and colours in words: "D4" to a square and back, "black" to a seat, and where fixed handicap stones stand.

Columns are letters without I, **row 1 is the bottom row**, at most 25 of each. Squares are ``y * size + x``, y = 0 the
top row. Source: the GTP version 2 draft.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from protocols.core.model import PASS, Move

LETTERS: Final = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
LARGEST: Final = len(LETTERS)
SMALLEST: Final = 5
"""Lines of a board: what Go is played on here."""

COLOURS: Final = ("black", "white")
"""By seat, as the game's pieces are called too."""

_COLOURS: Final = {"b": 0, "black": 0, "w": 1, "white": 1}
_VERTEX: Final = re.compile(rf"([{LETTERS}])([1-9][0-9]?)", re.ASCII)
_MOST_WITH_FOUR_CORNERS: Final = 4
_MOST_FIXED: Final = 9


def read_colour(text: str) -> int:
    """The seat of a colour, in any letter case; ValueError: it is none."""
    seat = _COLOURS.get(text.lower())
    if seat is None:
        raise ValueError(f"no colour: {text[:20]!r}; it is b or w")
    return seat


def read_vertex(text: str, size: int) -> int | None:
    """The square of a vertex, None for "pass", in any letter case. ValueError: it is neither, or not on this board."""
    word = text.upper()
    if word == "PASS":
        return None
    found = _VERTEX.fullmatch(word)
    x, row = (LETTERS.index(found[1]), int(found[2])) if found else (size, 0)
    if not (x < size and 1 <= row <= size):
        raise ValueError(f"no vertex {text[:20]!r} on a board of {size}x{size}")
    return (size - row) * size + x


def write_vertex(square: int | None, size: int) -> str:
    """The vertex of a square, "pass" for None. ValueError: this board has no such point."""
    if square is None:
        return "pass"
    if not (0 < size <= LARGEST and 0 <= square < size * size):
        raise ValueError(f"no point {square} on a board of {size}x{size}")
    return f"{LETTERS[square % size]}{size - square // size}"


def write_vertices(squares: Iterable[int], size: int) -> str:
    """The vertices of several squares, with blanks between them."""
    return " ".join(write_vertex(square, size) for square in squares)


def read_move(seat: int, vertex: str, size: int) -> Move:
    """The move of a seat at a vertex; ValueError as ``read_vertex``."""
    square = read_vertex(vertex, size)
    return PASS if square is None else Move(None, square, COLOURS[seat])


def fixed_handicap(stones: int, size: int) -> tuple[int, ...]:
    """The squares of fixed handicap stones, rising; ValueError where a board has no room for so many.

    Corners on the fourth line, on boards below 12 on the third; boards of even size, and of 7, have corners only.
    """
    most = 0 if size < 7 else _MOST_WITH_FOUR_CORNERS if size % 2 == 0 or size == 7 else _MOST_FIXED
    if not 2 <= stones <= most:
        raise ValueError(f"no fixed handicap of {stones} stones on a board of {size}x{size}: it takes up to {most}")
    line = 3 if size > 11 else 2
    low, middle, high = size - 1 - line, size // 2, line
    left, right = high, low
    corners = [(left, low), (right, high), (left, high), (right, low)]
    sides = [(left, middle), (right, middle), (middle, low), (middle, high)]
    points = corners[:stones] if stones < 5 else corners + sides[: (stones - 4) // 2 * 2]
    if stones >= 5 and stones % 2:
        points.append((middle, middle))
    return tuple(sorted(y * size + x for x, y in points))
