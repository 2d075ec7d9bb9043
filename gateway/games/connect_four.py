"""Connect Four: discs fall down seven columns of six squares, and four of a side in a line win.

Variants that take discs out again, or play on other boards, are not supported. Seat 0 plays red and moves first; a full
board without a line is a draw.

A move is the letter of its column, "a" on the left. A number of the column from 1, and a square ("d3", rows counted
from the bottom) are understood, too, whichever square of an open column it is. ``Move`` names the square in which
the disc lands; ``normal`` finds it for any other square of the column, and the piece may be left unsaid.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from gateway.games.base import Game, Turn, Variant
from gateway.games.guide import End, Guide
from gateway.games.look import Board, Look, Piece, Ranks
from protocols.core.errors import IllegalMove, Refused, Why, naming
from protocols.core.model import Move, Outcome, Reason, Settings

WIDTH: Final = 7
HEIGHT: Final = 6
SQUARES: Final = WIDTH * HEIGHT
COLUMNS: Final = "abcdefg"

TALL: Final = HEIGHT + 1
"""A set of squares is an integer: bit ``x * TALL + h`` is the square in column x, h above the lowest. The bit above
each column is never set, so that no line runs on from one column into the next."""

BITS: Final = tuple(1 << (at % WIDTH) * TALL + HEIGHT - 1 - at // WIDTH for at in range(SQUARES))
"""By square number, counted from the top left as everywhere, the square's bit."""

BOARD: Final = sum(BITS)
FLOOR: Final = sum(BITS[-WIDTH:])
COLUMN: Final = (1 << HEIGHT) - 1
ODD_ROWS: Final = sum(bit for at, bit in enumerate(BITS) if (HEIGHT - at // WIDTH) % 2)
"""The first, third and fifth row from the bottom."""

STEPS: Final = (1, TALL, TALL + 1, TALL - 1)
"""The distance to the next bit of a line: up, to the right, rising, falling."""

SIDES: Final = ("red", "yellow")
MOVES: Final = tuple({bit: Move(None, at, side) for at, bit in enumerate(BITS)} for side in SIDES)
"""By seat, every placement by its square's bit."""

FROM_THE_MIDDLE: Final = tuple(COLUMN << x * TALL for x in (3, 2, 4, 1, 5, 0, 6))
"""Columns, the most promising first."""

HOPE: Final = 1.0
THREAT: Final = 3.0
LASTING_THREAT: Final = 18.0
"""Values for house bots: a line of four that is still possible, an empty square that would complete one, and one
in the rows that its side gets when the columns fill up: odd ones for red, who moves first, even ones for yellow."""


class Position(msgspec.Struct, frozen=True):
    """The discs of each seat; whose turn it is follows from their number."""

    red: int = 0
    yellow: int = 0

    @property
    def turn(self) -> int:
        """The seat that would be to move, whether or not the game is over."""
        return (self.red | self.yellow).bit_count() & 1

    @property
    def discs(self) -> tuple[int, int]:
        """The discs of the seat to move, and of the other."""
        return (self.yellow, self.red) if self.turn else (self.red, self.yellow)


class ConnectFour(Game[Position]):
    name = "connect_four"
    title = "Connect Four"
    variants = (Variant("standard", WIDTH, HEIGHT, "Discs fall down the columns, four in a line win."),)
    sides = SIDES
    guide = Guide(
        goal="Be the first with four discs in a line: along a row, a column or a diagonal.",
        play=("Red begins. In turn the players drop a disc into a column; it falls to the lowest empty place.",),
        end=("Four in a line win. A full board without a line is a draw.",),
        moves=(
            'A move is a placement: no square to come from, the square where the disc lands, and the piece: "red" for '
            'seat 0, "yellow" for seat 1. The piece may be left out, and any square of the column may be named: the '
            "disc lands on the lowest empty one, and all are told that square.",
        ),
        notation=(
            'The letter of the column: "d" is the middle one. The number of the column from 1 and the name of a square '
            "of it are understood, too.",
        ),
        ends=(
            End("four in a line", "A seat has four discs in a line, and has won."),
            End("board full", "All columns are full and no line is there: a draw."),
        ),
    )

    def look(self, settings: Settings) -> Look:
        pieces = {
            "red": Piece("disc", "#af0000", "●", figure="star counter", paint="#d3222a"),
            "yellow": Piece("ring", "#ffff00", "○", figure="ring counter", paint="#ffc400"),
        }
        return Look(Board.HOLES, "#5fafd7", line="#005f87", sides=SIDES, pieces=pieces, files=COLUMNS, ranks=Ranks.NONE)

    def start(self, settings: Settings) -> Position:
        text = settings.start[: 2 * SQUARES]
        cells = text.partition(" ")[0].replace("/", "") or "." * SQUARES
        if len(cells) != SQUARES or set(cells) - set("ry."):
            raise Refused(Why.BAD_OPTION, f"no position of connect four: {text!r}")
        position = Position(*(sum(BITS[at] for at, cell in enumerate(cells) if cell == side[0]) for side in SIDES))
        if not _possible(position):
            raise Refused(Why.BAD_OPTION, f"no game of connect four comes to {text!r}")
        return self.as_written(position, settings.start) if settings.start else position

    def to_move(self, position: Position) -> Turn:
        return position.turn if _legal(position) else None

    def play(self, position: Position, move: Move) -> Position:
        turn, target = position.turn, move.target
        bit = BITS[target] if target is not None and 0 <= target < SQUARES else 0
        if not _legal(position) & bit or move.source is not None or move.piece != SIDES[turn]:
            raise _refusal(position, move)
        return Position(position.red, position.yellow | bit) if turn else Position(position.red | bit, position.yellow)

    def normal(self, position: Position, move: Move) -> Move:
        side = SIDES[position.turn]
        if move.source is not None or move.target is None or move.piece not in ("", side):
            return move
        if not 0 <= move.target < SQUARES:
            return move
        landing = _landing(position, move.target % WIDTH)
        return MOVES[position.turn][landing] if landing else Move(None, move.target, side)

    def decisive(self, position: Position) -> tuple[int, ...]:
        four = _in_four(position.discs[1])
        return tuple(at for at, bit in enumerate(BITS) if four & bit)

    def outcome(self, position: Position) -> Outcome | None:
        turn = position.turn
        if _has_four(position.discs[1]):
            return Outcome(1 - turn, Reason.RULES, "four in a line")
        return None if _legal(position) else Outcome(None, Reason.RULES, "board full")

    def legal_moves(self, position: Position) -> list[Move]:
        """From the left column to the right one."""
        legal, moves = _legal(position), MOVES[position.turn]
        return [moves[legal & COLUMN << x * TALL] for x in range(WIDTH) if legal & COLUMN << x * TALL]

    def worth_trying(self, position: Position) -> list[Move]:
        """A move that wins; else what stops the other side from winning at once; else what does not help it to.

        The middle columns first, for they have the most lines: a search then sees sooner which moves are not good.
        """
        own, other = position.discs
        legal, moves = _legal(position), MOVES[position.turn]
        tempting = _completing(other, own)
        good = legal & _completing(own, other) or legal & tempting or legal & ~(tempting >> 1) or legal
        return [moves[good & column] for column in FROM_THE_MIDDLE if good & column]

    def board(self, position: Position) -> dict[int, str]:
        cells = self.diagram(position).replace("\n", "")
        return {at: SIDES[cell == "y"] for at, cell in enumerate(cells) if cell != "."}

    def text(self, position: Position) -> str:
        return f"{self.diagram(position).replace(chr(10), '/')} {position.turn}"

    def diagram(self, position: Position) -> str:
        """One letter a disc: "r" and "y"."""
        cells = "".join("r" if position.red & bit else "y" if position.yellow & bit else "." for bit in BITS)
        return "\n".join(cells[at : at + WIDTH] for at in range(0, SQUARES, WIDTH))

    def notation(self, position: Position, move: Move) -> str:
        return COLUMNS[(move.target or 0) % WIDTH]

    def parse(self, position: Position, text: str) -> Move:
        word = text.strip().lower()
        if not re.fullmatch("[a-g][1-6]?|[1-7]", word):
            raise IllegalMove(f"a move is written as its column, a to g, not {text!r}", Why.SYNTAX)
        column = COLUMNS.find(word[0]) if word[0] in COLUMNS else int(word) - 1
        move = self.normal(position, Move(None, column))
        self.play(position, move)
        return move

    def changes(self, position: Position, move: Move) -> list[tuple[int, str | None]]:
        return [(move.target or 0, move.piece)]

    def evaluate(self, position: Position, seat: int) -> float:
        red, yellow = position.red, position.yellow
        lead = _worth(red, yellow, ODD_ROWS) - _worth(yellow, red, ~ODD_ROWS)
        return -lead if seat else lead


def _legal(position: Position) -> int:
    """The lowest empty square of each open column; 0 when the game is over."""
    own, other = position.discs
    return 0 if _has_four(other) else ((own | other) + FLOOR) & BOARD


def _landing(position: Position, column: int) -> int:
    """The square where a disc lands in this column; 0 when it is full."""
    return ((position.red | position.yellow) + FLOOR) & COLUMN << column * TALL


def _has_four(discs: int) -> bool:
    """True if these discs have four in a line."""
    for step in STEPS:
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def _in_four(discs: int) -> int:
    """The discs that stand in a line of four or more."""
    found = 0
    for step in STEPS:
        pairs = discs & discs >> step
        first = pairs & pairs >> 2 * step
        found |= first | first << step | first << 2 * step | first << 3 * step
    return found


def _completing(own: int, other: int) -> int:
    """Empty squares, whether or not a disc can land there yet, in which one would make four in a line."""
    found = 0
    for step in STEPS:
        before, after = own << step, own >> step
        two_before, two_after = before & own << 2 * step, after & own >> 2 * step
        found |= two_before & (own << 3 * step | after) | two_after & (own >> 3 * step | before)
    return found & BOARD & ~(own | other)


def _worth(own: int, other: int, rows: int) -> float:
    """One side's half of the balance; a threat in ``rows`` is one that lasts."""
    free, hopes = BOARD & ~other, 0
    for step in STEPS:
        pairs = free & free >> step
        hopes += (pairs & pairs >> 2 * step).bit_count()
    threats = _completing(own, other)
    lasting = threats & rows
    return HOPE * hopes + THREAT * (threats ^ lasting).bit_count() + LASTING_THREAT * lasting.bit_count()


def _possible(position: Position) -> bool:
    """True if nothing hangs in the air, the sides have taken turns, and no disc came after four in a line."""
    own, other = position.discs
    fallen = not (own | other) & ~FLOOR & ~((own | other) << 1)
    return fallen and other.bit_count() - own.bit_count() == position.turn and not _has_four(own)


def _refusal(position: Position, move: Move) -> IllegalMove:
    """Why ``move``, which is not legal, is not."""
    if not _legal(position):
        return IllegalMove("the game is over", Why.NOT_PLAYING)
    if move.source is not None or move.target is None:
        return IllegalMove("a move drops a disc into a column")
    if not 0 <= move.target < SQUARES:
        return IllegalMove(f"no square {move.target} on a board of 7x6", Why.OUT_OF_BOUNDS)
    if move.piece != SIDES[position.turn]:
        return IllegalMove(f"piece of type {move.piece!r} is not yours to drop", Why.NO_SUCH_PIECE)
    landing = _landing(position, move.target % WIDTH)
    if not landing:
        return IllegalMove(f"column {COLUMNS[move.target % WIDTH]} is full")
    return IllegalMove(naming("a disc lands on {}, not on {}", _name, BITS.index(landing), move.target))


def _name(number: int) -> str:
    """The square's column letter and its row from the bottom."""
    return f"{COLUMNS[number % WIDTH]}{HEIGHT - number // WIDTH}"
