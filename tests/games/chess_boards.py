"""Chess positions for tests: set up by FEN, played on by notation."""

from __future__ import annotations

from gateway.games.chess.position import Position
from gateway.games.chess.rules import Chess
from protocols.core.model import Move, Outcome, Reason
from protocols.core.squares import number

GAME = Chess()
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R"


def at(fen: str, variant: str = "") -> Position:
    return GAME.start(GAME.settings(variant, start=fen))


def move(squares: str, piece: str = "") -> Move:
    """Move of "e2e4"."""
    return Move(number(squares[:2], 8, 8), number(squares[2:], 8, 8), piece)


def drop(piece: str, square: str) -> Move:
    return Move(None, number(square, 8, 8), piece)


def played(position: Position, *texts: str) -> Position:
    for text in texts:
        position = GAME.play(position, GAME.parse(position, text))
    return position


def fields(position: Position, count: int = 4) -> str:
    """The first fields of the FEN."""
    return " ".join(GAME.brief(position).split()[:count])


def rules(detail: str, winner: int | None) -> Outcome:
    return Outcome(winner, Reason.RULES, detail)
