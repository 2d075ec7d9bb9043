"""Rates a chess position for White, in pawns: material and squares of the pieces, for house bots.

The numbers are rules of thumb that chess books share, not tuned.
"""

from __future__ import annotations

from typing import Final

import chess
from chess import variant

PIECES: Final = (0.0, 1.0, 3.2, 3.3, 5.0, 9.0, 0.0)
"""By python-chess's numbers of the pieces."""

IN_HAND: Final = 0.9
"""The share of its worth that a piece in hand has in crazyhouse."""

CHECK_GIVEN: Final = (0.0, 1.5, 4.0, 0.0)
"""In three-check, by the checks a side has given."""

LOST_PIECE: Final = 3.0
"""In rule sets in which a side wins by losing everything."""

_MIDDLE: Final = sum(chess.BB_SQUARES[y * 8 + x] for y in range(2, 6) for x in range(2, 6))
_CENTRE: Final = chess.BB_CENTER
_RIM: Final = chess.BB_FILE_A | chess.BB_FILE_H | chess.BB_RANK_1 | chess.BB_RANK_8
_SHELTER: Final = tuple(sum(chess.BB_SQUARES[y * 8 + x] for x in (0, 1, 2, 6, 7)) for y in (7, 0))
"""By side: where a king is safe while there are queens."""

_ADVANCED: Final = tuple(
    tuple((chess.BB_RANKS[row if side else 7 - row], gain) for row, gain in ((3, 0.05), (4, 0.15), (5, 0.35), (6, 0.9)))
    for side in (False, True)
)
"""By side: ranks, and what having come there is worth to a pawn."""

_HOME: Final = (chess.BB_RANK_8, chess.BB_RANK_1)
"""By side, chess.WHITE being 1."""


def worth(board: chess.Board) -> float:
    """White's lead over Black."""
    if isinstance(board, variant.SuicideBoard):
        count = chess.popcount
        return LOST_PIECE * (count(board.occupied_co[chess.BLACK]) - count(board.occupied_co[chess.WHITE]))
    return _side(board, chess.WHITE) - _side(board, chess.BLACK)


def _side(board: chess.Board, side: chess.Color) -> float:
    own = board.occupied_co[side]
    minor, pawns = (board.knights | board.bishops) & own, board.pawns & own
    total = (
        PIECES[chess.PAWN] * pawns.bit_count()
        + PIECES[chess.KNIGHT] * (board.knights & own).bit_count()
        + PIECES[chess.BISHOP] * (board.bishops & own).bit_count()
        + PIECES[chess.ROOK] * (board.rooks & own).bit_count()
        + PIECES[chess.QUEEN] * (board.queens & own).bit_count()
    )
    total += 0.15 * (minor & _MIDDLE).bit_count() - 0.2 * (minor & _HOME[side]).bit_count()
    total -= 0.15 * (board.knights & own & _RIM).bit_count()
    total += 0.25 * (pawns & _CENTRE).bit_count()
    for rank, gain in _ADVANCED[side]:
        total += gain * (pawns & rank).bit_count()
    return total + _king(board, side, board.kings & own) + _special(board, side)


def _king(board: chess.Board, side: chess.Color, king: chess.Bitboard) -> float:
    """A king hides while there are queens and helps afterwards."""
    if board.queens:
        return 0.5 if king & _SHELTER[side] else -0.4 if not king & _HOME[side] else 0.0
    return 0.4 if king & _MIDDLE else -0.2 if king & _RIM else 0.0


def _special(board: chess.Board, side: chess.Color) -> float:
    """The values that only some rule sets count."""
    king = board.king(side)
    if isinstance(board, variant.CrazyhouseBoard):
        return IN_HAND * sum(PIECES[kind] * board.pockets[side].count(kind) for kind in range(1, 6))
    if isinstance(board, variant.ThreeCheckBoard):
        return CHECK_GIVEN[max(0, 3 - board.remaining_checks[side])]
    if isinstance(board, variant.RacingKingsBoard) and king is not None:
        return 1.5 * chess.square_rank(king)
    if isinstance(board, variant.KingOfTheHillBoard) and king is not None:
        return -0.6 * min(chess.square_distance(king, square) for square in chess.scan_forward(_CENTRE))
    return 0.0
