"""A square board as bits of an integer, and what loses its last liberty on it.

A row has one bit more than points, always 0, so that a shift never leads from one row into the next; the top left point
is the highest bit, so that binary digits read like the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from typing import Final

from protocols.core.model import Move

COLOURS: Final = ("black", "white")
"""The pieces, by seat."""

LETTERS: Final = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""The columns: I is left out, as Go players do."""


MOST_HANDICAP: Final = 9
"""Handicap stones, fixed or free."""

_POINTS: Final = ["SW", "NE", "NW", "SE", "W", "E", "S", "N", "C"]
_HANDICAPS: Final = {
    count: _POINTS[: count - count % 2] + (["C"] if count % 2 else []) for count in range(4, MOST_HANDICAP + 1)
} | {2: ["SW", "NE"], 3: ["SW", "NE", "NW"]}
"""By the number of fixed stones. An odd one has its last in the middle, except three.

Source: the Go Text Protocol, version 2 draft, section 4.1.1, and GNU Go where it says nothing (boards of 10 to 12).
"""


def most_fixed(size: int) -> int:
    """The number of fixed handicap points: four corners from 7x7, nine points on odd boards from 9x9."""
    if size < 7:
        return 0
    return MOST_HANDICAP if size >= 9 and size % 2 else 4


def fixed_handicap(size: int, count: int) -> list[int]:
    """The points of ``count`` handicap stones, at most ``most_fixed``, rising; none for none."""
    edge = 3 if size > 11 else 2
    columns = {"W": edge, "E": size - 1 - edge}
    rows = {"N": edge, "S": size - 1 - edge}
    middle = size // 2
    return sorted(
        next((rows[c] for c in name if c in rows), middle) * size
        + next((columns[c] for c in name if c in columns), middle)
        for name in _HANDICAPS.get(count, [])
    )


def stars(size: int) -> list[int]:
    """The points that a board has marked: near the corners, in the middle, on large ones halfway between corners."""
    if size < 7:
        return []
    edge, middle = 3 if size > 11 else 2, size // 2
    near = (edge, size - 1 - edge)
    lines = (*near, middle) if size % 2 and size > 13 else near
    found = {y * size + x for x in lines for y in lines}
    return sorted(found | ({middle * size + middle} if size % 2 else set()))


class Grid:
    """The board of one size; made once by ``grid``, never changed.

    ``bits`` and ``near`` are by point (y * size + x): its bit, and those of its neighbours. ``around`` are a point's
    neighbours, each as its bit and what is near it. ``keys`` are by seat and point: random numbers of 64 bits, the
    same in every process (Zobrist 1970); ``side`` is another one. ``placed`` are the moves, by seat and point.
    """

    def __init__(self, size: int) -> None:
        self.size, self.width, self.points = size, size + 1, size * size
        top = size * self.width - 1
        self.bits = tuple(1 << (top - y * self.width - x) for y in range(size) for x in range(size))
        self.full = sum(self.bits)
        self.near = tuple(self.spread(bit) & self.full for bit in self.bits)
        self.around = tuple(
            tuple((bit, self.near[point]) for point, bit in enumerate(self.bits) if bit & near) for near in self.near
        )
        self.names = tuple(f"{LETTERS[x]}{size - y}" for y in range(size) for x in range(size))
        self.keys = tuple(tuple(_number(f"{size} {seat} {point}") for point in range(self.points)) for seat in (0, 1))
        self.side = _number(f"{size} side")
        self.placed = tuple(tuple(Move(None, point, piece) for point in range(self.points)) for piece in COLOURS)
        self._at = {bit: point for point, bit in enumerate(self.bits)}

    def spread(self, stones: int) -> int:
        """Everything next to these bits, and perhaps some bits between the rows."""
        width = self.width
        return stones << 1 | stones >> 1 | stones << width | stones >> width

    def points_of(self, stones: int) -> list[int]:
        """The points of these bits, rising."""
        found = []
        while stones:
            bit = 1 << (stones.bit_length() - 1)
            found.append(self._at[bit])
            stones ^= bit
        return found

    def string(self, seed: int, own: int) -> int:
        """Everything in ``own`` that is connected with ``seed``, which is part of it."""
        while True:
            grown = self.spread(seed) & own | seed
            if grown == seed:
                return seed
            seed = grown

    def strings(self, own: int) -> Iterator[int]:
        """The strings of ``own``, the one with the first point first."""
        while own:
            found = self.string(1 << (own.bit_length() - 1), own)
            yield found
            own ^= found

    def smothered(self, seed: int, own: int, empty: int) -> int:
        """The string of ``seed`` in ``own`` when it has no liberty in ``empty``; 0 as soon as one is found."""
        width = self.width
        while True:
            reach = seed << 1 | seed >> 1 | seed << width | seed >> width
            if reach & empty:
                return 0
            grown = reach & own | seed
            if grown == seed:
                return seed
            seed = grown

    def captured(self, point: int, theirs: int, empty: int) -> int:
        """The stones of ``theirs`` that a stone on ``point`` captures; ``empty`` is what is empty after it stands."""
        taken = 0
        for bit, near in self.around[point]:
            if theirs & bit and not near & empty and not taken & bit:
                taken |= self.smothered(bit, theirs, empty)
        return taken


@cache
def grid(size: int) -> Grid:
    """The board of this size, of which there are twenty-one."""
    return Grid(size)


def _number(of: str) -> int:
    return int.from_bytes(blake2b(of.encode(), digest_size=8).digest())
