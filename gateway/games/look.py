"""The look of a game: its board, pieces, marks and names of squares, declared by the game for every client that draws.

A look is data: shapes and boards have names from the lists here, colours are "#rrggbb". Clients with few colours use
the nearest ones they have; tests/laws/test_looks.py requires that a board can still be read in 256 colours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from protocols.core.squares import FILES


class Board(StrEnum):
    """The ways to draw a board."""

    CELLS = "cells"  # squares of one colour, with lines between them
    CHEQUERED = "chequered"  # light and dark squares in turn; the top left one is light
    LINES = "lines"  # lines, and pieces on their crossings
    HOLES = "holes"  # a rack with a hole for each piece


class Ranks(StrEnum):
    """The ways to number rows."""

    UP = "up"
    DOWN = "down"
    NONE = "none"


BOX: Final = 45
"""The width and height of a figure, which clients draw that draw with vectors."""

MIDDLE: Final = BOX / 2

Part: TypeAlias = tuple[str, str]
"""A path of a figure in the words of SVG, and its role (figures.py)."""


def circle(radius: float, x: float = MIDDLE, y: float = MIDDLE) -> str:
    """The path of a circle, against the clock."""
    half = f"a{radius:g} {radius:g} 0 1 0"
    return f"M{x - radius:g} {y:g}{half} {2 * radius:g} 0{half} {-2 * radius:g} 0z"


SHAPES: Final = frozenset(
    {
        *("disc", "ring", "square", "diamond", "triangle", "cross", "dot", "hatch", "crown", "open crown"),
        *("king", "queen", "rook", "bishop", "knight", "pawn"),
        *("open king", "open queen", "open rook", "open bishop", "open knight", "open pawn"),
    }
)
"""The shapes that every client can draw; an open one differs from the solid one without its colour."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One of SHAPES, its colour, a glyph of one column for the smallest boards, and up to two letters written on it.

    ``figure`` and ``paint`` are for clients that draw with vectors and outline what they draw: one of figures.py, and
    the colour itself, where the shape and the colour of the few are not meant. "" is the shape, and the colour. Nothing
    is written on a figure.
    """

    shape: str
    colour: str
    glyph: str
    letters: str = ""
    figure: str = ""
    paint: str = ""


SIDES: Final = (
    Piece("disc", "#121212", "●"),
    Piece("ring", "#ffffff", "○"),
    Piece("triangle", "#af0000", "▲"),
    Piece("diamond", "#00005f", "◆"),
)
"""The pieces of a game that declares none, by seat."""


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a board and its pieces. All defaults together are the look of a game that declares none.

    ground, dark    the squares of the board, and the dark ones where it is chequered
    line            the lines between squares, the lines with crossings, or the empty holes
    around          the table that shows where there is no square
    squares         squares with a ground of their own; "" is no part of the board
    round           squares are round fields, which lie on ``around``
    track           squares that a line joins, and the last with the first
    yards           by side, a field of colour under some squares: from the first to the last of these, and the colour.
                    The names of players stand at the corners where their yards are
    sides           what the seats are called: a piece that is not listed gets its side's look
    pieces          looks by the words of ``Game.board``
    figures         figures of its own that pieces may name, as in figures.py: paths and their roles
    marks           drawn on these squares while they are empty
    goals           by side, the squares its pieces are to reach, where counting those says more than what is left
    turned          seats that see the board the other way round
    files, ranks    letters of the columns, "" for none, and the order of the rows' numbers
    numbers         names of squares instead of files and ranks: they are written on the squares
    """

    board: Board = Board.CELLS
    ground: str = "#87af87"
    dark: str = ""
    line: str = "#5f875f"
    around: str = "#5f5f5f"
    squares: Mapping[int, str] = field(default_factory=dict)
    round: bool = False
    track: tuple[int, ...] = ()
    yards: Mapping[str, tuple[int, int, str]] = field(default_factory=dict)
    sides: tuple[str, ...] = ()
    pieces: Mapping[str, Piece] = field(default_factory=dict)
    figures: Mapping[str, tuple[Part, ...]] = field(default_factory=dict)
    marks: Mapping[int, Piece] = field(default_factory=dict)
    goals: Mapping[str, frozenset[int]] = field(default_factory=dict)
    turned: frozenset[int] = frozenset()
    files: str = FILES
    ranks: Ranks = Ranks.UP
    numbers: Mapping[int, str] = field(default_factory=dict)

    @property
    def patch(self) -> str:
        """The ground on which a piece is shown beside the board."""
        return self.dark or self.ground

    def ground_of(self, at: int, width: int) -> str:
        """The ground of a square; "" where it is no part of the board."""
        own = self.squares.get(at)
        if own is not None:
            return own
        return self.dark if self.board is Board.CHEQUERED and sum(divmod(at, width)) % 2 else self.ground

    def piece(self, words: str) -> Piece:
        """The look of a piece. One that is not listed gets its side's shape and the letters of its last word."""
        listed = self.pieces.get(words)
        if listed is not None:
            return listed
        side = next((at for at, name in enumerate(self.sides) if belongs(words, name)), 0)
        plain, kind = SIDES[side % len(SIDES)], words.split(" ")[-1]
        return Piece(plain.shape, plain.colour, plain.glyph, kind[:2].title() if kind != words else "")

    def file(self, column: int) -> str:
        """The letter of a column; "" where columns have none."""
        return self.files[column % len(self.files)] if self.files and not self.numbers else ""

    def rank(self, row: int, height: int) -> str:
        """The number of a row, counted from the top with 0; "" where rows have none."""
        if self.numbers or self.ranks is Ranks.NONE:
            return ""
        return str(height - row if self.ranks is Ranks.UP else row + 1)

    def name(self, at: int, width: int, height: int) -> str:
        """The players' name of a square; "" where it has none."""
        if self.numbers:
            return self.numbers.get(at, "")
        return f"{self.file(at % width)}{self.rank(at // width, height)}"

    def full_name(self, at: int, width: int, height: int) -> str:
        """The name of this square alone, with its row where the board shows no rows; "" where it has none."""
        named = self.name(at, width, height)
        if self.numbers or any(character.isdigit() for character in named):
            return named
        return f"{named}{height - at // width}" if named else ""


def belongs(piece: str, side: str) -> bool:
    """True if a piece is this side's by name: "white king" is white's, "attacker" the attackers'."""
    return any(word and side.startswith(word) for word in piece.split(" "))
