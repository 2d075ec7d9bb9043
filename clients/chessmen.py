"""The figures of chess pieces, for shapes.py: solid ones, and open ones that have an opening in the foot.

They are modelled on those of printed diagrams. Pure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

Inside = Callable[[float, float], bool]


def _base(u: float, v: float, half: float = 0.56) -> bool:
    return abs(u) < half and 0.62 < v < 0.86


def _pawn(u: float, v: float) -> bool:
    head = u * u + (v + 0.26) ** 2 < 0.085
    body = -0.1 < v <= 0.62 and abs(u) < 0.14 + 0.28 * (v + 0.1)
    return head or body or _base(u, v, 0.46)


def _rook(u: float, v: float) -> bool:
    teeth = -0.84 < v <= -0.46 and (abs(u) < 0.13 or 0.3 < abs(u) < 0.56)
    crest = -0.46 < v <= -0.22 and abs(u) < 0.56
    body = -0.22 < v <= 0.62 and abs(u) < 0.36
    return teeth or crest or body or _base(u, v, 0.6)


_HORSE: Final = (
    (-0.05, -0.88),
    (0.12, -0.68),
    (0.42, -0.4),
    (0.56, 0.05),
    (0.54, 0.62),
    (-0.36, 0.62),
    (-0.3, 0.34),
    (0.04, 0.0),
    (-0.3, 0.02),
    (-0.5, 0.16),
    (-0.66, 0.0),
    (-0.42, -0.44),
    (-0.2, -0.62),
)
"""The knight's head, from its ear clockwise; it looks to the left."""


def _knight(u: float, v: float) -> bool:
    return _within(_HORSE, u, v) or _base(u, v)


def _bishop(u: float, v: float) -> bool:
    ball = u * u + (v + 0.8) ** 2 < 0.012
    mitre = (u / 0.36) ** 2 + ((v + 0.22) / 0.5) ** 2 < 1 and not (u > 0.0 and abs(v + 0.42 + 0.5 * (u - 0.1)) < 0.07)
    collar = 0.2 < v <= 0.36 and abs(u) < 0.3
    body = 0.36 < v <= 0.62 and abs(u) < 0.2 + 0.3 * (v - 0.36)
    return ball or mitre or collar or body or _base(u, v)


def _queen(u: float, v: float) -> bool:
    points = -0.82 < v <= -0.1 and any(abs(u - tip) < 0.17 * (v + 0.86) / 0.76 for tip in (-0.6, -0.3, 0.0, 0.3, 0.6))
    body = -0.1 < v <= 0.62 and abs(u) < 0.66 - 0.34 * (v + 0.1)
    return points or body or _base(u, v)


def _king(u: float, v: float) -> bool:
    cross = (abs(u) < 0.09 and -0.95 < v <= -0.3) or (abs(u) < 0.27 and -0.82 < v <= -0.66)
    crown = -0.42 < v <= 0.2 and (abs(abs(u) - 0.34) / 0.34) ** 2 + ((v + 0.02) / 0.4) ** 2 < 1
    body = 0.0 < v <= 0.62 and abs(u) < 0.5 - 0.2 * v
    return cross or crown or body or _base(u, v)


def _within(corners: tuple[tuple[float, float], ...], u: float, v: float) -> bool:
    """True if a point is inside a polygon: a ray to the right crosses its sides an odd number of times."""
    crossings = 0
    for (u1, v1), (u2, v2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if (v1 > v) != (v2 > v) and u < u1 + (v - v1) / (v2 - v1) * (u2 - u1):
            crossings += 1
    return crossings % 2 == 1


def _opened_by_rule(figure: Inside, half: float) -> Inside:
    return lambda u, v: figure(u, v) and not (abs(u) < half and 0.44 < v < 0.64)


_FIGURES: Final[dict[str, tuple[Inside, float]]] = {
    "king": (_king, 0.26),
    "queen": (_queen, 0.26),
    "rook": (_rook, 0.2),
    "bishop": (_bishop, 0.1),
    "knight": (_knight, 0.16),
    "pawn": (_pawn, 0.1),
}
"""By kind: its outline, and half the width of the opening in its foot."""

OUTLINES: Final[dict[str, Inside]] = {
    **{kind: figure for kind, (figure, _) in _FIGURES.items()},
    **{f"open {kind}": _opened_by_rule(figure, half) for kind, (figure, half) in _FIGURES.items()},
}
"""By shape: whether a point of its square, each way from -1 (left, top) to 1, belongs to it."""

_BY_HAND: Final = {
    "king": (
        ("...##...", ".######.", "...##...", ".######."),
        (".....##.....", "...######...", ".....##.....", ".##########.", "..########..", "..########.."),
        (
            ".......##.......",
            ".....######.....",
            ".......##.......",
            "..#####..#####..",
            "..############..",
            "...##########...",
            "....########....",
            "...##########...",
        ),
    ),
    "queen": (
        (".#.##.#.", ".######.", "..####..", ".######."),
        (".#...##...#.", ".##.####.##.", "..########..", "...######...", "...######...", "..########.."),
        (
            ".......##.......",
            "..#...####...#..",
            "..##..####..##..",
            "..###.####.###..",
            "...##########...",
            "....########....",
            "....########....",
            "...##########...",
        ),
    ),
    "rook": (
        ("........", ".##..##.", ".######.", ".######."),
        ("............", "..##.##.##..", "..########..", "...######...", "...######...", "..########.."),
        (
            "................",
            "...##..##..##...",
            "...##########...",
            "....########....",
            ".....######.....",
            ".....######.....",
            "....########....",
            "...##########...",
        ),
    ),
    "bishop": (
        ("...##...", "..##.#..", "..####..", ".######."),
        (".....##.....", "....##.#....", "...##.###...", "...######...", "....####....", "..########.."),
        (
            ".......##.......",
            "......###.......",
            ".....####.#.....",
            ".....###.##.....",
            ".....######.....",
            "......####......",
            "......####......",
            "....########....",
        ),
    ),
    "knight": (
        ("...##...", "..#####.", ".##.###.", "..#####."),
        ("....###.....", "..#######...", ".####.####..", ".##..#####..", "....######..", "..########.."),
        (
            ".......##.......",
            ".....######.....",
            "...#########....",
            "..###.#######...",
            "..####.######...",
            "...##..######...",
            ".....########...",
            "...##########...",
        ),
    ),
    "pawn": (
        ("........", "...##...", "..####..", "..####.."),
        ("............", "....####....", "....####....", ".....##.....", "....####....", "..########.."),
        (
            "................",
            "................",
            "......####......",
            ".....######.....",
            "......####......",
            ".......##.......",
            "......####......",
            "....########....",
        ),
    ),
}
"""Figures for squares of two, three and four rows, by quarters of a character cell: a rule has no taste there."""


def _opened(rows: tuple[str, ...]) -> tuple[str, ...]:
    """The same with an open foot."""
    width = len(rows[-1])
    middle, half = width // 2, width // 8
    return (*rows[:-1], rows[-1][: middle - half] + "." * 2 * half + rows[-1][middle + half :])


BY_HAND: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    **_BY_HAND,
    **{f"open {kind}": tuple(map(_opened, figures)) for kind, figures in _BY_HAND.items()},
}
"""By shape: the figures drawn by hand, the smallest first; "#" is a quarter of a cell that belongs to it."""
