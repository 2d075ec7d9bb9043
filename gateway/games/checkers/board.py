"""The board of checkers as bits: which squares there are, where pieces step and hop, how rows are written.

The 32 dark squares are bits 0 to 34 of an integer, top row first, with one unused bit after every eight (8, 17, 26).
With these gaps every diagonal step is a shift by 4 or 5 and no step leaves the board at its sides, so the moves of
all pieces in one direction come out of one expression.
"""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple, TypeAlias

from protocols.core.model import Move

PIECES: Final = {"b": "black man", "B": "black king", "w": "white man", "W": "white king"}
"""By the letter in a diagram: what stands on a square."""

NUMBERS: Final = [y * 8 + x for y in range(8) for x in range(8) if (x + y) & 1]
"""Square numbers (y * 8 + x) of the dark squares, by PDN number less one."""

BITS: Final = [1 << index + index // 8 for index in range(32)]
NUMBER: Final = dict(zip(BITS, NUMBERS, strict=True))
SPOTS: Final = sum(BITS)
BLACK_HOME: Final = sum(BITS[:12])
WHITE_HOME: Final = sum(BITS[20:])
ROWS: Final = [sum(BITS[row * 4 : row * 4 + 4]) for row in range(8)]

FAR: Final = (ROWS[7], ROWS[0])
"""The rows where a man of seat 0 and of seat 1 is crowned."""

ADVANCED: Final = tuple([(ROWS[row if turn == 0 else 7 - row], 0.02 * row) for row in range(1, 7)] for turn in (0, 1))
"""By seat: rows and what standing there is worth to a man."""

CENTRE: Final = sum(BITS[index] for index in (9, 10, 13, 14, 17, 18, 21, 22))


class Hop(NamedTuple):
    """A step or one hop of a capture, as bits; ``over`` is the captured piece's square, 0 for a step.

    ``way`` is its place in WAYS. ``changes`` are those of the board, by rising square, for each piece that may arrive.
    """

    move: Move
    source: int
    target: int
    over: int
    written: str
    way: int
    changes: dict[str, list[tuple[int, str | None]]]


Sources: TypeAlias = tuple[int, ...]
"""By way, the pieces that may go that way: what is legal, without a list of moves. Empty when nothing is."""


def name(square: int) -> str:
    """The PDN number of the square with this bit."""
    return str(BITS.index(square) + 1)


def spot(written: str) -> int:
    """The place of the bit of a PDN number; ValueError when it is none."""
    if not (written.isascii() and written.isdigit() and 1 <= int(written) <= 32):
        raise ValueError(f"no square {written!r}")
    return BITS[int(written) - 1].bit_length() - 1


def bit(number: int) -> int:
    """The bit of a square number; 0 for a light square."""
    x, y = number % 8, number // 8
    return BITS[y * 4 + x // 2] if (x + y) & 1 else 0


def _hop(source: int, target: int, over: int, way: int) -> Hop:
    move = Move(NUMBER[source], NUMBER[target])
    gone: list[tuple[int, str | None]] = [(NUMBER[bit], None) for bit in (source, over) if bit]
    changes = {piece: sorted([*gone, (NUMBER[target], piece)]) for piece in PIECES.values()}
    return Hop(move, source, target, over, f"{name(source)}{'x' if over else '-'}{name(target)}", way, changes)


def _ways(shift: int, way: int) -> tuple[dict[int, Hop], dict[int, Hop]]:
    """Steps (the ``way``) and captures (four further) in one direction by source bit; a positive shift is down."""

    def moved(source: int, by: int) -> int:
        return (source << by if by > 0 else source >> -by) & SPOTS

    steps = {source: _hop(source, moved(source, shift), 0, way) for source in BITS if moved(source, shift)}
    captures = {
        source: _hop(source, moved(source, 2 * shift), moved(source, shift), way + 4)
        for source in BITS
        if moved(source, shift) and moved(source, 2 * shift)
    }
    return steps, captures


_STEPS, _OVER = zip(*(_ways(shift, way) for way, shift in enumerate((4, 5, -4, -5))), strict=True)

WAYS: Final[tuple[dict[int, Hop], ...]] = (*_STEPS, *_OVER)
"""Hops by source bit: steps by 4 and 5 down, 4 and 5 up, then captures likewise."""

HOPS: Final[dict[tuple[int | None, int | None], Hop]] = {
    (hop.move.source, hop.move.target): hop for ways in WAYS for hop in ways.values()
}
"""Every step and hop there is, by source and target square number."""


def turns(down: int, up: int, other: int, empty: int) -> Sources:
    """Pieces of those that may go ``down``, and of those that may go ``up``, that can hop over ``other`` pieces.

    Where none can, those that can step: captures are compulsory.
    """
    below_4, below_5, above_4, above_5 = empty >> 4, empty >> 5, empty << 4, empty << 5
    down_4, down_5 = down & (other & below_4) >> 4, down & (other & below_5) >> 5
    up_4, up_5 = (up & (other & above_4) << 4, up & (other & above_5) << 5) if up else (0, 0)
    if down_4 or down_5 or up_4 or up_5:
        return (0, 0, 0, 0, down_4, down_5, up_4, up_5)
    down_4, down_5, up_4, up_5 = down & below_4, down & below_5, up & above_4, up & above_5
    return (down_4, down_5, up_4, up_5, 0, 0, 0, 0) if down_4 or down_5 or up_4 or up_5 else ()


def hops(found: Sources) -> list[Hop]:
    """All of them, one after another."""
    listed = []
    for sources, ways in zip(found, WAYS, strict=False):
        while sources:
            source = sources & -sources
            listed.append(ways[source])
            sources ^= source
    return listed


def _row(men: int, other: int, kings: int, odd: bool) -> str:
    cells = []
    for place in range(4):
        letter = "b" if men >> place & 1 else "w" if other >> place & 1 else "."
        letter = letter.upper() if kings >> place & 1 else letter
        cells += [letter, "."] if odd else [".", letter]
    return "".join(cells)


_ROWS: Final = [
    {
        black | white << 36 | kings << 72: _row(black, white, kings, odd)
        for black, white, kings in product(range(16), repeat=3)
    }
    for odd in (False, True)
]
_ROW_AT: Final = [(row * 4 + row // 2, _ROWS[row & 1]) for row in range(8)]
_ROW_MASK: Final = 15 | 15 << 36 | 15 << 72


def rows(black: int, white: int, kings: int) -> list[str]:
    """The eight rows, top row first: b and w men, B and W kings, "." everything else."""
    all_three = black | white << 36 | kings << 72
    return [written[all_three >> at & _ROW_MASK] for at, written in _ROW_AT]


def read(written: list[str]) -> tuple[int, int, int]:
    """Black pieces, white pieces and kings of eight rows; ValueError for what cannot stand on a board so."""
    if [len(row) for row in written] != [8] * 8 or set("".join(written)) - set("bBwW."):
        raise ValueError("not eight rows of eight squares")
    cells = "".join(written)
    if any(cell != "." for number, cell in enumerate(cells) if not bit(number)):
        raise ValueError("a piece on a light square")
    of = {letter: sum(bit(number) for number, cell in enumerate(cells) if cell == letter) for letter in "bBwW"}
    black, white = of["b"] | of["B"], of["w"] | of["W"]
    if max(black.bit_count(), white.bit_count()) > 12 or of["b"] & FAR[0] or of["w"] & FAR[1]:
        raise ValueError("more than twelve pieces, or a man that should be crowned")
    return black, white, of["B"] | of["W"]
