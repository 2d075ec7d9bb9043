"""Tells which chess moves are legal, and whether one exists: python-chess's answers, in most positions for less.

In most rule sets a move that the piece can make is illegal only if it leaves the own king attacked. That is asked on
the board after the move, which is needed anyway. A piece that stands on no line with its own king cannot expose it.
While the king is not in check such a piece's moves are legal as soon as the piece can make them, and one that can step
to an empty square shows that there is a legal move.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import chess
from chess import variant

from gateway.games.chess.position import FLIP, KINDS, STEPS, Position, ours, pushed
from protocols.core.model import Move

_USUAL: Final[tuple[type[chess.Board], ...]] = (
    chess.Board,
    variant.CrazyhouseBoard,
    variant.HordeBoard,
    variant.KingOfTheHillBoard,
    variant.ThreeCheckBoard,
)
"""Boards on which every step that the piece can make is legal unless it leaves the own king attacked."""

_QUIET: Final = (*_USUAL, variant.AtomicBoard)
"""Boards on which that is so for steps to an empty square."""

_LISTED: Final = (chess.Board, variant.KingOfTheHillBoard, variant.ThreeCheckBoard)
"""Boards whose moves are those of chess."""

REMEMBERED: Final = 8192
"""Sets of targets that are kept with their moves: some two megabytes."""

_PROMOTED: Final = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)

_STRAIGHT: Final = [chess.BB_RANK_ATTACKS[square][0] | chess.BB_FILE_ATTACKS[square][0] for square in range(64)]
_DIAGONAL: Final = [chess.BB_DIAG_ATTACKS[square][0] for square in range(64)]
"""By square: the row and the column, and the diagonals, through it, itself not."""


def in_check(position: Position) -> bool:
    """True if the side to move is in check. Worked out once."""
    known: bool | None = position.__dict__.get("checked")
    if known is None:
        known = position.__dict__["checked"] = position.board.is_check()
    return known


def checked(position: Position) -> int | None:
    """The square of the king that is in check; None where there is no check."""
    king = position.board.king(position.board.turn) if in_check(position) else None
    return None if king is None else king ^ FLIP


def can_move(position: Position) -> bool:
    """True if there is a legal move. Asked where nothing but that may have ended the game."""
    board = position.board
    if type(board) in _QUIET:
        free, empty = _free(position), ~board.occupied
        pawns = board.pawns & free
        if (pawns << 8 if board.turn else pawns >> 8) & empty:
            return True
        if any(board.attacks_mask(square) & empty for square in chess.scan_forward(free ^ pawns)):
            return True
    if isinstance(board, variant.SuicideBoard):
        return not board.is_variant_end() and any(board.generate_pseudo_legal_moves())
    return any(board.generate_legal_moves())


def legal_moves(position: Position) -> list[Move]:
    """The legal moves, in python-chess's order. Asked only while the game goes on."""
    board = position.board
    if type(board) not in _LISTED or in_check(position):
        return [ours(move) for move in board.generate_legal_moves()]
    turn, own, free = board.turn, board.occupied_co[board.turn], _free(position)
    found: list[Move] = []
    for square in chess.scan_reversed(own & ~board.pawns):
        targets = board.attacks_mask(square) & ~own
        if chess.BB_SQUARES[square] & board.kings:
            safe = [to for to in chess.scan_forward(targets) if not board.is_attacked_by(not turn, to)]
            targets = sum([chess.BB_SQUARES[to] for to in safe])
        elif not chess.BB_SQUARES[square] & free:
            targets &= board.pin_mask(turn, square)
        found += _to_each(square, targets)
    if board.castling_rights:
        found += map(ours, board.generate_castling_moves())
    for source, target in _pawn_steps(board):
        if chess.BB_SQUARES[source] & free or board.pin_mask(turn, source) & chess.BB_SQUARES[target]:
            if chess.BB_SQUARES[target] & chess.BB_BACKRANKS:
                found += [ours(chess.Move(source, target, kind)) for kind in _PROMOTED]
            else:
                found.append(STEPS[source][target])
    if board.ep_square is not None:
        found += map(ours, board.generate_legal_ep())
    return found


@lru_cache(REMEMBERED)
def _to_each(square: chess.Square, targets: chess.Bitboard) -> tuple[Move, ...]:
    """The moves from a square to each of these. Most pieces have the same ones in the next position."""
    return tuple([STEPS[square][target] for target in chess.scan_reversed(targets)])


def _pawn_steps(board: chess.Board) -> Iterator[tuple[chess.Square, chess.Square]]:
    """The captures, steps and double steps that pawns can make, but for captures en passant."""
    turn, pawns, empty = board.turn, board.pawns & board.occupied_co[board.turn], ~board.occupied
    for square in chess.scan_reversed(pawns):
        for target in chess.scan_reversed(chess.BB_PAWN_ATTACKS[turn][square] & board.occupied_co[not turn]):
            yield square, target
    once = (pawns << 8 if turn else pawns >> 8) & empty
    twice = (once << 8 & chess.BB_RANK_4 if turn else once >> 8 & chess.BB_RANK_5) & empty
    ahead = 8 if turn else -8
    for target in chess.scan_reversed(once):
        yield target - ahead, target
    for target in chess.scan_reversed(twice):
        yield target - 2 * ahead, target


def _free(position: Position) -> chess.Bitboard:
    """Pieces of the side to move that cannot expose their king; not all of them. Worked out once."""
    known: chess.Bitboard | None = position.__dict__.get("free")
    if known is None:
        known = position.__dict__["free"] = _found_free(position)
    return known


def _found_free(position: Position) -> chess.Bitboard:
    board, turn = position.board, position.board.turn
    own, others = board.occupied_co[turn], board.occupied_co[not turn]
    king = board.kings & own
    if not king:
        return own
    square = king.bit_length() - 1
    near = chess.BB_KNIGHT_ATTACKS[square] & board.knights | chess.BB_PAWN_ATTACKS[turn][square] & board.pawns
    if near & others:
        return chess.BB_EMPTY
    far = _STRAIGHT[square] & (board.rooks | board.queens) | _DIAGONAL[square] & (board.bishops | board.queens)
    if not far & others:
        return own & ~king
    return chess.BB_EMPTY if in_check(position) else own & ~(king | _STRAIGHT[square] | _DIAGONAL[square])


def theirs(position: Position, move: Move) -> chess.Move | None:
    """The legal move of python-chess that ``move`` means; None when there is none."""
    found = _spelled(position.board, move)
    return found if found is not None and position.board.is_legal(found) else None


def played(position: Position, move: Move) -> tuple[chess.Move, Position] | None:
    """The legal move of python-chess that ``move`` means, and the position after it; None when there is none.

    Asked only while the game goes on.
    """
    board, found = position.board, _spelled(position.board, move)
    if found is None:
        return None
    source, target = chess.BB_SQUARES[found.from_square], chess.BB_SQUARES[found.to_square]
    if found.drop or type(board) not in (_USUAL if board.occupied & target else _QUIET):
        return (found, pushed(position, found)) if board.is_legal(found) else None
    plain = not found.promotion and _steps(board, found.from_square, source, target)
    if not plain and not board.is_pseudo_legal(found):
        return None
    after = pushed(position, found, plain)
    return None if not (plain and source & _free(position)) and after.board.was_into_check() else (found, after)


def _steps(board: chess.Board, square: chess.Square, source: chess.Bitboard, target: chess.Bitboard) -> bool:
    """True if a piece of the side to move can make this step: neither castling, nor en passant, nor a promotion."""
    own, occupied = board.occupied_co[board.turn], board.occupied
    if not source & own or target & own:
        return False
    if not source & board.pawns:
        return bool(board.attacks_mask(square) & target)
    if target & (occupied | chess.BB_BACKRANKS):
        return bool(board.attacks_mask(square) & target & ~chess.BB_BACKRANKS)
    if board.turn:
        ahead = source << 8 & ~occupied
        return bool((ahead | (ahead & chess.BB_RANK_3) << 8) & target)
    ahead = source >> 8 & ~occupied
    return bool((ahead | (ahead & chess.BB_RANK_6) >> 8) & target)


def _spelled(board: chess.Board, move: Move) -> chess.Move | None:
    """``move`` as python-chess writes it; None for what cannot be a move in these rules.

    Castling is written in one way only: to the king's square, in Chess960 to the rook's.
    """
    source, target, kind = move.source, move.target, KINDS.get(move.piece)
    if target is None or not 0 <= target < 64 or (move.piece and kind is None):
        return None
    target ^= FLIP
    if source is None:
        dropped = kind is not None and isinstance(board, variant.CrazyhouseBoard)
        return chess.Move(target, target, drop=kind) if dropped else None
    if not 0 <= source < 64 or (not board.chess960 and board.occupied_co[board.turn] & chess.BB_SQUARES[target]):
        return None
    return chess.Move(source ^ FLIP, target, kind)
