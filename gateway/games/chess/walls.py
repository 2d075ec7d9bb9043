"""Dead positions behind walls of pawns: every pawn stands before another for good, and nothing can ever take or check.

Source: FIDE's Laws of Chess, article 5.2.2 (a position in which neither side can mate by any series of legal moves).

What is shown is more than the article asks. No pawn can move, take or be taken, and neither king ever comes to a square
that the other side attacks: so there is no check, and no mate. Each king and bishop is given every square that it could
reach if nothing but the pawns were in its way. Positions with other pieces are not looked at.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import chess
from chess import variant

from gateway.games.chess.position import Position, passed_square

Squares: TypeAlias = chess.Bitboard

_LOOKED_AT: Final = (
    chess.Board,
    variant.CrazyhouseBoard,
    variant.HordeBoard,
    variant.KingOfTheHillBoard,
    variant.ThreeCheckBoard,
)
"""Boards on which nobody wins without a check, a capture or a king on the hill. Horde's stalemate is a draw, too."""

_HILL: Final = chess.BB_D4 | chess.BB_E4 | chess.BB_D5 | chess.BB_E5


def walled(position: Position) -> bool:
    """True if it is shown that neither side can ever win; False shows nothing."""
    board = position.board
    if board.queens or board.rooks or board.knights:
        return False  # asked after every move: this is all that it costs in most positions
    pawns = board.pawns
    white = pawns & board.occupied_co[chess.WHITE]
    if (white << 8 | (pawns ^ white) >> 8) & ~pawns or not pawns:
        return False  # a pawn has an empty square before it, or a piece that can go away
    if not _looked_at(board) or passed_square(position) is not None:
        return False
    walks, sweeps = ([reach(board, side) for side in (chess.BLACK, chess.WHITE)] for reach in (_walk, _sweep))
    return not any(_free(board, side, walks, sweeps[side]) for side in chess.COLORS)


def _looked_at(board: chess.Board) -> bool:
    """True in rule sets that are known here; in crazyhouse without bishops, for whatever is taken comes back."""
    if type(board) not in _LOOKED_AT or board.castling_rights:
        return False
    return not isinstance(board, variant.CrazyhouseBoard) or not (board.bishops or any(map(len, board.pockets)))


def _free(board: chess.Board, side: chess.Color, walks: list[Squares], sweep: Squares) -> bool:
    """True if ``side`` might ever take a pawn, lose a piece to one, give check, or bring its king to the hill."""
    own, pawns = board.occupied_co[side], board.pawns
    theirs, guarded, walk = pawns & ~own, _guarded(board, not side), walks[side]
    if theirs & (sweep | _around(walk) & ~guarded) or sweep & walks[not side]:
        return True
    if guarded & (own & pawns | own & board.bishops | sweep & ~pawns):
        return True
    return isinstance(board, variant.KingOfTheHillBoard) and bool(walk & _HILL)


def _walk(board: chess.Board, side: chess.Color) -> Squares:
    """The squares that the king of ``side`` could reach, his own among them; none where there is no king."""
    walk, allowed = board.kings & board.occupied_co[side], ~(board.pawns | _guarded(board, not side))
    while (further := walk | _around(walk) & allowed) != walk:
        walk = further
    return walk


def _sweep(board: chess.Board, side: chess.Color) -> Squares:
    """The squares that bishops of ``side`` could attack, however they go."""
    swept, left = chess.BB_EMPTY, board.bishops & board.occupied_co[side]
    seen = left
    while left:
        square = chess.msb(left)
        attacked = chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & board.pawns]
        left = (left | attacked & ~board.pawns & ~seen) & ~chess.BB_SQUARES[square]
        swept, seen = swept | attacked, seen | left
    return swept


def _guarded(board: chess.Board, side: chess.Color) -> Squares:
    """The squares that the pawns of ``side`` attack."""
    pawns = board.pawns & board.occupied_co[side]
    left, right = pawns & ~chess.BB_FILE_A, pawns & ~chess.BB_FILE_H
    return (left << 7 | right << 9) & chess.BB_ALL if side else left >> 9 | right >> 7


def _around(squares: Squares) -> Squares:
    """The squares one step away, and themselves."""
    wide = squares | (squares & ~chess.BB_FILE_A) >> 1 | (squares & ~chess.BB_FILE_H) << 1
    return (wide | wide << 8 | wide >> 8) & chess.BB_ALL
