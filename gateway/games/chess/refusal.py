"""Why a chess move that is not legal is not: the cause for programs, the words for people."""

from __future__ import annotations

from typing import Final

import chess
from chess import variant

from gateway.games.chess import end as chess_end
from gateway.games.chess.position import FLIP, KINDS, Position
from protocols.core.errors import IllegalMove, Why, naming
from protocols.core.model import Move

NO_CASTLING: Final = "castling is not possible now"


def refusal(position: Position, move: Move) -> IllegalMove:
    """The error for ``move``, which is not legal."""
    board = position.board
    if chess_end.outcome(position) is not None:
        return IllegalMove("the game is over", Why.NOT_PLAYING)
    if move.target is None:
        return IllegalMove("a move goes from one square to another")
    for number in (move.source, move.target):
        if number is not None and not 0 <= number < 64:
            return IllegalMove(f"no square {number} on a board of 8x8", Why.OUT_OF_BOUNDS)
    if move.source is None:
        return _bad_drop(board, move, move.target ^ FLIP)
    source, target = move.source ^ FLIP, move.target ^ FLIP
    if not board.occupied_co[board.turn] & chess.BB_SQUARES[source]:
        return IllegalMove(naming("no piece of yours on {}", _name, move.source), Why.NOT_YOUR_PIECE)
    if board.occupied_co[board.turn] & chess.BB_SQUARES[target]:
        if board.chess960 and board.kings & chess.BB_SQUARES[source] and board.rooks & chess.BB_SQUARES[target]:
            return IllegalMove(NO_CASTLING)
        return IllegalMove(naming("a piece of yours is on {}", _name, move.target), Why.OWN_PIECE_THERE)
    return _bad_step(board, source, target, move.piece)


def _bad_drop(board: chess.Board, move: Move, target: chess.Square) -> IllegalMove:
    if not isinstance(board, variant.CrazyhouseBoard):
        return IllegalMove("no pieces are dropped in these rules", Why.NO_SUCH_PIECE)
    kind = KINDS.get(move.piece)
    if kind is None or not board.pockets[board.turn].count(kind):
        return IllegalMove(f"you have no {move.piece[:20] or 'piece'} in hand", Why.NO_SUCH_PIECE)
    if board.occupied_co[board.turn] & chess.BB_SQUARES[target]:
        return IllegalMove(naming("a piece of yours is on {}", _name, target ^ FLIP), Why.OWN_PIECE_THERE)
    if board.occupied & chess.BB_SQUARES[target]:
        return IllegalMove(naming("{} is occupied", _name, target ^ FLIP))
    if kind == chess.PAWN and chess.BB_SQUARES[target] & chess.BB_BACKRANKS:
        return IllegalMove("pawns are not dropped on the first or last rank")
    return IllegalMove(_exposed(board))


def _bad_step(board: chess.Board, source: chess.Square, target: chess.Square, piece: str) -> IllegalMove:
    """The fault of a move of one's own piece to a square without a piece of one's own."""
    far = chess.BB_SQUARES[target] & chess.BB_BACKRANKS
    promotes = bool(board.pawns & chess.BB_SQUARES[source] and far)
    bare = chess.Move(source, target, chess.QUEEN if promotes else None)
    kind = chess.PIECE_NAMES[board.piece_type_at(source) or 0]
    if not board.is_pseudo_legal(bare):
        castling = board.kings & chess.BB_SQUARES[source] and abs(source - target) == 2
        if castling:
            return IllegalMove(NO_CASTLING)
        return IllegalMove(naming(f"a {kind} cannot go from {{}} to {{}}", _name, source ^ FLIP, target ^ FLIP))
    if not board.is_legal(bare):
        return IllegalMove(_exposed(board))
    if promotes:
        return IllegalMove(f"a pawn is not promoted to {piece!r:.20}", Why.NO_SUCH_PIECE)
    return IllegalMove(f"this move promotes nothing to {piece!r:.20}", Why.NO_SUCH_PIECE)


def _name(number: int) -> str:
    return chess.SQUARE_NAMES[number ^ FLIP]


def _exposed(board: chess.Board) -> str:
    """Why a move that the pieces could make is forbidden all the same."""
    if board.captures_compulsory:
        return "a capture must be made"
    if isinstance(board, variant.RacingKingsBoard):
        return "no king may be in check after it"
    if isinstance(board, variant.AtomicBoard):
        return "it leaves the king in check, or explodes it"
    return "the king is in check" if board.is_check() else "it leaves the king in check"
