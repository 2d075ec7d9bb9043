"""Reversi, known as Othello: discs that are enclosed in a straight line turn over; most discs win.

Seat 0 is Black and moves first; the four discs of the middle stand as the World Othello Federation sets them up. A seat
that can move must; one that cannot is passed over by the position itself, so no client ever sends a pass, and the game
is over when neither can move. The result tells the discs as they stand, the winner's first ("34-30"): empty squares
count for neither side.

Squares are written as the federation writes them: column letter, then the row counted from the top, a1 top left.
A move is a placement; its piece may be left unsaid.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from gateway.games.base import Game, Turn, Variant, counted
from gateway.games.guide import End, Guide
from gateway.games.look import Look, Piece, Ranks
from protocols.core.errors import IllegalMove, Refused, Why, naming
from protocols.core.model import PASS, Move, Outcome, Reason, Settings, Tally

SIZE: Final = 8
SQUARES: Final = SIZE * SIZE
BOARD: Final = (1 << SQUARES) - 1
"""A set of squares is an integer: bit ``y * 8 + x`` is the square with that number."""

LEFT: Final = sum(1 << SIZE * y for y in range(SIZE))
INNER: Final = BOARD & ~(LEFT | LEFT << SIZE - 1)
"""The first column, and all but the outer two: a line to the side never runs on from one row into the next."""

STEPS: Final = ((1, INNER), (SIZE, BOARD), (SIZE - 1, INNER), (SIZE + 1, INNER))
"""By direction (and back): how far the next square is, and which squares may be in the middle of a line."""

CORNERS: Final = 1 | 1 << SIZE - 1 | 1 << SQUARES - SIZE | 1 << SQUARES - 1

NAMES: Final = tuple("abcdefgh"[number % SIZE] + str(number // SIZE + 1) for number in range(SQUARES))
SIDES: Final = ("black", "white")
MOVES: Final = tuple({1 << at: Move(None, at, side) for at in range(SQUARES)} for side in SIDES)
"""By seat, every placement by its square's bit."""

BESIDE_CORNERS: Final = sum(
    1 << NAMES.index(name) for name in ("a2", "b1", "b2", "g1", "g2", "h2", "a7", "b7", "b8", "g7", "g8", "h7")
)
"""Squares from which the other side comes to a corner."""

MOBILITY: Final = 1.0
CORNER: Final = 12.0
RIM: Final = 0.4
STEP_TO_CORNER: Final = 3.0
"""Values for house bots, in moves to choose from: a corner, an empty neighbour of the other's discs, and against a
side each disc beside a corner that is still empty."""


class Position(msgspec.Struct, frozen=True, dict=True):
    """The owners of the discs by square; ``turn`` is a seat that can move, or when the game is over either.

    What is worked out once about a position is kept in its ``__dict__``: no part of its value, and never pickled.
    """

    black: int = 1 << NAMES.index("e4") | 1 << NAMES.index("d5")
    white: int = 1 << NAMES.index("d4") | 1 << NAMES.index("e5")
    turn: int = 0

    @property
    def discs(self) -> tuple[int, int]:
        """The discs of the seat that is to move, and of the other."""
        return (self.white, self.black) if self.turn else (self.black, self.white)


class Reversi(Game[Position]):
    name = "reversi"
    title = "Reversi"
    variants = (Variant("standard", SIZE, SIZE, "Enclosed discs turn over, a side that cannot move is passed over."),)
    sides = SIDES
    guide = Guide(
        goal="Have more discs of your colour on the board when neither side can move.",
        play=(
            "Black begins. Put a disc so that it encloses enemy discs in a straight line, in any direction, between "
            "itself and another disc of yours. All discs that are enclosed turn over to your colour.",
            "You must move when you can. A player who cannot is passed over by itself.",
        ),
        end=("The game ends when neither side can move. Who has more discs wins; empty squares count for nobody.",),
        moves=(
            'A move is a placement: no square to come from, the square of the new disc, and the piece: "black" for '
            'seat 0, "white" for seat 1. The piece may be left out. The discs that turn over are told as changes of '
            "the board behind the move.",
            "There is no pass. After a move the other seat is to move where it can; where it cannot, the same seat is "
            "to move again.",
        ),
        notation=('The name of the square: "d3". Rows are counted from the top.',),
        ends=(End("N-N", "Neither seat can move. The winner's discs stand first; equal numbers are a draw."),),
    )

    def look(self, settings: Settings) -> Look:
        pieces = {
            "black": Piece("disc", "#121212", "●", figure="counter", paint="#1c1f1e"),
            "white": Piece("ring", "#ffffff", "○", figure="open counter", paint="#f7f4ec"),
        }
        return Look(ground="#5f875f", line="#303030", sides=SIDES, pieces=pieces, ranks=Ranks.DOWN)

    def start(self, settings: Settings) -> Position:
        if not settings.start:
            return Position()
        rows, _, turn = settings.start[: 2 * SQUARES].partition(" ")
        cells = rows.replace("/", "")
        if len(cells) != SQUARES or set(cells) - set("bw.") or turn not in ("0", "1"):
            raise Refused(Why.BAD_OPTION, f"no position of reversi: {settings.start[: 2 * SQUARES]!r}")
        black, white = (sum(1 << at for at, cell in enumerate(cells) if cell == side[0]) for side in SIDES)
        position = _onward(black, white, int(turn))
        return self.as_written(position, settings.start)

    def to_move(self, position: Position) -> Turn:
        return position.turn if _legal(position) else None

    def play(self, position: Position, move: Move) -> Position:
        legal, target = _legal(position), move.target
        bit = 1 << target if target is not None and 0 <= target < SQUARES else 0
        if not legal & bit or move.source is not None or move.piece != SIDES[position.turn]:
            raise _refusal(position, move)
        own, other = position.discs
        turned = _turned(own, other, bit)
        own, other = own | bit | turned, other ^ turned
        return _onward(other, own, 0) if position.turn else _onward(own, other, 1)

    def normal(self, position: Position, move: Move) -> Move:
        unsaid = move == Move(None, move.target) and move.target is not None
        return Move(None, move.target, SIDES[position.turn]) if unsaid else move

    def passed_over(self, before: Position, after: Position) -> int | None:
        return 1 - after.turn if after.turn == before.turn and _legal(after) else None

    def outcome(self, position: Position) -> Outcome | None:
        if _legal(position):
            return None
        black, white = position.black.bit_count(), position.white.bit_count()
        winner = None if black == white else int(white > black)
        return Outcome(winner, Reason.RULES, f"{max(black, white)}-{min(black, white)}")

    def tally(self, position: Position) -> tuple[Tally, ...]:
        discs = (position.black, position.white)
        return tuple(Tally(text=counted(owned.bit_count(), "disc")) for owned in discs)

    def legal_moves(self, position: Position) -> list[Move]:
        moves = MOVES[position.turn]
        return [moves[bit] for bit in _bits(_legal(position))]

    def worth_trying(self, position: Position) -> list[Move]:
        """All moves, those first that are likely to be good: a search then sees sooner which are not."""
        legal, moves = _legal(position), MOVES[position.turn]
        risky = legal & BESIDE_CORNERS
        parts = (legal & CORNERS, legal & ~CORNERS & ~risky, risky)
        return [moves[bit] for part in parts for bit in _bits(part)]

    def board(self, position: Position) -> dict[int, str]:
        cells = self.diagram(position).replace("\n", "")
        return {at: SIDES[cell == "w"] for at, cell in enumerate(cells) if cell != "."}

    def text(self, position: Position) -> str:
        return f"{self.diagram(position).replace(chr(10), '/')} {position.turn}"

    def diagram(self, position: Position) -> str:
        """One letter a disc: "b" and "w"."""
        # a digit for each square, the last one first: 1 where Black's disc is, 2 where White's is
        digits = f"{int(f'{position.black:b}', 16) + 2 * int(f'{position.white:b}', 16):0{SQUARES}x}"[::-1]
        cells = digits.replace("0", ".").replace("1", "b").replace("2", "w")
        return "\n".join(cells[at : at + SIZE] for at in range(0, SQUARES, SIZE))

    def notation(self, position: Position, move: Move) -> str:
        return NAMES[move.target or 0]

    def parse(self, position: Position, text: str) -> Move:
        word = text.strip().lower()
        if word == "pass":
            raise _refusal(position, PASS)
        if not re.fullmatch("[a-h][1-8]", word):
            raise IllegalMove(f"a move is written as its square, such as d3, not {text!r}", Why.SYNTAX)
        move = Move(None, NAMES.index(word), SIDES[position.turn])
        self.play(position, move)
        return move

    def changes(self, position: Position, move: Move) -> list[tuple[int, str | None]]:
        bit = 1 << (move.target or 0)
        return [(at.bit_length() - 1, SIDES[position.turn]) for at in _bits(bit | _turned(*position.discs, bit))]

    def evaluate(self, position: Position, seat: int) -> float:
        lead = _worth(position.black, position.white) - _worth(position.white, position.black)
        return -lead if seat else lead


def _bits(squares: int) -> Iterator[int]:
    """The bits of a set one by one, rising."""
    while squares:
        bit = squares & -squares
        yield bit
        squares ^= bit


def _legal(position: Position) -> int:
    """The squares where the seat to move can place a disc, 0 when the game is over; worked out once."""
    known: int | None = position.__dict__.get("legal")
    if known is None:
        known = position.__dict__["legal"] = _placements(*position.discs)
    return known


def _onward(black: int, white: int, turn: int) -> Position:
    """The position in which ``turn`` is to move, or if it cannot and the other seat can, the other."""
    position = Position(black, white, turn)
    if not _legal(position):
        passed = Position(black, white, 1 - turn)
        if _legal(passed):
            return passed
    return position


def _placements(own: int, other: int) -> int:
    """Empty squares from which a line of the other's discs leads to one's own."""
    found = 0
    for step, middle in STEPS:
        between = other & middle
        up, down = own << step & between, own >> step & between
        for _ in range(SIZE - 3):
            up |= up << step & between
            down |= down >> step & between
        found |= up << step | down >> step
    return found & ~(own | other) & BOARD


def _turned(own: int, other: int, bit: int) -> int:
    """The other's discs that a disc of one's own on the square ``bit`` encloses."""
    found = 0
    for step, middle in STEPS:
        between = other & middle
        line, at = 0, bit << step
        while at & between:
            line, at = line | at, at << step
        if at & own:
            found |= line
        line, at = 0, bit >> step
        while at & between:
            line, at = line | at, at >> step
        if at & own:
            found |= line
    return found


def _worth(own: int, other: int) -> float:
    """One side's half of the balance: its choice of moves, its corners, the room around the other's discs."""
    empty = BOARD & ~(own | other)
    value = MOBILITY * _placements(own, other).bit_count() + CORNER * (own & CORNERS).bit_count()
    value += RIM * (_around(other) & empty).bit_count()
    if empty & CORNERS:
        value -= STEP_TO_CORNER * (own & BESIDE_CORNERS & _around(empty & CORNERS)).bit_count()
    return value


def _around(squares: int) -> int:
    """The squares and their neighbours."""
    side = (squares & ~LEFT) >> 1 | squares | (squares << 1 & ~LEFT & BOARD)
    return (side << SIZE | side | side >> SIZE) & BOARD


def _refusal(position: Position, move: Move) -> IllegalMove:
    """Why ``move``, which is not legal, is not."""
    if not _legal(position):
        return IllegalMove("the game is over", Why.NOT_PLAYING)
    if move == PASS:
        return IllegalMove("who can move must, and who cannot is passed over: no pass is ever sent")
    if move.source is not None or move.target is None:
        return IllegalMove("a move places a disc on an empty square")
    if not 0 <= move.target < SQUARES:
        return IllegalMove(f"no square {move.target} on a board of 8x8", Why.OUT_OF_BOUNDS)
    if move.piece != SIDES[position.turn]:
        return IllegalMove(f"piece of type {move.piece!r} is not yours to place", Why.NO_SUCH_PIECE)
    if (position.black | position.white) >> move.target & 1:
        return IllegalMove(naming("square {} is occupied", NAMES.__getitem__, move.target))
    return IllegalMove(naming("a disc on {} would turn no other over", NAMES.__getitem__, move.target))
