"""The position a chess game begins with: the rule set's own, one of Chess960's by its number, or one that is set up.

Rules know no chance, so who opens the table chooses.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import chess

from gateway.games.chess import fen as chess_fen
from gateway.games.chess.position import RULES, WITHOUT_CASTLING, Position, placed
from gateway.games.options import Number
from protocols.core.model import Settings

USUAL_ARRAY: Final = 518
"""Scharnagl's number of the first position of chess."""

ARRAY: Final = Number(
    name="position",
    title="First position",
    text="its number among the 960, as Scharnagl counts them; 518 is that of chess",
    usual=str(USUAL_ARRAY),
    least=0,
    most=959,
    rules=("fischerandom",),
)


def begun(settings: Settings) -> Position:
    """The first position of a game with these settings. Refused (BAD_OPTION) when ``start`` is none."""
    first = _usual(settings.variant, int(dict(settings.options).get(ARRAY.name, USUAL_ARRAY)))
    board = first.copy(stack=False)  # a board belongs to one position, and so to one thread
    if not settings.start:
        return placed(settings.variant, board)
    return chess_fen.read(settings.variant, board, settings.start)


def is_usual(settings: Settings) -> bool:
    """True if a reader who knows the rule set's name knows the first position too."""
    return not settings.start and settings.variant != "fischerandom"


@cache
def _usual(rules: str, number: int) -> chess.Board:
    board = chess.Board.from_chess960_pos(number) if rules == "fischerandom" else RULES[rules]()
    if rules in WITHOUT_CASTLING:
        board.castling_rights = chess.BB_EMPTY
    return board
