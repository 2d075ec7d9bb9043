"""The men that each side of a game of chess has taken, by how much it leads, and the checks given in three-check.

The board alone says it: what lacks of the rule set's first array was taken, and a man more than that was a pawn. So
in a set-up position the men that it began without count as taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import chess
from chess import variant

from gateway.games.base import counted
from gateway.games.chess.position import RULES, WORDS
from protocols.core.model import Tally

POINTS: Final = (0, 1, 3, 3, 5, 9, 0)
"""The usual worth of the pieces in pawns, by python-chess's numbers."""

CHECKS: Final = 3

_NAMES: Final = tuple(tuple(f"{side} {word}" for word in WORDS) for side in ("white", "black"))


def tally(rules: str, board: chess.Board) -> tuple[Tally, ...]:
    """By seat; () where captured men change sides, for then the pockets show them."""
    if isinstance(board, variant.CrazyhouseBoard):
        return ()
    white, black = _men(board, chess.WHITE), _men(board, chess.BLACK)
    first = _first(rules)
    lead = 0
    if not isinstance(board, variant.SuicideBoard):
        lead = sum([(own - other) * points for own, other, points in zip(white, black, POINTS, strict=True)])
        lead -= first[2]
    return (
        Tally(_gone(1, black, first[1]), _words(board, chess.WHITE, lead)),
        Tally(_gone(0, white, first[0]), _words(board, chess.BLACK, -lead)),
    )


def _men(board: chess.Board, side: chess.Color) -> tuple[int, ...]:
    """The men of a side, by python-chess's numbers of the kinds."""
    own = board.occupied_co[side]
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    return (0, *[(own & men).bit_count() for men in kinds])


@cache
def _first(rules: str) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """White's and Black's men in the first array of a rule set, and White's lead there."""
    board = RULES[rules]()
    white, black = _men(board, chess.WHITE), _men(board, chess.BLACK)
    return white, black, sum((own - other) * worth for own, other, worth in zip(white, black, POINTS, strict=True))


def _gone(seat: int, has: Sequence[int], first: Sequence[int]) -> dict[str, int]:
    """The men of a seat that were taken, the strongest first."""
    gone = [full - left for full, left in zip(first, has, strict=True)]
    gone[chess.PAWN] += sum(min(0, more) for more in gone[chess.KNIGHT :])
    return {_NAMES[seat][kind]: gone[kind] for kind in range(chess.KING, 0, -1) if gone[kind] > 0}


def _words(board: chess.Board, side: chess.Color, lead: int) -> str:
    said = [f"+{lead}"] if lead > 0 else []
    if isinstance(board, variant.ThreeCheckBoard) and (given := CHECKS - board.remaining_checks[side]):
        said.append(counted(given, "check"))
    return ", ".join(said)
