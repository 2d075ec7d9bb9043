"""A chess game as a GUI and its peer both know it: rule set, start position, moves; with rules where we have them.

A rule set without rules here (XBoard has many) is followed by its moves alone: nothing is judged then, and no position
can be shown. Rules: python-chess.

A peer's own words about the end never stand in a result: they go into the user's record. Source: XBoard 4.9.1, which
scores an engine's claim of its own win as a loss when two programs play and the board shows none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import chess

from gateway.games.chess.position import RULES, WITHOUT_CASTLING
from protocols.cecp import engine_lines

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
"""The rule sets that a GUI is offered: XBoard offers nothing else to its user."""

_REASONS: Final = (
    ("stalemate", "stalemate"),
    ("resign", "{loser} resigns"),
    ("mate", "{winner} mates"),
    ("time", "{loser} forfeits on time"),
    ("flag", "{loser} forfeits on time"),
    ("abandon", "{loser} abandoned the game"),
    ("agree", "draw agreed"),
    ("repetition", "repetition"),
    ("fold", "repetition"),
    ("fifty", "50-move rule"),
    ("50", "50-move rule"),
    ("75", "75-move rule"),
    ("material", "insufficient material"),
)
"""The meaning of a word in the peer's comment; the first word that is there counts."""

_BY_RULES: Final = ("stalemate", "mates", "repetition", "-move rule", "insufficient")


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
    """True if there are rules for this game, and its start is a position of them."""
    return _board(game) is not None


def drawish(game: Game) -> bool:
    """True if the rules let a player claim a draw here: a position for the third time, fifty moves without progress."""
    board = _replayed(game)
    return board is not None and (board.is_repetition(3) or board.halfmove_clock >= 100)


def same(one: Game, other: Game) -> bool:
    """True if both stand at the same position, however they came there; counters are not compared."""
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
    """The same board without going back move by move: a long game told at once would nest too deeply."""
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


def winner(result: str) -> int | None:
    """The side that won, None for a draw and for no result."""
    return {"1-0": 0, "0-1": 1}.get(result)


def reason(result: str, comment: str) -> str:
    """Why the game ended, in words of ours; "" where the comment says nothing that we know."""
    won = winner(result)
    known = next((words for word, words in _REASONS if word in comment.lower()), "")
    if won is None:
        return "" if "{" in known else known
    return known.format(winner=SIDES[won], loser=SIDES[1 - won])


def end_lines(result: str, why: str, opponent: int, *, offered: bool) -> list[str]:
    """The lines that end the game in the GUI; ``offered``: its user has offered a draw, which the GUI remembers.

    Nothing for "*": only a new position can show that.
    """
    won = winner(result)
    if result == "*":
        return []
    if won is None and offered:
        return [engine_lines.OFFER_DRAW, engine_lines.result(result, why)]
    if won is not None and won != opponent and "resigns" in why:
        return [engine_lines.RESIGN]
    return [engine_lines.result(result, why)]


def doubtful(result: str, why: str, opponent: int) -> bool:
    """True if a GUI that referees two programs would not believe this end: the engine's win, not seen on the board."""
    return winner(result) == opponent and not any(word in why for word in _BY_RULES)


def side_words(side: int) -> str:
    """ "White" or "Black"."""
    return SIDES[side != WHITE]
