"""Chess positions as text: FEN, the moves since, and what may stand in ``settings.start``.

protocols/chess_words/fen.py compares the FENs of other programs. Sources: the PGN standard (FEN), X-FEN and
Shredder-FEN for Chess960, python-chess's forms of crazyhouse's pockets and of the checks left in three-check.

What is read is one of these, words separated by blanks:

    FEN                          castling rights, en passant and the counters may be missing: none, none, 0 and 1
    moves e2e4 e7e5 ...          from the rule set's own first position, as UCI writes moves
    FEN moves e2e4 e7e5 ...      from that position
    FEN from FEN moves e2e4 ...  the first position, reached from the second by these moves: what ``text`` writes

A FEN may also have dots for empty squares and seat 0 or 1 to move: what a program writes that was told a board only.
Castling rights and an en-passant square are a guess then, and dropped where they cannot be.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import chess
from chess import variant

from gateway.games.chess import end as chess_end
from gateway.games.chess.position import (
    FLIP,
    RULES,
    WITHOUT_CASTLING,
    Position,
    castling,
    passed_square,
    placed,
    pushed,
)
from protocols.core.errors import Refused, Why

LONGEST_START: Final = 10_000
"""Characters of a start that is read: two thousand moves, more than any game had; reading them takes a fifth of a
second."""

ROWS: Final = 8192
"""Rows of boards whose text is kept, some megabytes: of eight rows a move changes one or two, and games are alike."""

LARGEST_COUNTER: Final = 9999

SHOWN: Final = 100
"""Characters of a text that an error shows, and of what is wrong with it."""

_TURNS: Final[Mapping[str, str]] = {"0": "w", "1": "b", "white": "w", "black": "b"}
_RUNS: Final = [("." * count, str(count)) for count in range(8, 0, -1)]
_SPREAD: Final = [sum(16 ** (7 - file) for file in range(8) if row >> file & 1) for row in range(256)]
"""By the bits of a row, the a-file's the lowest: a number with a hexadecimal digit 1 for each, the a-file's first."""
_LETTERS: Final = str.maketrans("0123456789abcde", ".PNBRQK??pnbrqk")
"""The letters of such digits after they have been added up: 1 to 6 for the kinds, and 8 for Black's."""
_AT: Final = {1 << square: square ^ FLIP for square in range(64)}
_CORNERS: Final = ((chess.BB_H1, "K"), (chess.BB_A1, "Q"), (chess.BB_H8, "k"), (chess.BB_A8, "q"))

_FAULTS: Final[Mapping[chess.Status, str]] = {
    chess.STATUS_EMPTY: "the board is empty",
    chess.STATUS_NO_WHITE_KING: "White has no king",
    chess.STATUS_NO_BLACK_KING: "Black has no king",
    chess.STATUS_TOO_MANY_KINGS: "there are too many kings",
    chess.STATUS_TOO_MANY_WHITE_PAWNS: "White has too many pawns",
    chess.STATUS_TOO_MANY_BLACK_PAWNS: "Black has too many pawns",
    chess.STATUS_PAWNS_ON_BACKRANK: "a pawn stands on the first or last rank",
    chess.STATUS_TOO_MANY_WHITE_PIECES: "White has too many pieces",
    chess.STATUS_TOO_MANY_BLACK_PIECES: "Black has too many pieces",
    chess.STATUS_BAD_CASTLING_RIGHTS: "king or rook have left the square they would castle from",
    chess.STATUS_INVALID_EP_SQUARE: "no pawn has just passed the en-passant square",
    chess.STATUS_OPPOSITE_CHECK: "the side that is not to move is in check",
    chess.STATUS_RACE_CHECK: "nobody may be in check",
    chess.STATUS_RACE_OVER: "both kings are there already",
    chess.STATUS_RACE_MATERIAL: "there are pieces that the race does not have",
    chess.STATUS_TOO_MANY_CHECKERS: "too many pieces give check",
    chess.STATUS_IMPOSSIBLE_CHECK: "no move can lead to this check",
}


def cells(board: chess.Board) -> list[str]:
    """The 64 squares by our numbers: FEN's letters, "." where nothing stands."""
    found = ["."] * 64
    white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    men = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    for colour, letters in ((white, "PNBRQK"), (black, "pnbrqk")):
        for kind, letter in zip(men, letters, strict=True):
            left = kind & colour
            while left:
                bit = left & -left
                found[_AT[bit]] = letter
                left ^= bit
    return found


def rows(found: list[str], between: str) -> str:
    """The eight rows of the squares, top row first."""
    return between.join(["".join(found[at : at + 8]) for at in range(0, 64, 8)])


def fen(board: chess.Board, passed: int | None, rights: chess.Bitboard) -> str:
    """The FEN; ``passed`` is the en-passant square where a pawn can be taken there, ``rights`` are for castling."""
    pockets, checks = "", ""
    marked = 0
    if isinstance(board, variant.CrazyhouseBoard):
        pockets = f"[{str(board.pockets[chess.WHITE]).upper()}{board.pockets[chess.BLACK]}]"
        marked = board.promoted
    elif isinstance(board, variant.ThreeCheckBoard):
        checks = f"{board.remaining_checks[chess.WHITE]}+{board.remaining_checks[chess.BLACK]} "
    elif isinstance(board, variant.SuicideBoard):
        marked = rights and board.promoted & board.kings  # none of these castles
    castles = board.castling_xfen() if board.chess960 else _corners(rights)
    where = "-" if passed is None else chess.SQUARE_NAMES[passed]
    turn, counters = "w" if board.turn else "b", f"{board.halfmove_clock} {board.fullmove_number}"
    return f"{_men(board, marked)}{pockets} {turn} {castles} {where} {checks}{counters}"


def _men(board: chess.Board, marked: chess.Bitboard) -> str:
    """The eight rows as FEN writes them, "~" behind the pieces that are marked."""
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    planes = (*kinds, board.occupied_co[chess.BLACK], marked)
    return "/".join(map(_row, *[plane.to_bytes(8, "big") for plane in planes]))


@lru_cache(ROWS)
def _row(pawns: int, knights: int, bishops: int, rooks: int, queens: int, kings: int, black: int, marked: int) -> str:
    """One row; each number has a bit for every square where such a piece stands, the a-file's is the lowest."""
    digits = _SPREAD[pawns] + 2 * _SPREAD[knights] + 3 * _SPREAD[bishops] + 4 * _SPREAD[rooks]
    digits += 5 * _SPREAD[queens] + 6 * _SPREAD[kings] + 8 * _SPREAD[black]
    row = f"{digits:08x}".translate(_LETTERS)
    if marked:
        row = "".join([letter + "~" * (marked >> file & 1) for file, letter in enumerate(row)])
    for run, count in _RUNS:
        row = row.replace(run, count)
    return row


def _corners(rights: chess.Bitboard) -> str:
    """Castling rights where rooks begin in the corners."""
    return "".join([letter for corner, letter in _CORNERS if rights & corner]) or "-"


def brief(position: Position) -> str:
    """The FEN of the position."""
    return fen(position.board, passed_square(position), castling(position))


def text(position: Position) -> str:
    """The FEN, and where there is a past that repetition needs, how it came to it."""
    if position.root is None:
        return brief(position)
    moves = " ".join(move.uci() for move in position.made)
    return f"{brief(position)} from {brief(placed(position.rules, position.root))} moves {moves}"


def read(rules: str, usual: chess.Board, start: str) -> Position:
    """The position that ``start`` means; ``usual`` is the rule set's own first. Refused (BAD_OPTION) says why not."""
    try:
        return _read(rules, usual, start)
    except ValueError as error:
        raise Refused(
            Why.BAD_OPTION, f"no position of {rules} chess: {start[:SHOWN]!r} ({error!s:.{SHOWN}})"
        ) from error


def _read(rules: str, usual: chess.Board, start: str) -> Position:
    if len(start) > LONGEST_START:
        raise ValueError(f"{len(start)} characters, more than {LONGEST_START}")
    head, moves = _parted(start.split(), "moves")
    written, origin = _parted(head, "from")
    root = origin or written
    position = placed(rules, _board(rules, root) if root else usual)
    for word in moves:
        if chess_end.outcome(position) is not None:
            raise ValueError(f"the game is over before {word}")
        position = pushed(position, _move(position.board, word))
    if origin and brief(position) != brief(placed(rules, _board(rules, written))):
        raise ValueError(f"the moves lead to {brief(position)}")
    return position


def _parted(words: list[str], at: str) -> tuple[list[str], list[str]]:
    """The words before and behind the first ``at``."""
    return (words[: words.index(at)], words[words.index(at) + 1 :]) if at in words else (words, [])


def _move(board: chess.Board, word: str) -> chess.Move:
    try:
        move = board.parse_uci(word)
    except ValueError:
        raise ValueError(
            f"{word} is not a legal move in {fen(board, board.ep_square, board.clean_castling_rights())}"
        ) from None
    if not move:
        raise ValueError(f"{word} is no move")
    return move


def _board(rules: str, words: list[str]) -> chess.Board:
    """The board of a FEN, by its words. ValueError says what is wrong with it."""
    men = re.sub(r"\.{1,8}", lambda run: str(len(run[0])), words[0]) if words else ""
    board = RULES[rules].empty(chess960=rules == "fischerandom")
    if not isinstance(board, variant.CrazyhouseBoard):
        men = men.removesuffix("/")
    turn = words[1].lower() if len(words) > 1 else "w"
    board.set_fen(" ".join([men, _TURNS.get(turn, turn), *words[2:]]))
    if rules in WITHOUT_CASTLING:
        board.castling_rights = chess.BB_EMPTY
    _check_counts(board)
    if turn in ("0", "1"):
        board.castling_rights = board.clean_castling_rights()
        board.ep_square = board.ep_square if board.has_legal_en_passant() else None
    faults = [words for flag, words in _FAULTS.items() if flag & board.status()]
    if faults or not board.is_valid():
        raise ValueError("; ".join(faults) or "it cannot come about")
    return board


def _check_counts(board: chess.Board) -> None:
    """Check the parts that python-chess does not: pieces in hand, checks left, move counters."""
    if max(board.halfmove_clock, board.fullmove_number) > LARGEST_COUNTER:
        raise ValueError(f"a counter is larger than {LARGEST_COUNTER}")
    if isinstance(board, variant.CrazyhouseBoard):
        pockets = board.pockets
        held = sum(len(pocket) for pocket in pockets)
        if any(pocket.count(chess.KING) for pocket in pockets) or chess.popcount(board.occupied) + held > 32:
            raise ValueError("a king in hand, or more than 32 pieces")
    if isinstance(board, variant.ThreeCheckBoard) and not all(0 <= left <= 3 for left in board.remaining_checks):
        raise ValueError("each side has 0 to 3 checks left")
