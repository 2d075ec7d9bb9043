"""Whether a chess move is legal, and whether there is any: python-chess's answers, in most positions for less.

A piece that stands on no line with its own king cannot expose it. While the king is not in check such a piece's moves
are legal as soon as the piece can make them, and one that can move at all shows that there is a move; only what is left
is searched. Not here: why a move is not legal (refusal.py).
"""

from __future__ import annotations

from typing import Final

import chess
from chess import variant

from gateway.games.chess.position import FLIP, KINDS, Position
from protocols.core.model import Move

_LINES: Final = [
    chess.BB_RANK_ATTACKS[square][0] | chess.BB_FILE_ATTACKS[square][0] | chess.BB_DIAG_ATTACKS[square][0]
    for square in range(64)
]
"""By square: the row, the column and the diagonals through it, itself not."""


def in_check(position: Position) -> bool:
    """Whether the side to move is in check. Worked out once."""
    try:
        return position.checked
    except AttributeError:
        found = position.board.is_check()
        object.__setattr__(position, "checked", found)
        return found


def can_move(position: Position) -> bool:
    """Whether there is a legal move."""
    board = position.board
    own = board.occupied_co[board.turn]
    free = _free(position)
    pawns = board.pawns & free
    if (pawns << 8 if board.turn else pawns >> 8) & ~board.occupied:
        return True
    if any(chess.BB_KNIGHT_ATTACKS[square] & ~own for square in chess.scan_forward(board.knights & free)):
        return True
    return any(board.generate_legal_moves())


def theirs(position: Position, move: Move) -> chess.Move | None:
    """The legal move of python-chess that ``move`` means; None when there is none.

    Castling is written in one way only: to the king's square, in Chess960 to the rook's.
    """
    board, source, target, kind = position.board, move.source, move.target, KINDS.get(move.piece)
    if target is None or not 0 <= target < 64 or (move.piece and kind is None):
        return None
    target ^= FLIP
    if source is None:
        dropped = kind is not None and isinstance(board, variant.CrazyhouseBoard)
        found = chess.Move(target, target, drop=kind)
        return found if dropped and board.is_legal(found) else None
    if not 0 <= source < 64 or (not board.chess960 and board.occupied_co[board.turn] & chess.BB_SQUARES[target]):
        return None
    found = chess.Move(source ^ FLIP, target, kind)
    return found if _is_legal(position, found) else None


def _is_legal(position: Position, move: chess.Move) -> bool:
    """En passant is always searched: it takes two pieces from the king's lines."""
    board = position.board
    if move.to_square != board.ep_square and chess.BB_SQUARES[move.from_square] & _free(position):
        return board.is_pseudo_legal(move)
    return board.is_legal(move)


def _free(position: Position) -> chess.Bitboard:
    """Pieces of the side to move whose every move is legal, en passant excepted; not all of them."""
    board = position.board
    own = board.occupied_co[board.turn]
    king = board.kings & own
    if type(board) is not chess.Board or not king or in_check(position):
        return 0
    return own & ~king & ~_LINES[king.bit_length() - 1]
