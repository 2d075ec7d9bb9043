"""The boards of hnefatafl as bits, and what distinguishes the rule sets: facts and tables, nothing is decided here.

Square number n (y * size + x, y = 0 the top row) is bit n of an integer; a set of squares is a sum of such bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from protocols.core import squares
from protocols.core.model import Move


@dataclass(frozen=True, slots=True)
class Rules:
    """The points of one rule set; rules.py explains each.

    ``strong`` is where the king is taken from all sides only: "everywhere", or "throne" for the throne and beside it.
    """

    name: str
    layout: tuple[str, ...]
    attackers: int = 0
    """The seat that attacks; seat 0 moves first."""
    edge_escape: bool = False
    corners_closed: bool = True
    corners_hostile: bool = True
    throne_hostile: bool = True
    edge_hostile_to_king: bool = False
    strong: str = "everywhere"
    steps: bool = False
    """Every piece moves one square, and soldiers jump over the throne."""
    repetition: bool = True
    shieldwall: bool = False
    forts: bool = False
    encirclement: bool = False


COPENHAGEN: Final = (
    "...AAAAA...",
    ".....A.....",
    "...........",
    "A....D....A",
    "A...DDD...A",
    "AA.DDKDD.AA",
    "A...DDD...A",
    "A....D....A",
    "...........",
    ".....A.....",
    "...AAAAA...",
)
TABLUT: Final = (
    "...AAA...",
    "....A....",
    "....D....",
    "A...D...A",
    "AADDKDDAA",
    "A...D...A",
    "....D....",
    "....A....",
    "...AAA...",
)
BRANDUBH: Final = ("...A...", "...A...", "...D...", "AADKDAA", "...D...", "...A...", "...A...")

RULES: Final = {
    rules.name: rules
    for rules in (
        Rules("copenhagen", COPENHAGEN, shieldwall=True, forts=True, encirclement=True),
        Rules("tablut", TABLUT, edge_escape=True, corners_closed=False, corners_hostile=False, strong="throne"),
        Rules("brandubh", BRANDUBH, strong="throne"),
        Rules(
            "ggzboard",
            TABLUT,
            attackers=1,
            corners_closed=False,
            throne_hostile=False,
            edge_hostile_to_king=True,
            steps=True,
            repetition=False,
        ),
    )
}


class Path(NamedTuple):
    """A move over an empty board: the squares it leaves and reaches, those ``between``, and how it is written."""

    move: Move
    source: int
    target: int
    between: int
    written: str


Ray: TypeAlias = tuple[tuple[int, Path | None], ...]
"""Squares in one direction, nearest first, each with the move that ends there (None: only passed over)."""

Paths: TypeAlias = dict[tuple[int | None, int | None], Path]


class Board:
    """The tables of one rule set, by bits of squares. Never changes once made."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.size = size = len(rules.layout)
        self.all = (1 << size * size) - 1
        self.left = sum(1 << y * size for y in range(size))
        self.right = self.left << size - 1
        self.corners = 1 | 1 << size - 1 | 1 << size * (size - 1) | 1 << size * size - 1
        self.edges = self.left | self.right | (1 << size) - 1 | ((1 << size) - 1) << size * (size - 1)
        self.throne = 1 << size * size // 2
        self.goals = self.edges if rules.edge_escape else self.corners
        self.closed = self.throne | (self.corners if rules.corners_closed else 0)
        self.hostile = (self.corners if rules.corners_hostile else 0) | (self.throne if rules.throne_hostile else 0)
        self.king_walls = self.throne | (self.corners if rules.corners_hostile else 0)
        self.strong = self.all if rules.strong == "everywhere" else self.grown(self.throne)
        bits = [1 << number for number in range(size * size)]
        self.neighbours = {bit: self.grown(bit) ^ bit for bit in bits}
        self.sandwiches = {bit: tuple(self._sandwiches(bit)) for bit in bits}
        self.axes = {bit: tuple(self._axes(bit)) for bit in bits}
        self.edge_runs = {bit: tuple(self._edge_runs(bit)) for bit in bits if bit & self.edges & ~self.corners}
        self.goal_lines = [tuple(self.line(bit, dx, dy)) for bit in bits if bit & self.goals for dx, dy in DIRECTIONS]
        self.soldier_rays = {bit: tuple(self._rays(bit, self.closed)) for bit in bits}
        self.king_rays = {bit: tuple(self._rays(bit, 0)) for bit in bits}
        self.soldier_paths = _paths(self.soldier_rays)
        self.king_paths = _paths(self.king_rays)

    def grown(self, area: int) -> int:
        """``area`` and every square beside it."""
        sideways = (area & ~self.right) << 1 | (area & ~self.left) >> 1
        return (area | sideways | area << self.size | area >> self.size) & self.all

    def path(self, king: int, move: Move) -> Path | None:
        """The path of ``move``, the king's when it starts where he stands; None when no such piece moves so."""
        from_king = king and move.source == king.bit_length() - 1
        return (self.king_paths if from_king else self.soldier_paths).get((move.source, move.target))

    def name(self, bit: int) -> str:
        """The algebraic name of a square."""
        return self.named(bit.bit_length() - 1)

    def named(self, number: int) -> str:
        """The algebraic name of the square with this number."""
        return squares.name(number, self.size, self.size)

    def bit(self, name: str) -> int:
        """The square with this algebraic name; ValueError when there is none."""
        return 1 << squares.number(name, self.size, self.size)

    def line(self, bit: int, dx: int, dy: int) -> Iterator[int]:
        """The squares from ``bit`` (not included) to the edge in one direction."""
        x, y = squares.coordinates(bit.bit_length() - 1, self.size)
        x, y = x + dx, y + dy
        while 0 <= x < self.size and 0 <= y < self.size:
            yield 1 << y * self.size + x
            x, y = x + dx, y + dy

    def _rays(self, bit: int, closed: int) -> Iterator[Ray]:
        """The moves from a square over an empty board. A piece that steps jumps over a ``closed`` square beside it."""
        for dx, dy in DIRECTIONS:
            line = list(self.line(bit, dx, dy))
            if self.rules.steps:
                line = line[1:2] if line and line[0] & closed else line[:1]
            ray: list[tuple[int, Path | None]] = []
            between = 0
            for target in line:
                ray.append((target, None if target & closed else self._path(bit, target, between)))
                between |= target
            if any(path for _, path in ray):
                yield tuple(ray)

    def _path(self, source: int, target: int, between: int) -> Path:
        move = Move(source.bit_length() - 1, target.bit_length() - 1)
        return Path(move, source, target, between, f"{self.name(source)}-{self.name(target)}")

    def _sandwiches(self, bit: int) -> Iterator[tuple[int, int]]:
        """A neighbour and the square behind it, in each direction where both are on the board."""
        for dx, dy in DIRECTIONS:
            line = list(self.line(bit, dx, dy))[:2]
            if len(line) == 2:
                yield line[0], line[1]

    def _axes(self, bit: int) -> Iterator[int]:
        """The two opposite neighbours of a square as one set, where both are on the board."""
        for dx, dy in ((1, 0), (0, 1)):
            pair = [*list(self.line(bit, dx, dy))[:1], *list(self.line(bit, -dx, -dy))[:1]]
            if len(pair) == 2:
                yield pair[0] | pair[1]

    def _edge_runs(self, bit: int) -> Iterator[tuple[tuple[int, int], ...]]:
        """Along the edge from an edge square to each corner: squares, each with the one in front of it (inwards)."""
        for dx, dy in DIRECTIONS:
            run = tuple(self.line(bit, dx, dy))
            if run and run[-1] & self.corners and all(square & self.edges for square in run):
                yield tuple((square, self.neighbours[square] & ~self.edges) for square in run)


DIRECTIONS: Final = ((0, -1), (-1, 0), (1, 0), (0, 1))


def _paths(rays: dict[int, tuple[Ray, ...]]) -> Paths:
    paths = (path for of_square in rays.values() for ray in of_square for _, path in ray)
    return {(path.move.source, path.move.target): path for path in paths if path is not None}


@cache
def board(variant: str) -> Board:
    """The tables of a rule set; made at its first use, for they are large."""
    return Board(RULES[variant])
