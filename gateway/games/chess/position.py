"""A chess position as a value: a board of python-chess that nobody changes, and the past that repetition needs.

Not here: which moves are legal (legal.py), how a game ends (end.py), text (fen.py), notation (notation.py).
python-chess tries moves on the board it is asked about and takes them back at once: a position belongs to one thread.

Squares of python-chess count from a1 upwards, ours from a8 downwards: one is the other with the row turned over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeAlias

import chess
from chess import variant

from protocols.core.model import Move, Outcome

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
"""What stands on a square, by its letter in FEN."""

FLIP: Final = 56
"""XOR with it turns the row of a square number over."""

Key: TypeAlias = tuple[object, ...]
"""What must be equal for a position to count as repeated."""

_MEN: Final = tuple([f"{side} {word}" for word in WORDS] for side in ("white", "black"))
"""By seat and by python-chess's number of the piece: what stands on a square."""

_STEPS: Final = [[Move(source ^ FLIP, target ^ FLIP) for target in range(64)] for source in range(64)]


class _Memo:
    """What is worked out once about a position and kept with it; no part of its value, and never pickled."""

    __slots__ = ("after", "checked", "ended", "legal")

    checked: bool
    after: tuple[Move, chess.Move, Position]
    ended: Outcome | None
    legal: dict[Move, chess.Move]


@dataclass(frozen=True, slots=True)
class Position(_Memo):
    """``rules`` is the rule set. ``board`` is never changed, and nobody outside the rules of chess looks at it.

    ``seen`` are the keys of the earlier positions that can come again, ``root`` the first of them and ``made`` the
    moves since. ``counters`` are FEN's last two: plies without progress, and the number of the move.
    """

    rules: str
    board: chess.Board = field(compare=False)
    key: Key
    counters: tuple[int, int]
    seen: tuple[Key, ...] = ()
    root: chess.Board | None = field(default=None, compare=False)
    made: tuple[chess.Move, ...] = field(default=(), compare=False)

    def __hash__(self) -> int:
        return hash((self.key, self.counters, len(self.seen)))


def placed(rules: str, board: chess.Board) -> Position:
    """The position on ``board``, without a past. The board is the position's from now on."""
    return Position(rules, board, _key(board), (board.halfmove_clock, board.fullmove_number))


def pushed(position: Position, move: chess.Move) -> Position:
    """The position after a legal move."""
    before, board = position.board, position.board.copy(stack=False)
    board.push(move)
    if not _may_recur(castling(position), board):
        return placed(position.rules, board)
    counters = (board.halfmove_clock, board.fullmove_number)
    seen, made = (*position.seen, position.key), (*position.made, move)
    return Position(position.rules, board, _key(board), counters, seen, position.root or before, made)


def _may_recur(castling: chess.Bitboard, after: chess.Board) -> bool:
    """Whether positions before a move, with these castling rights then, can come again after it.

    Captured pieces do in crazyhouse.
    """
    if after.castling_rights != castling:
        return False
    return after.halfmove_clock > 0 or isinstance(after, variant.CrazyhouseBoard)


def _key(board: chess.Board) -> Key:
    """An en-passant square counts where a pawn can be taken there, as it does for FIDE."""
    passed = board.ep_square if board.has_legal_en_passant() else None
    white, castling = board.occupied_co[chess.WHITE], board.clean_castling_rights()
    men = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    extra: object = None
    if isinstance(board, variant.CrazyhouseBoard):
        extra = (board.promoted, *map(str, board.pockets))
    elif isinstance(board, variant.ThreeCheckBoard):
        extra = tuple(board.remaining_checks)
    elif isinstance(board, variant.SuicideBoard):
        extra = castling and board.promoted & board.kings  # a king by promotion never castles
    return (board.occupied, passed, *men, white, board.turn, castling, extra)


def passed_square(position: Position) -> int | None:
    """Where a pawn can be taken en passant, as python-chess counts squares; None where none can."""
    found = position.key[1]
    return found if isinstance(found, int) else None


def castling(position: Position) -> chess.Bitboard:
    """The squares of the rooks that may still castle."""
    found = position.key[-2]
    return found if isinstance(found, int) else chess.BB_EMPTY


def changed(before: chess.Board, after: chess.Board) -> list[tuple[int, str | None]]:
    """The squares that differ, rising, each with what stands there after."""
    left = (before.pawns ^ after.pawns) | (before.knights ^ after.knights) | (before.bishops ^ after.bishops)
    left |= (before.rooks ^ after.rooks) | (before.queens ^ after.queens) | (before.kings ^ after.kings)
    white = after.occupied_co[chess.WHITE]
    left |= before.occupied_co[chess.WHITE] ^ white
    found: list[tuple[int, str | None]] = []
    for square in chess.scan_forward(left):
        kind = after.piece_type_at(square)
        side = 0 if white & chess.BB_SQUARES[square] else 1
        found.append((square ^ FLIP, _MEN[side][kind] if kind else None))
    found.sort()
    return found


def ours(move: chess.Move) -> Move:
    """A move of python-chess in the words of this house."""
    if move.promotion is None and move.drop is None:
        return _STEPS[move.from_square][move.to_square]
    return _with_piece(move.from_square, move.to_square, move.promotion, move.drop)


@cache
def _with_piece(source: int, target: int, promotion: int | None, drop: int | None) -> Move:
    if drop is not None:
        return Move(None, target ^ FLIP, WORDS[drop])
    return Move(source ^ FLIP, target ^ FLIP, WORDS[promotion or 0])
