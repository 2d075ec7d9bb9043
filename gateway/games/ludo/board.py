"""Ludo's board: which squares of the 11x11 are the ring, the starts, the homes and the depots.

Squares are y * 11 + x, y = 0 the top row. Source: GGZBoard's Ludo module, whose clients compute with the same squares.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gateway.games.look import Look, Piece
from protocols.core import squares

SIZE: Final = 11
COLOURS: Final = ("yellow", "blue", "red", "green")
"""Clockwise, as four seats play them."""


def _numbers(*points: tuple[int, int]) -> tuple[int, ...]:
    return tuple(squares.square(x, y, SIZE) for x, y in points)


RING: Final = _numbers(
    *((0, 4), (1, 4), (2, 4), (3, 4), (4, 4), (4, 3), (4, 2), (4, 1), (4, 0), (5, 0)),
    *((6, 0), (6, 1), (6, 2), (6, 3), (6, 4), (7, 4), (8, 4), (9, 4), (10, 4), (10, 5)),
    *((10, 6), (9, 6), (8, 6), (7, 6), (6, 6), (6, 7), (6, 8), (6, 9), (6, 10), (5, 10)),
    *((4, 10), (4, 9), (4, 8), (4, 7), (4, 6), (3, 6), (2, 6), (1, 6), (0, 6), (0, 5)),
)
"""The forty squares that all pieces walk on, clockwise from yellow's start."""

STARTS: Final[Mapping[str, int]] = {colour: RING[10 * at] for at, colour in enumerate(COLOURS)}

HOMES: Final[Mapping[str, tuple[int, ...]]] = {
    "yellow": _numbers((1, 5), (2, 5), (3, 5), (4, 5)),
    "blue": _numbers((5, 1), (5, 2), (5, 3), (5, 4)),
    "red": _numbers((9, 5), (8, 5), (7, 5), (6, 5)),
    "green": _numbers((5, 9), (5, 8), (5, 7), (5, 6)),
}
"""By colour, in the order a piece enters them."""

DEPOTS: Final[Mapping[str, tuple[int, ...]]] = {
    "yellow": _numbers((1, 1), (0, 1), (1, 0), (0, 0)),
    "blue": _numbers((9, 0), (10, 0), (9, 1), (10, 1)),
    "red": _numbers((9, 9), (9, 10), (10, 9), (10, 10)),
    "green": _numbers((0, 9), (1, 9), (0, 10), (1, 10)),
}
"""By colour, in the order captured pieces fill them."""

EXITS: Final[Mapping[str, tuple[int, ...]]] = {
    colour: tuple(sorted(depot, key=lambda at: at % SIZE == SIZE - 1)) for colour, depot in DEPOTS.items()
}
"""By colour, in the order pieces leave the depot: GGZBoard's clients count ten columns and cannot name the eleventh, so
the pieces that stand there go last."""

LANES: Final[Mapping[str, tuple[int, ...]]] = {
    colour: RING[10 * at :] + RING[: 10 * at] + HOMES[colour] for at, colour in enumerate(COLOURS)
}
"""By colour, every square a piece walks, from its start to the end of its home."""


def colours(variant: str, seats: int) -> tuple[str, ...]:
    """The colours of the seats, by seat: two seats play opposite corners, under ``ggzboard`` neighbouring ones."""
    if seats == 2 and variant == "maedn":
        return ("yellow", "red")
    return COLOURS[:seats]


_PIECES: Final = {
    "yellow": Piece("disc", "#875f00", "●", figure="peg", paint="#ffc400"),
    "blue": Piece("square", "#0000d7", "■", figure="square peg", paint="#1e5fd0"),
    "red": Piece("triangle", "#af0000", "▲", figure="triangle peg", paint="#d3222a"),
    "green": Piece("diamond", "#005f00", "◆", figure="diamond peg", paint="#1a7f37"),
}
_TINTS: Final = {
    "yellow": ("#ffff87", "#ffd75f"),
    "blue": ("#afd7ff", "#87afff"),
    "red": ("#ffafaf", "#ff8787"),
    "green": ("#afffaf", "#5fd787"),
}
"""By colour: its home and depot, and its start square."""
_YARDS: Final = {"yellow": "#f2b800", "blue": "#4d84e0", "red": "#e0575d", "green": "#4fa568"}


def look() -> Look:
    """A ring of round fields on a light board, with the homes, yards and starts in their colours."""
    squares_of = dict.fromkeys(range(SIZE * SIZE), "") | dict.fromkeys(RING, "#ffffff")
    for colour, (tint, start) in _TINTS.items():
        squares_of |= dict.fromkeys((*HOMES[colour], *DEPOTS[colour]), tint) | {STARTS[colour]: start}
    goals = {colour: frozenset(home) for colour, home in HOMES.items()}
    return Look(
        ground="#ffffff",
        line="#767676",
        around="#ffd7af",
        squares=squares_of,
        round=True,
        track=RING,
        yards={colour: (min(depot), max(depot), _YARDS[colour]) for colour, depot in DEPOTS.items()},
        sides=COLOURS,
        pieces=_PIECES,
        goals=goals,
        files="abcdefghijk",
    )
