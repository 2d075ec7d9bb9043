"""A chess position as a value: a board of python-chess that is never changed, and the past that repetition needs.

python-chess tries moves on the board it is asked about and takes them back at once: a position belongs to one thread.

Squares of python-chess count from a1 upwards, ours from a8 downwards: one is the other with the row turned over.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, TypeAlias

import chess
import msgspec
from chess import variant

from protocols.core.model import Move

RULES: Final[Mapping[str, type[chess.Board]]] = {
    "normal": chess.Board,
    "fischerandom": chess.Board,
    "crazyhouse": variant.CrazyhouseBoard,
    "atomic": variant.AtomicBoard,
    "3check": variant.ThreeCheckBoard,
    "suicide": variant.SuicideBoard,
    "giveaway": variant.GiveawayBoard,
    "kingofthehill": variant.KingOfTheHillBoard,
    "racingkings": variant.RacingKingsBoard,
    "horde": variant.HordeBoard,
}
"""The rule sets by XBoard's names."""

WITHOUT_CASTLING: Final = frozenset({"suicide"})
"""Rule sets whose start and set-ups have no castling rights, though python-chess knows some. FICS says of suicide chess
"Castling is not permitted"; giveaway is ICC's, where it is."""

WORDS: Final = ("", "pawn", "knight", "bishop", "rook", "queen", "king")
"""Pieces by python-chess's numbers."""

KINDS: Final[Mapping[str, chess.PieceType]] = {word: kind for kind, word in enumerate(WORDS) if word}

LETTERS: Final[Mapping[str, str]] = {chess.piece_symbol(kind): word for word, kind in KINDS.items()}
"""FEN's small letters and the words for them."""

NAMES: Final[Mapping[str, str]] = {
    **{letter.upper(): f"white {word}" for letter, word in LETTERS.items()},
    **{letter: f"black {word}" for letter, word in LETTERS.items()},
}
"""The piece on a square, by its letter in FEN."""

FLIP: Final = 56
"""XOR with it turns the row of a square number over."""

_STEPPING: Final = (chess.Board, variant.HordeBoard, variant.KingOfTheHillBoard)
"""Boards on which a plain move does no more than in chess."""

Key: TypeAlias = tuple[object, ...]
"""The parts that must be equal for a position to count as repeated."""

_MEN: Final = tuple([f"{side} {word}" for word in WORDS] for side in ("white", "black"))
"""By seat and by python-chess's number of the piece: what stands on a square."""

STEPS: Final = [[Move(source ^ FLIP, target ^ FLIP) for target in range(64)] for source in range(64)]


class Position(msgspec.Struct, frozen=True, eq=False, dict=True):
    """``rules`` is the rule set. ``board`` is never changed, and is private to the rules of chess.

    ``seen`` are the keys of the earlier positions that can come again, ``root`` the first of them and ``made`` the
    moves since. What is worked out once about a position is kept in its ``__dict__``: no part of its value, and never
    pickled.
    """

    rules: str
    board: chess.Board
    key: Key
    seen: tuple[Key, ...] = ()
    root: chess.Board | None = None
    made: tuple[chess.Move, ...] = ()

    @property
    def counters(self) -> tuple[int, int]:
        """FEN's last two: plies without progress, and the number of the move."""
        return self.board.halfmove_clock, self.board.fullmove_number

    def __eq__(self, other: object) -> bool:
        """The board and the moves made say no more than the key, the counters and the keys of the past."""
        if not isinstance(other, Position):
            return NotImplemented
        mine, theirs = (self.rules, self.key, self.counters), (other.rules, other.key, other.counters)
        return mine == theirs and self.seen == other.seen

    def __hash__(self) -> int:
        return hash((self.key, self.counters, len(self.seen)))


def placed(rules: str, board: chess.Board) -> Position:
    """The position on ``board``, without a past. The board is the position's from now on."""
    board.castling_rights = board.clean_castling_rights()
    return Position(rules, board, _key(board))


def pushed(position: Position, move: chess.Move, plain: bool = False) -> Position:
    """The position after a legal move; ``plain`` where it is neither castling, nor en passant, drop or promotion."""
    before = position.board
    if plain and type(before) in _STEPPING:
        board = copied(before)
        _step(board, move)
    else:
        board = before.copy(stack=False)
        board.push(move)
    if not _may_recur(before, board):
        return Position(position.rules, board, _key(board))
    seen, made = (*position.seen, position.key), (*position.made, move)
    return Position(position.rules, board, _key(board), seen, position.root or before, made)


def copied(board: chess.Board) -> chess.Board:
    """``board.copy(stack=False)`` for a third of its cost: python-chess clears a board first, then fills it."""
    made: chess.Board = object.__new__(type(board))
    made.pawns, made.knights, made.bishops = board.pawns, board.knights, board.bishops
    made.rooks, made.queens, made.kings = board.rooks, board.queens, board.kings
    made.occupied, made.occupied_co, made.promoted = board.occupied, [*board.occupied_co], board.promoted
    made.chess960, made.turn, made.ep_square = board.chess960, board.turn, board.ep_square
    made.castling_rights, made.halfmove_clock = board.castling_rights, board.halfmove_clock
    made.fullmove_number, made.move_stack, made._stack = board.fullmove_number, [], []
    return made


def _step(board: chess.Board, move: chess.Move) -> None:
    """The effect of ``push`` for a plain move, for a third of its cost: nothing is kept for taking the move back."""
    source, target, turn = chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square], board.turn
    both = source | target
    board.castling_rights &= ~both
    board.ep_square = None
    board.halfmove_clock += 1
    if target & board.occupied:
        board.remove_piece_at(move.to_square)
        board.halfmove_clock = 0
    if source & board.pawns:
        board.pawns ^= both
        board.halfmove_clock = 0
        if abs(move.to_square - move.from_square) == 16:
            board.ep_square = (move.from_square + move.to_square) // 2
    elif source & board.knights:
        board.knights ^= both
    elif source & board.bishops:
        board.bishops ^= both
    elif source & board.rooks:
        board.rooks ^= both
    elif source & board.queens:
        board.queens ^= both
    else:
        board.kings ^= both
        board.castling_rights &= ~(chess.BB_RANK_1 if turn else chess.BB_RANK_8)
    if source & board.promoted:
        board.promoted ^= both
    board.occupied ^= both
    board.occupied_co[turn] ^= both
    board.fullmove_number += not turn
    board.turn = not turn


def _may_recur(before: chess.Board, after: chess.Board) -> bool:
    """True if positions before a move can come again after it. Captured pieces do in crazyhouse."""
    if after.castling_rights != before.castling_rights:
        return False
    return after.halfmove_clock > 0 or isinstance(after, variant.CrazyhouseBoard)


def _key(board: chess.Board) -> Key:
    """An en-passant square counts where a pawn can be taken there, as it does for FIDE."""
    passed = board.ep_square
    if passed is not None and not board.has_legal_en_passant():
        passed = None
    white, castling = board.occupied_co[chess.WHITE], board.castling_rights
    men = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    extra = None if type(board) is chess.Board else _extra(board, castling)
    return (board.occupied, passed, *men, white, board.turn, castling, extra)


def _extra(board: chess.Board, castling: chess.Bitboard) -> object:
    """The state that only some rule sets have: pieces in hand, checks left, kings by promotion, which never castle."""
    if isinstance(board, variant.CrazyhouseBoard):
        return (board.promoted, *map(str, board.pockets))
    if isinstance(board, variant.ThreeCheckBoard):
        return tuple(board.remaining_checks)
    return castling and board.promoted & board.kings if isinstance(board, variant.SuicideBoard) else None


def passed_square(position: Position) -> int | None:
    """The square where a pawn can be taken en passant, as python-chess counts squares; None without one."""
    found = position.key[1]
    return found if isinstance(found, int) else None


def castling(position: Position) -> chess.Bitboard:
    """The squares of the rooks that may still castle."""
    found = position.key[-2]
    return found if isinstance(found, int) else chess.BB_EMPTY


def changed(before: chess.Board, after: chess.Board) -> list[tuple[int, str | None]]:
    """The squares that one move changes, rising, each with what stands there after.

    Only in castling a square may keep its side and change its piece; the king leaves or enters it then.
    """
    white = after.occupied_co[chess.WHITE]
    left = (before.occupied ^ after.occupied) | (before.occupied_co[chess.WHITE] ^ white) | (before.kings ^ after.kings)
    found: list[tuple[int, str | None]] = []
    while left:
        bit = left & -left
        square = bit.bit_length() - 1
        kind = after.piece_type_at(square) if bit & after.occupied else 0
        found.append((square ^ FLIP, _MEN[0 if white & bit else 1][kind or 0] if kind else None))
        left ^= bit
    found.sort()
    return found


def hands(board: chess.Board) -> tuple[dict[str, int], ...]:
    """Crazyhouse's pockets by seat, pawns first; () under other rules."""
    if not isinstance(board, variant.CrazyhouseBoard):
        return ()
    pockets = (board.pockets[chess.WHITE], board.pockets[chess.BLACK])
    return tuple(
        {word: pocket.count(kind) for kind, word in enumerate(WORDS) if kind and pocket.count(kind)}
        for pocket in pockets
    )


def ours(move: chess.Move) -> Move:
    """A move of python-chess in the words of this house."""
    if move.promotion is None and move.drop is None:
        return STEPS[move.from_square][move.to_square]
    return _with_piece(move.from_square, move.to_square, move.promotion, move.drop)


@cache
def _with_piece(source: int, target: int, promotion: int | None, drop: int | None) -> Move:
    if drop is not None:
        return Move(None, target ^ FLIP, WORDS[drop])
    return Move(source ^ FLIP, target ^ FLIP, WORDS[promotion or 0])
