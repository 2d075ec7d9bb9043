"""How a game of chess ends by its rules, and when the seat to move may claim a draw.

Not here: flags, resignation and agreed draws, which are the table's. Sources: FIDE's Laws of Chess, articles 5, 6.9 and
9, and python-chess for the rule sets.
"""

from __future__ import annotations

from typing import Final

import chess
from chess import variant

from gateway.games.chess.legal import can_move, in_check
from gateway.games.chess.position import Position
from protocols.core.model import Outcome, Reason

FIVEFOLD: Final = 5
THREEFOLD: Final = 3
SEVENTY_FIVE_MOVES: Final = 150
FIFTY_MOVES: Final = 100
"""In plies without a capture or a pawn's move."""

_SPECIAL: Final = {
    "atomic": "king exploded",
    "kingofthehill": "king of the hill",
    "3check": "three checks",
    "racingkings": "king on the eighth rank",
    "horde": "horde destroyed",
    "giveaway": "no move left",
    "suicide": "stalemate with fewer pieces",
}
"""What decided a game by the rule that its rule set adds to chess."""

_SPECIAL_DRAWS: Final = {
    "racingkings": "both kings on the eighth rank",
    "suicide": "stalemate with equal pieces",
}


def outcome(position: Position) -> Outcome | None:
    """How the game ended; None while it goes on. Worked out once."""
    try:
        return position.ended
    except AttributeError:
        found = _outcome(position)
        object.__setattr__(position, "ended", found)
        return found


def claim(position: Position) -> str:
    """Why the seat to move may claim a draw; "" when it may not."""
    if outcome(position) is not None:
        return ""
    if _occurred(position, THREEFOLD):
        return "threefold repetition"
    return "fifty moves" if _idle(position.board, FIFTY_MOVES) else ""


def _outcome(position: Position) -> Outcome | None:
    board = position.board
    special = _special(position)
    if special is not None:
        return special
    stuck = not can_move(position)
    if stuck and in_check(position):
        return Outcome(int(board.turn), Reason.RULES, "checkmate")
    for drawn, detail in (
        (board.is_insufficient_material(), "insufficient material"),
        (stuck, "stalemate"),
        (_idle(board, SEVENTY_FIVE_MOVES), "seventy-five moves"),
        (_occurred(position, FIVEFOLD), "fivefold repetition"),
    ):
        if drawn:
            return Outcome(None, Reason.RULES, detail)
    return None


def _special(position: Position) -> Outcome | None:
    """The end by what a rule set adds to chess. Seat 0 is White, and chess.WHITE is True."""
    board = position.board
    if type(board) is chess.Board:
        return None
    lost = board.is_variant_loss()
    if lost or board.is_variant_win():
        bare = isinstance(board, variant.SuicideBoard) and not all(board.occupied_co)
        detail = "all pieces lost" if bare else _SPECIAL[position.rules]
        return Outcome(int(board.turn == lost), Reason.RULES, detail)
    if board.is_variant_draw():
        return Outcome(None, Reason.RULES, _SPECIAL_DRAWS.get(position.rules, _SPECIAL[position.rules]))
    return None


def _idle(board: chess.Board, plies: int) -> bool:
    """Whether so many plies went by without progress. In crazyhouse every piece comes back: there is no such rule."""
    return board.halfmove_clock >= plies and not isinstance(board, variant.CrazyhouseBoard)


def _occurred(position: Position, times: int) -> bool:
    """Whether the position stands on the board for the ``times``-th time at least."""
    return len(position.seen) >= 2 * times - 2 and position.seen.count(position.key) >= times - 1
