"""A chess game as a GUI and its peer both know it: rule set, start position, moves; with rules where we have them.

Not here: who plays which side, clocks, results. A rule set without rules here (XBoard has many) is followed by its
moves alone: nothing is judged then, and no position can be shown. Rules: python-chess.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import chess

from gateway.games.chess.position import RULES, WITHOUT_CASTLING

WHITE: Final = 0
BLACK: Final = 1
SIDES: Final = ("White", "Black")

NORMAL: Final = "normal"

VARIANTS: Final = (
    *RULES,
    *("losers", "nocastle", "wildcastle", "twokings", "shatranj", "knightmate", "berolina", "cylinder", "makruk"),
    *("sittuyin", "asean", "spartan", "shogi", "xiangqi", "courier", "capablanca", "gothic", "caparandom", "janus"),
    *("falcon", "super", "great", "seirawan", "grand", "lion", "elven", "chu", "fairy", "unknown"),
)
"""What a GUI is told that it may choose: XBoard offers nothing else to its user."""


@dataclass(frozen=True, slots=True)
class Game:
    """``start`` is a FEN, "" for the usual position of ``variant``; ``moves`` are normal forms (see ``normal``)."""

    variant: str = NORMAL
    start: str = ""
    moves: tuple[str, ...] = ()

    def played(self, move: str) -> Game:
        """The game one move on."""
        return Game(self.variant, self.start, (*self.moves, move))

    def back(self, plies: int) -> Game:
        """The game so many moves ago, or at its start."""
        return Game(self.variant, self.start, self.moves[: max(0, len(self.moves) - plies)])


def normal(game: Game, move: str) -> str | None:
    """``move`` in the one form that we compare and show; None where it is not legal here.

    Coordinates with a small letter for a promotion; castling as the king's own target, and as O-O in Chess960. Without
    rules the text itself.
    """
    board = _board(game)
    if board is None:
        return move
    found = _reading(board, move)
    return board.xboard(found) if found else None  # a null move is False, and no move in any of these games


def to_move(game: Game) -> int:
    """The side that is on move."""
    fields = game.start.split()
    first = BLACK if len(fields) > 1 and fields[1] == "b" else WHITE
    return (first + len(game.moves)) % 2


def fen(game: Game) -> str | None:
    """The position, None where we have no rules for it."""
    board = _board(game)
    return board.fen() if board is not None else None


def known(game: Game) -> bool:
    """Whether there are rules for this game, and its start is a position of them."""
    return _board(game) is not None


def drawish(game: Game) -> bool:
    """Whether the rules let a player claim a draw here: a position for the third time, fifty moves without progress."""
    board = _replayed(game)
    return board is not None and (board.is_repetition(3) or board.halfmove_clock >= 100)


def same(one: Game, other: Game) -> bool:
    """Whether both stand at the same position, however they came there; counters are not compared."""
    if one.variant != other.variant:
        return False
    if one == other:
        return True
    boards = _board(one), _board(other)
    if boards[0] is None or boards[1] is None:
        return False
    return _key(boards[0]) == _key(boards[1])


def _key(board: chess.Board) -> str:
    """Placement, pieces in hand, side to move, castling rights, and en passant where a pawn can take so."""
    return " ".join(board.fen(shredder=True, en_passant="legal").split()[:4])


@lru_cache(maxsize=256)
def _board(game: Game) -> chess.Board | None:
    """The position by the rules; callers do not change it. None without rules, or where a move breaks them."""
    if game.moves:
        before = _board(game.back(1)) if len(game.moves) % 64 else _replayed(game.back(1))
        board = before.copy(stack=False) if before is not None else None
        return _pushed(board, game.moves[-1]) if board is not None else None
    rules = RULES.get(game.variant)
    if rules is None:
        return None
    try:
        board = rules(game.start or rules.starting_fen, chess960=game.variant == "fischerandom")
    except ValueError:
        return None
    if game.variant in WITHOUT_CASTLING:
        board.castling_rights = chess.BB_EMPTY
    return board


def _replayed(game: Game) -> chess.Board | None:
    """As ``_board``, without going back move by move: a long game told at once would nest too deeply."""
    start = _board(Game(game.variant, game.start))
    board = start.copy(stack=False) if start is not None else None
    for move in game.moves:
        board = _pushed(board, move) if board is not None else None
    return board


def _pushed(board: chess.Board, move: str) -> chess.Board | None:
    try:
        board.push(board.parse_xboard(move))
    except ValueError:
        return None
    return board


def _reading(board: chess.Board, move: str) -> chess.Move | None:
    """The legal move that these words mean; also with capital promotion letters and zeros in castling."""
    castling = move[:1] in "Oo0"
    plain = move.upper().replace("0", "O") if castling else move[:1] + move[1:].lower() if "@" in move else move.lower()
    try:
        return board.parse_xboard(plain)
    except ValueError:
        return None
