"""Ends of a chess game by its rules, and the draws that the seat to move may claim.

Sources: FIDE's Laws of Chess, articles 5, 6.9 and 9, and python-chess for the rule sets.
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
"""The words for a game decided by the rule that its rule set adds to chess."""

_SPECIAL_DRAWS: Final = {
    "racingkings": "both kings on the eighth rank",
    "suicide": "stalemate with equal pieces",
}


def outcome(position: Position) -> Outcome | None:
    """The end of the game; None while it goes on. Worked out once."""
    known: dict[str, Outcome | None] = position.__dict__
    if "ended" not in known:
        known["ended"] = _outcome(position)
    return known["ended"]


def claim(position: Position) -> Outcome | None:
    """The draw that may be claimed; None when there is none."""
    if outcome(position) is not None:
        return None
    if _occurred(position, THREEFOLD):
        return Outcome(None, Reason.CLAIM, "threefold repetition")
    return Outcome(None, Reason.CLAIM, "fifty moves") if _idle(position.board, FIFTY_MOVES) else None


def _outcome(position: Position) -> Outcome | None:
    board = position.board
    if type(board) is not chess.Board and (special := _special(position)) is not None:
        return special
    stuck = not can_move(position)
    if stuck and in_check(position):
        return Outcome(int(board.turn), Reason.RULES, "checkmate")
    drawn = ""
    if not board.pawns and board.is_insufficient_material():  # a pawn is enough in every rule set
        drawn = "insufficient material"
    elif stuck:
        drawn = "stalemate"
    elif _idle(board, SEVENTY_FIVE_MOVES):
        drawn = "seventy-five moves"
    elif _occurred(position, FIVEFOLD):
        drawn = "fivefold repetition"
    return Outcome(None, Reason.RULES, drawn) if drawn else None


def _special(position: Position) -> Outcome | None:
    """The end by what a rule set adds to chess. Seat 0 is White, and chess.WHITE is True."""
    board = position.board
    if isinstance(board, variant.SuicideBoard) and can_move(position):
        return None  # asked at once: python-chess looks for a move for each of the three ends
    lost = board.is_variant_loss()
    if lost or board.is_variant_win():
        bare = isinstance(board, variant.SuicideBoard) and not all(board.occupied_co)
        detail = "all pieces lost" if bare else _SPECIAL[position.rules]
        return Outcome(int(board.turn == lost), Reason.RULES, detail)
    if board.is_variant_draw():
        return Outcome(None, Reason.RULES, _SPECIAL_DRAWS.get(position.rules, _SPECIAL[position.rules]))
    return None


def _idle(board: chess.Board, plies: int) -> bool:
    """True if so many plies went by without progress. In crazyhouse every piece comes back: there is no such rule."""
    return board.halfmove_clock >= plies and not isinstance(board, variant.CrazyhouseBoard)


def _occurred(position: Position, times: int) -> bool:
    """True if the position stands on the board for the ``times``-th time at least: none comes again in less than four
    plies, or with the other side to move."""
    seen = position.seen
    return len(seen) >= 4 * times - 4 and seen[-4::-2].count(position.key) >= times - 1
