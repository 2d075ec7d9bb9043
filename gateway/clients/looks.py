"""How pieces and squares of each game look: a table by game name, and a plain look for every other game.

Pieces of different sides differ in shape as well as in colour, for players who see colours differently. All colours
are given, squares included, so that a board reads the same on dark and light terminals. Not here: drawing
(board_view.py) and the outlines of shapes (shapes.py). Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from protocols.core import squares


@dataclass(frozen=True, slots=True)
class Look:
    """A piece: its shape and colour, one glyph of one column, and two letters written on it ("" where none)."""

    shape: str
    colour: str
    glyph: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Theme:
    """A game's look. ``grounds`` are the colours of all squares, in order; a square with "" is no part of the board.

    ``marks`` are squares with a meaning of their own and the shape drawn on them while they are empty. ``goals`` are,
    by piece, the squares it is to reach, where counting those says more than counting what is left. ``patch`` is the
    ground a piece is shown on outside the board. ``turned`` are the seats that see the board the other way round.
    ``lines`` is the colour of the lines of a board whose pieces stand on crossings, "" where they stand in squares;
    such a board does not show where a piece may be placed. ``files`` are the letters of the columns; ``downwards``
    says that the rows are counted from the top.
    """

    grounds: tuple[str, ...]
    pieces: Mapping[str, Look]
    marks: Mapping[int, Look] = field(default_factory=dict)
    goals: Mapping[str, frozenset[int]] = field(default_factory=dict)
    patch: str = "#e7dfcc"
    turned: frozenset[int] = frozenset()
    lines: str = ""
    files: str = squares.FILES
    downwards: bool = False

    def look(self, piece: str) -> Look:
        """The look of ``piece``; a disc with its first letters where the table does not know it."""
        return self.pieces.get(piece) or Look("disc", "#e8e8e8", piece[:1] or "?", piece.split(" ")[-1][:2].title())


SHAPES_BY_SIDE = (
    ("disc", "#16161a", "●"),
    ("ring", "#fdfaf0", "○"),
    ("triangle", "#b3261e", "▲"),
    ("diamond", "#1f5fbf", "◆"),
)
"""What the sides of a game without a look of its own look like, by seat: shape, colour, glyph."""

LUDO_COLOURS = ("yellow", "blue", "red", "green")


FILES = {"go": "ABCDEFGHJKLMNOPQRSTUVWXYZ"}
"""The letters of the columns where they are not the usual ones: Go players leave out I."""


DOWNWARDS = {"reversi"}
"""Games whose rows are counted from the top."""


def square_name(game: str, at: int, width: int, height: int) -> str:
    """What the players of ``game`` call a square: the letter of its column, and the number of its row."""
    files = FILES.get(game, squares.FILES)
    return f"{files[at % width % len(files)]}{at // width + 1 if game in DOWNWARDS else height - at // width}"


def belongs(piece: str, side: str) -> bool:
    """Whether a piece is one of this side's by name: "white king" is white's, "attacker" the attackers'."""
    return any(word and side.startswith(word) for word in piece.split(" "))


def theme(game: str, variant: str, sides: tuple[str, ...], width: int, height: int) -> Theme:
    """The look of ``game`` on a board of this size."""
    made = THEMES.get(game, _plain)
    return made(variant, sides, width, height)


def _chequered(width: int, height: int, light: str, dark: str) -> tuple[str, ...]:
    return tuple(dark if (x + y) % 2 else light for y in range(height) for x in range(width))


def _plain(variant: str, sides: tuple[str, ...], width: int, height: int) -> Theme:
    return Theme(_chequered(width, height, "#8fa58a", "#869c81"), _ByWords(sides), patch="#869c81")


class _ByWords(dict[str, Look]):
    """Looks made up from a piece's words: the side gives shape and colour, the last word the letters."""

    def __init__(self, sides: tuple[str, ...]) -> None:
        super().__init__()
        self._sides = sides

    def get(self, piece: str, default: Look | None = None) -> Look | None:  # type: ignore[override]
        words = piece.split(" ")
        side = next((at for at, name in enumerate(self._sides) if belongs(piece, name)), 0)
        shape, colour, glyph = SHAPES_BY_SIDE[side % len(SHAPES_BY_SIDE)]
        return Look(shape, colour, glyph, words[-1][:2].title() if len(words) > 1 else "")


def _checkers(variant: str, sides: tuple[str, ...], width: int, height: int) -> Theme:
    pieces = {
        "black man": Look("disc", "#1a1310", "●"),
        "white man": Look("ring", "#fff9ea", "○"),
        "black king": Look("crown", "#1a1310", "♛"),
        "white king": Look("coronet", "#fff9ea", "♕"),
    }
    return Theme(_chequered(width, height, "#ead9b5", "#9a7148"), pieces, patch="#9a7148")


CHESSMEN = {
    "king": ("♔", "♚"),
    "queen": ("♕", "♛"),
    "rook": ("♖", "♜"),
    "bishop": ("♗", "♝"),
    "knight": ("♘", "♞"),
    "pawn": ("♙", "♟"),
}
"""By kind: White's glyph and Black's."""


def _chess(variant: str, sides: tuple[str, ...], width: int, height: int) -> Theme:
    pieces = {}
    for kind, (white, black) in CHESSMEN.items():
        pieces[f"white {kind}"] = Look(f"white {kind}", "#fffdf4", white)
        pieces[f"black {kind}"] = Look(f"black {kind}", "#17120f", black)
    return Theme(_chequered(width, height, "#d8bd92", "#a57a4f"), pieces, patch="#a57a4f", turned=frozenset({1}))


def _connect_four(variant: str, sides: tuple[str, ...], width: int, height: int) -> Theme:
    rack, hole = "#2a5caa", "#16356b"
    pieces = {"red": Look("disc", "#d3222a", "●"), "yellow": Look("ring", "#ffd83d", "○")}
    return Theme(
        (rack,) * (width * height), pieces, dict.fromkeys(range(width * height), Look("dot", hole, "·")), patch=rack
    )


def _hnefatafl(variant: str, sides: tuple[str, ...], width: int, height: int) -> Theme:
    last, middle = width * height - 1, width * height // 2
    grounds = list(_chequered(width, height, "#d9c49a", "#d0ba8e"))
    corners = (0, width - 1, last - width + 1, last)
    for at in (*corners, middle):
        grounds[at] = "#a98f63"
    pieces = {
        "attacker": Look("disc", "#6d1b1b", "●"),
        "defender": Look("diamond", "#fffdf4", "◇"),
        "king": Look("crown", "#1c2f6b", "♚"),
    }
    mark = Look("hatch", "#7c6540", "×")
    return Theme(tuple(grounds), pieces, dict.fromkeys((*corners, middle), mark))


def _go(variant: str, sides: tuple[str, ...], width: int, height: int) -> Theme:
    wood, line = "#cf9f58", "#7a5526"
    pieces = {"black": Look("disc", "#17120f", "●"), "white": Look("ring", "#fffdf4", "○")}
    stars = dict.fromkeys(_stars(width, height), Look("dot", line, "╋"))
    return Theme((wood,) * (width * height), pieces, stars, patch=wood, lines=line, files=FILES["go"])


def _stars(width: int, height: int) -> list[int]:
    """The points marked on a board: near the corners, in the middle, on large ones halfway between corners, too."""
    if width != height or width < 7:
        return []
    edge, middle = 3 if width > 11 else 2, width // 2
    near = (edge, width - 1 - edge)
    lines = (*near, middle) if width % 2 and width > 13 else near
    found = {squares.square(x, y, width) for x in lines for y in lines}
    return sorted(found | ({squares.square(middle, middle, width)} if width % 2 else set()))


ARIMAA_KINDS = {"elephant": "El", "camel": "Ca", "horse": "Ho", "dog": "Do", "cat": "Ct", "rabbit": "Ra"}


def _arimaa(variant: str, sides: tuple[str, ...], width: int, height: int) -> Theme:
    grounds = list(_chequered(width, height, "#5d7265", "#566a5e"))
    traps = [squares.square(x, y, width) for x in (2, width - 3) for y in (2, height - 3)]
    for at in traps:
        grounds[at] = "#3a2a2f"
    pieces = {}
    for kind, label in ARIMAA_KINDS.items():
        pieces[f"gold {kind}"] = Look("disc", "#f2c230", label[0], label)
        pieces[f"silver {kind}"] = Look("square", "#dbe4ee", label[0].lower(), label)
    return Theme(tuple(grounds), pieces, dict.fromkeys(traps, Look("hatch", "#a4505a", "×")), patch="#566a5e")


def _ludo(variant: str, sides: tuple[str, ...], width: int, height: int) -> Theme:
    middle = width // 2
    grounds = [_ludo_ground(x, y, middle) for y in range(height) for x in range(width)]
    pieces = {
        "yellow": Look("disc", "#c98a00", "●"),
        "blue": Look("square", "#1a4fc4", "■"),
        "red": Look("triangle", "#c01f1a", "▲"),
        "green": Look("diamond", "#0f7a35", "◆"),
    }
    goals = {colour: _ludo_home(at, width) for at, colour in enumerate(LUDO_COLOURS)}
    return Theme(tuple(grounds), pieces, goals=goals)


LUDO_TINTS = (("#f7df93", "#f0cd5e"), ("#a9c4f5", "#83a8ee"), ("#f3b1ab", "#ec8f87"), ("#a6dcb4", "#7cc892"))
"""By colour: home and depot squares, the start square."""


def _ludo_ground(x: int, y: int, middle: int) -> str:
    """The cross of the ring with the homes inside, and a depot in each corner; "" elsewhere."""
    right, low = x > middle, y > middle
    quarter = (0, 1, 3, 2)[right + 2 * low]
    if abs(x - middle) >= middle - 1 and abs(y - middle) >= middle - 1:
        return LUDO_TINTS[quarter][(x + y) % 2 and 0]
    if abs(x - middle) > 1 and abs(y - middle) > 1:
        return ""
    if (x, y) == (middle, middle):
        return ""
    arm = _ludo_arm(x - middle, y - middle)
    if (x == middle or y == middle) and 0 < abs(x - middle) + abs(y - middle) < middle:
        return LUDO_TINTS[arm][0]
    starts = ((0, middle - 1), (middle + 1, 0), (2 * middle, middle + 1), (middle - 1, 2 * middle))
    if (x, y) in starts:
        return LUDO_TINTS[starts.index((x, y))][1]
    return "#f4eee0" if (x + y) % 2 else "#e7dfcc"


def _ludo_arm(x: int, y: int) -> int:
    """The colour whose home lies in this direction from the middle: left, up, right, down."""
    if abs(x) > abs(y):
        return 2 if x > 0 else 0
    return 3 if y > 0 else 1


def _ludo_home(colour: int, width: int) -> frozenset[int]:
    middle = width // 2
    across, down = ((-1, 0), (0, -1), (1, 0), (0, 1))[colour]
    steps = range(1, middle)
    return frozenset(squares.square(middle + across * n, middle + down * n, width) for n in steps)


def _reversi(variant: str, sides: tuple[str, ...], width: int, height: int) -> Theme:
    cloth = _chequered(width, height, "#3f8f5b", "#388453")
    pieces = {"black": Look("disc", "#101613", "●"), "white": Look("ring", "#fffdf4", "○")}
    return Theme(cloth, pieces, patch="#388453", downwards=True)


Maker = Callable[[str, tuple[str, ...], int, int], Theme]

THEMES: dict[str, Maker] = {
    "arimaa": _arimaa,
    "checkers": _checkers,
    "chess": _chess,
    "connect_four": _connect_four,
    "go": _go,
    "hnefatafl": _hnefatafl,
    "ludo": _ludo,
    "reversi": _reversi,
}
