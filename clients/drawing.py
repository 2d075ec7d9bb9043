"""A board as rows of coloured text: squares, pieces, coordinates and highlights, at the size there is room for.

Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Final

from clients import shapes
from gateway.games.look import Board, Look, Piece

LARGEST_CELL = 6
"""Rows of a square at most: larger ones tear the board apart."""

MARGIN = 3
"""Columns for the rank numbers left of the board; below it one row has the file letters."""

CURSOR = "#35c4f0"
SELECTED = "#b07cf5"
TARGET = "#7a35d8"
LAST = "#ff9f43"
ALARM = "#e5252a"
WON = "#00d700"
INK = "#14161a"
DOT, HOLE = "dot", "disc"
RIGHT, BELOW = "▕", "▁"
"""The lines of a cell, at its right and lower edge: in its last column and row of characters."""
CROSSINGS: Final = ("┌┬┐", "├┼┤", "└┴┘")
"""The characters at which lines meet, by row and column: at the beginning, between, at the end."""

Run = tuple[str, str, str]
"""Text, its colour, the colour behind it; "" leaves a colour to the terminal."""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is on a board at one moment; squares by number, as the wire counts them."""

    width: int
    height: int
    look: Look
    board: Mapping[int, str]
    cursor: int | None = None
    source: int | None = None
    targets: frozenset[int] = frozenset()
    movable: frozenset[int] = frozenset()
    last: frozenset[int] = frozenset()
    flipped: bool = False
    alarm: int | None = None
    dead: frozenset[int] = frozenset()
    won: frozenset[int] = frozenset()

    def cell_of(self, column: int, row: int) -> int:
        """The square drawn at this column and row of squares, counted from the top left."""
        at = row * self.width + column
        return self.width * self.height - 1 - at if self.flipped else at


@dataclass(frozen=True, slots=True)
class Layout:
    """A board's position in a window: rows of one square, and the columns and rows left free before it."""

    cell: int
    left: int
    top: int
    scene: Scene = field(compare=False)

    @property
    def cell_width(self) -> int:
        """Columns of one square: twice its rows, so that it looks square."""
        return 2 * self.cell

    def square_at(self, x: int, y: int) -> int | None:
        """The square under a point of the window; None beside the board."""
        column, row = (x - self.left - MARGIN) // self.cell_width, (y - self.top) // self.cell
        if 0 <= column < self.scene.width and 0 <= row < self.scene.height:
            return self.scene.cell_of(column, row)
        return None


def layout(scene: Scene, columns: int, rows: int) -> Layout:
    """The largest board that fits a window, in its middle; squares of one row where not even those fit."""
    cell = min((columns - MARGIN) // (2 * scene.width), (rows - 1) // scene.height, LARGEST_CELL)
    cell = max(1, cell)
    left = max(0, (columns - MARGIN - 2 * cell * scene.width) // 2)
    return Layout(cell, left, max(0, (rows - 1 - cell * scene.height) // 2), scene)


def line(drawn: Layout, y: int) -> Iterator[Run]:
    """One row of the window, from the left edge to the board's end; nothing above and below the board."""
    scene, at = drawn.scene, y - drawn.top
    row, inner = divmod(at, drawn.cell)
    if row == scene.height and inner == 0:
        yield " " * (drawn.left + MARGIN), "", ""
        for column in range(scene.width):
            yield _file(scene, column, drawn.cell_width)
    if not 0 <= row < scene.height:
        return
    yield " " * drawn.left, "", ""
    yield _rank(scene, row, inner == (drawn.cell - 1) // 2)
    for column in range(scene.width):
        if scene.look.board is Board.LINES:
            yield from _crossing(scene, (column, row), drawn.cell, inner)
        else:
            yield from _square(scene, (column, row), drawn.cell, inner)


def _rank(scene: Scene, row: int, shown: bool) -> Run:
    if not shown:
        return " " * MARGIN, "", ""
    y = scene.height - 1 - row if scene.flipped else row
    here = scene.cursor is not None and scene.cursor // scene.width == y
    return f"{scene.look.rank(y, scene.height) or '▸' * here:>2} ", *_label(here)


def _file(scene: Scene, column: int, width: int) -> Run:
    file = scene.width - 1 - column if scene.flipped else column
    here = scene.cursor is not None and scene.cursor % scene.width == file
    return f"{scene.look.file(file) or '▴' * here:^{width - 1}} ", *_label(here)


def _label(here: bool) -> tuple[str, str]:
    """The colours of a row's number or a column's letter: those of the cursor where it is."""
    return (INK, CURSOR) if here else ("", "")


def _square(scene: Scene, where: tuple[int, int], cell: int, inner: int) -> Iterator[Run]:
    """One row of cells of one square."""
    at, width = scene.cell_of(*where), 2 * cell
    ground, piece, look = shown_ground(scene, at), scene.board.get(at), scene.look
    shown = _stone(scene, at, piece) if piece else look.marks.get(at)
    if at in scene.targets and piece is None:
        shown = Piece(DOT, TARGET, "•")
    elif shown is None and look.board is Board.HOLES:
        shown = Piece(HOLE, look.line, "·")
    if shown is None:
        runs = iter([(_number(scene, at, width, inner), look.line, ground)])
    elif cell == 1:
        runs = iter([(_small(shown, piece is not None), shown.colour, ground)])
    else:
        runs = _large(shown, ground, width, cell, inner)
    yield from _lined(scene, where, runs, cell, inner) if look.board is Board.CELLS else runs


def _number(scene: Scene, at: int, width: int, inner: int) -> str:
    """The name of a square that is written on it, in its upper left corner."""
    return f"{scene.look.numbers.get(at, '') if inner == 0 else '':<{width}}"


def _lined(scene: Scene, where: tuple[int, int], runs: Iterator[Run], cell: int, inner: int) -> Iterator[Run]:
    """A row of a cell with the lines to its neighbours to the right and below, where its piece leaves room."""
    (column, row), at = where, scene.cell_of(*where)
    if not scene.look.ground_of(at, scene.width):
        yield from runs
        return
    below = BELOW if inner == cell - 1 > 0 and row < scene.height - 1 else " "
    right = RIGHT if column < scene.width - 1 else below
    ground, x = shown_ground(scene, at), 0
    for text, colour, behind in runs:
        for letter in text:
            x += 1
            blank = letter == " " and behind == ground
            edge = right if x == 2 * cell else below
            yield (edge, scene.look.line, ground) if blank else (letter, colour, behind)


def _crossing(scene: Scene, where: tuple[int, int], cell: int, inner: int) -> Iterator[Run]:
    """One row of cells around one crossing of lines."""
    (column, row), at = where, scene.cell_of(*where)
    ground, colour, piece = shown_ground(scene, at), scene.look.line, scene.board.get(at)
    look = _stone(scene, at, piece) if piece else scene.look.marks.get(at)
    if piece and look and cell > 1:
        yield from _large(look, ground, 2 * cell, cell, inner)
    elif inner != _centre(cell)[1]:
        yield _down(row, scene.height, cell, inner), colour, ground
    else:
        left, right = _across(column, scene.width, cell)
        middle = look.glyph if look else _meeting(column, row, scene.width, scene.height)
        yield left, colour, ground
        yield middle, look.colour if look else colour, ground
        yield right, colour, ground


def _stone(scene: Scene, at: int, piece: str) -> Piece:
    """The look of a piece; one that is marked as dead is crossed out in its own colour."""
    look = scene.look.piece(piece)
    return Piece("cross", look.colour, "×") if at in scene.dead else look


def _small(look: Piece, piece: bool) -> str:
    return look.letters if piece and look.letters else f"{look.glyph} "


def _large(look: Piece, ground: str, width: int, cell: int, inner: int) -> Iterator[Run]:
    blocks = shapes.rows(look.shape, width, cell)[inner]
    label = look.letters if inner == (cell - 1) // 2 else ""
    left = (width - len(label)) // 2
    yield from _blocks(blocks[:left], look.colour, ground)
    if label:
        yield label, INK if _bright(look.colour) else "#ffffff", look.colour
        yield from _blocks(blocks[left + len(label) :], look.colour, ground)
    else:
        yield from _blocks(blocks[left:], look.colour, ground)


def _blocks(blocks: Iterable[shapes.Block], colour: str, ground: str) -> Iterator[Run]:
    for turned, run in groupby(blocks, key=itemgetter(1)):
        text = "".join(letter for letter, _ in run)
        yield (text, ground, colour) if turned else (text, colour, ground)


def shown_ground(scene: Scene, at: int) -> str:
    """The colour behind a square: its own, mixed with what is to be noticed about it."""
    own = scene.look.ground_of(at, scene.width) or scene.look.around
    if at == scene.cursor:
        return CURSOR
    if at == scene.source:
        return SELECTED
    if at == scene.alarm:
        return _mixed(own, ALARM, 0.75)
    if at in scene.won:
        return _mixed(own, WON, 0.75)
    if at in scene.targets:
        return _mixed(own, TARGET, 0.45 if at in scene.board else 0.15)
    if at in scene.movable:
        return _mixed(own, SELECTED, 0.5)
    if at in scene.last:
        return _mixed(own, LAST, 0.5)
    return own


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _mixed(colour: str, other: str, share: float) -> str:
    mixed = (round(a + (b - a) * share) for a, b in zip(_channels(colour), _channels(other), strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def _bright(colour: str) -> bool:
    red, green, blue = _channels(colour)
    return red * 0.3 + green * 0.59 + blue * 0.11 > 120


def _centre(cell: int) -> tuple[int, int]:
    """The crossing in a cell of ``cell`` rows and twice as many columns: column and row in it."""
    return cell - 1, (cell - 1) // 2


def _across(column: int, columns: int, cell: int) -> tuple[str, str]:
    """The horizontal line in a cell of this column of crossings, left and right of the crossing itself."""
    at, width = _centre(cell)[0], 2 * cell
    return (" " if column == 0 else "─") * at, (" " if column == columns - 1 else "─") * (width - at - 1)


def _meeting(column: int, row: int, columns: int, rows: int) -> str:
    """The character in which two lines meet."""
    return CROSSINGS[_where(row, rows)][_where(column, columns)]


def _down(row: int, rows: int, cell: int, inner: int) -> str:
    """A row of a cell above or below its crossing: the vertical line, or nothing beyond the edge."""
    at, middle = _centre(cell)
    inside = row > 0 if inner < middle else row < rows - 1
    return f"{' ' * at}{'│' if inside else ' '}{' ' * (2 * cell - at - 1)}"


def _where(at: int, count: int) -> int:
    return 0 if at == 0 else 2 if at == count - 1 else 1
