"""Shapes of pieces as rows of block characters, at any size of a square: drawn by rule, the smallest by hand.

Each character cell gets the block (quadrants, or eighths from below or from the left, either way round) that is most
like the shape there. gateway/games/look.py says which piece has which shape. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from clients import chessmen

FINE: Final = 8
"""Points each way that a cell is sampled at: eighths are the finest blocks there are."""

QUADRANTS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""By what is filled: 1 upper left, 2 upper right, 4 lower left, 8 lower right."""

LOWER: Final = "▁▂▃▄▅▆▇"
LEFT: Final = "▏▎▍▌▋▊▉"
"""By how many eighths are filled, from 1."""

Inside = Callable[[float, float], bool]
"""True if a point of the square, each way from -1 (left, top) to 1, belongs to the shape."""

Block = tuple[str, bool]
"""A character, and whether it is drawn the other way round: what it fills is then what is not the shape."""


def _disc(u: float, v: float) -> bool:
    return u * u + v * v < 0.6


def _ring(u: float, v: float) -> bool:
    return 0.24 < u * u + v * v < 0.76


def _diamond(u: float, v: float) -> bool:
    return abs(u) + abs(v) < 0.85


def _square(u: float, v: float) -> bool:
    return abs(u) < 0.5 and abs(v) < 0.75


def _triangle(u: float, v: float) -> bool:
    return -0.84 < v < 0.72 and abs(u) < (v + 0.9) / 1.62 * 0.86


def _crown(u: float, v: float) -> bool:
    teeth = abs(u) < 0.2 or abs(u) > 0.45
    return abs(u) < 0.7 and -0.78 < v < 0.74 and (v > 0 or teeth)


def _open_crown(u: float, v: float) -> bool:
    return _crown(u, v) and not (abs(u) < 0.45 and 0.2 < v < 0.55)


def _cross(u: float, v: float) -> bool:
    return abs(abs(u) - abs(v)) < 0.24 and max(abs(u), abs(v)) < 0.76


def _dot(u: float, v: float) -> bool:
    return (u / 0.26) ** 2 + (v / 0.4) ** 2 < 1


def _hatch(u: float, v: float) -> bool:
    return abs(abs(u) - abs(v)) < 0.13


SHAPES: Final[dict[str, Inside]] = {
    "disc": _disc,
    "ring": _ring,
    "diamond": _diamond,
    "square": _square,
    "triangle": _triangle,
    "crown": _crown,
    "open crown": _open_crown,
    "cross": _cross,
    "dot": _dot,
    "hatch": _hatch,
    **chessmen.OUTLINES,
}


BY_HAND: Final = {
    "ring": ("▗▀▀▖", "▝▄▄▘"),
    "diamond": ("▗▟▙▖", "▝▜▛▘"),
    "triangle": ("▗▟▙▖", "▀▀▀▀"),
    "crown": ("▙▟▙▟", "▀▀▀▀"),
    "open crown": ("▌▟▙▐", "▀▄▄▀"),
    "cross": ("▚▄▄▞", "▞▀▀▚"),
    "dot": (" ▗▖ ", " ▝▘ "),
    "hatch": ("▀▄▄▀", "▄▀▀▄"),
}
"""Squares of four columns by two rows, the size of an ordinary terminal, are too coarse for these rules."""


@cache
def rows(shape: str, width: int, height: int) -> tuple[tuple[Block, ...], ...]:
    """``height`` rows of ``width`` blocks. KeyError for a shape there is not."""
    inside = SHAPES[shape]
    if (width, height) == (4, 2) and shape in BY_HAND:
        return tuple(tuple((letter, False) for letter in row) for row in BY_HAND[shape])
    for drawn in chessmen.BY_HAND.get(shape, ()):
        if (len(drawn[0]), len(drawn)) == (2 * width, 2 * height):
            return tuple(_quartered(drawn[y], drawn[y + 1]) for y in range(0, 2 * height, 2))
    blocks = _blocks()[: len(QUADRANTS)] if shape in chessmen.OUTLINES else _blocks()
    return tuple(
        tuple(_closest(_sampled(inside, x, y, width, height), blocks) for x in range(width)) for y in range(height)
    )


def _quartered(upper: str, lower: str) -> tuple[Block, ...]:
    """One row of cells from its two rows of quarters."""
    cells = zip(upper[::2], upper[1::2], lower[::2], lower[1::2], strict=True)
    return tuple((QUADRANTS[sum((dot == "#") << bit for bit, dot in enumerate(dots))], False) for dots in cells)


def _sampled(inside: Inside, x: int, y: int, width: int, height: int) -> int:
    """The points of a cell that belong to the shape, a bit each, row by row."""
    bits = 0
    for row in range(FINE):
        for column in range(FINE):
            u = 2 * (x + (column + 0.5) / FINE) / width - 1
            v = 2 * (y + (row + 0.5) / FINE) / height - 1
            bits |= inside(u, v) << (row * FINE + column)
    return bits


def _closest(bits: int, blocks: Sequence[tuple[Block, int]]) -> Block:
    return min(blocks, key=lambda block: (bits ^ block[1]).bit_count())[0]


@cache
def _blocks() -> tuple[tuple[Block, int], ...]:
    """Every block with the points it fills; quadrants first, for fonts draw those best."""
    half, full = FINE // 2, (1 << FINE * FINE) - 1
    found: list[tuple[Block, int]] = []
    for dots, letter in enumerate(QUADRANTS):
        quadrant = _points(lambda x, y, dots=dots: dots >> ((x >= half) + 2 * (y >= half)) & 1)  # type: ignore[misc]
        found.append(((letter, False), quadrant))
    for eighths in range(1, FINE):
        lower = _points(lambda x, y, n=eighths: y >= FINE - n)  # type: ignore[misc]
        left = _points(lambda x, y, n=eighths: x < n)  # type: ignore[misc]
        for letter, points in ((LOWER[eighths - 1], lower), (LEFT[eighths - 1], left)):
            found += [((letter, False), points), ((letter, True), full ^ points)]
    return tuple(found)


def _points(filled: Callable[[int, int], object]) -> int:
    return sum(1 << (y * FINE + x) for y in range(FINE) for x in range(FINE) if filled(x, y))
