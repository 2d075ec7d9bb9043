"""Tic-tac-toe, three in a row on 3x3: the smallest game, the one to copy for a new one.

Seat 0 plays X and moves first. A move is a placement; its piece may be left unsaid.
"""

from __future__ import annotations

from dataclasses import dataclass

from gateway.games.base import Game, Turn, Variant
from gateway.games.guide import End, Guide
from gateway.games.look import Look, Piece
from protocols.core import squares
from protocols.core.errors import IllegalMove, Refused, Why, naming
from protocols.core.model import Move, Outcome, Reason, Settings

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True, slots=True)
class Position:
    """``cells``: nine of "x", "o" and ".", top row first. The seat to move follows from their number."""

    cells: str = "." * 9


class TicTacToe(Game[Position]):
    name = "tic_tac_toe"
    title = "Tic-Tac-Toe"
    variants = (Variant("standard", 3, 3, "Three in a row on a board of nine squares."),)
    sides = ("x", "o")
    guide = Guide(
        goal="Be the first with three marks in a line: along a row, a column or a diagonal.",
        play=("X begins. In turn the players put their mark on an empty square.",),
        end=("Three in a line win. A full board without a line is a draw.",),
        shown="b2 a3 c3 a1 a2",
        moves=(
            'A move is a placement: no square to come from, an empty square to go to, and the piece: "x" for seat 0, '
            '"o" for seat 1. The piece may be left out.',
        ),
        notation=('The name of the square: "b2" is the middle one.',),
        ends=(
            End("three in a row", "A seat has three marks in a line, and has won."),
            End("board full", "No square is empty and no line is there: a draw."),
        ),
    )

    def look(self, settings: Settings) -> Look:
        pieces = {"x": Piece("cross", "#00005f", "X"), "o": Piece("ring", "#870000", "O")}
        return Look(ground="#ffd7af", line="#875f5f", sides=self.sides, pieces=pieces)

    def start(self, settings: Settings) -> Position:
        cells = settings.start.split(" ")[0].replace("/", "") or "." * 9
        position = Position(cells)
        lead = cells.count("x") - cells.count("o")
        if len(cells) != 9 or set(cells) - set("xo.") or lead not in (0, 1):
            raise Refused(Why.BAD_OPTION, f"no position of tic-tac-toe: {settings.start!r}")
        return self.as_written(position, settings.start) if settings.start else position

    def to_move(self, position: Position) -> Turn:
        return None if self.outcome(position) else 9 - position.cells.count(".") & 1

    def play(self, position: Position, move: Move) -> Position:
        turn = self.to_move(position)
        if not isinstance(turn, int):
            raise IllegalMove("the game is over", Why.NOT_PLAYING)
        if move.source is not None or move.target is None:
            raise IllegalMove("a move places a piece on an empty square")
        if not 0 <= move.target < 9:
            raise IllegalMove(f"no square {move.target} on a board of nine", Why.OUT_OF_BOUNDS)
        if move.piece != self.sides[turn]:
            raise IllegalMove(f"piece of type {move.piece!r} is not yours to place", Why.NO_SUCH_PIECE)
        if position.cells[move.target] != ".":
            raise IllegalMove(naming("square {} is occupied", lambda square: squares.name(square, 3, 3), move.target))
        return Position(position.cells[: move.target] + self.sides[turn] + position.cells[move.target + 1 :])

    def normal(self, position: Position, move: Move) -> Move:
        turn = self.to_move(position)
        unsaid = move == Move(None, move.target) and move.target is not None
        return Move(None, move.target, self.sides[turn]) if unsaid and isinstance(turn, int) else move

    def outcome(self, position: Position) -> Outcome | None:
        line = self.decisive(position)
        if line:
            return Outcome(self.sides.index(position.cells[line[0]]), Reason.RULES, "three in a row")
        return None if "." in position.cells else Outcome(None, Reason.RULES, "board full")

    def decisive(self, position: Position) -> tuple[int, ...]:
        cells = position.cells
        return next((line for line in LINES if {cells[at] for at in line} in ({"x"}, {"o"})), ())

    def legal_moves(self, position: Position) -> list[Move]:
        turn = self.to_move(position)
        if not isinstance(turn, int):
            return []
        return [Move(None, at, self.sides[turn]) for at, cell in enumerate(position.cells) if cell == "."]

    def board(self, position: Position) -> dict[int, str]:
        return {at: cell for at, cell in enumerate(position.cells) if cell != "."}

    def text(self, position: Position) -> str:
        return f"{self.diagram(position).replace(chr(10), '/')} {9 - position.cells.count('.') & 1}"

    def diagram(self, position: Position) -> str:
        return "\n".join(position.cells[row : row + 3] for row in (0, 3, 6))

    def notation(self, position: Position, move: Move) -> str:
        return squares.name(move.target or 0, 3, 3)
