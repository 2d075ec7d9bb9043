"""The men that each side of a game of chess has taken, by how much it leads, and the checks given in three-check.

The board alone says it: what lacks of the rule set's first array was taken, and a man more than that was a pawn. So
in a set-up position the men that it began without count as taken.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, TypeAlias

import chess
from chess import variant

from gateway.games.base import counted
from gateway.games.chess.position import RULES, WORDS
from protocols.core.model import Tally

POINTS: Final = (0, 1, 3, 3, 5, 9, 0)
"""The usual worth of the pieces in pawns, by python-chess's numbers."""

CHECKS: Final = 3

KEPT: Final = 1024
"""Countings kept: only a capture, a promotion or a check changes one, and hundreds of games go on at a time."""

Men: TypeAlias = tuple[int, ...]
"""The men of a side, by python-chess's numbers of the kinds."""

_NAMES: Final = tuple(tuple(f"{side} {word}" for word in WORDS) for side in ("white", "black"))


def tally(rules: str, board: chess.Board) -> tuple[Tally, ...]:
    """By seat; () where captured men change sides, for then the pockets show them."""
    if isinstance(board, variant.CrazyhouseBoard):
        return ()
    checks = (0, 0)
    if isinstance(board, variant.ThreeCheckBoard):
        left = board.remaining_checks
        checks = CHECKS - left[chess.WHITE], CHECKS - left[chess.BLACK]
    return _told(rules, _men(board, chess.WHITE), _men(board, chess.BLACK), checks)


@lru_cache(KEPT)
def _told(rules: str, white: Men, black: Men, checks: tuple[int, int]) -> tuple[Tally, ...]:
    first = _first(rules)
    lead = 0 if issubclass(RULES[rules], variant.SuicideBoard) else _lead(white, black) - _lead(*first)
    return (
        Tally(_gone(1, black, first[1]), _words(lead, checks[0])),
        Tally(_gone(0, white, first[0]), _words(-lead, checks[1])),
    )


def _men(board: chess.Board, side: chess.Color) -> Men:
    own = board.occupied_co[side]
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    return (0, *[(own & men).bit_count() for men in kinds])


@cache
def _first(rules: str) -> tuple[Men, Men]:
    """White's and Black's men in the first array of a rule set."""
    board = RULES[rules]()
    return _men(board, chess.WHITE), _men(board, chess.BLACK)


def _lead(white: Men, black: Men) -> int:
    """White's lead in pawns."""
    return sum([(own - other) * points for own, other, points in zip(white, black, POINTS, strict=True)])


def _gone(seat: int, has: Men, first: Men) -> dict[str, int]:
    """The men of a seat that were taken, the strongest first."""
    gone = [full - left for full, left in zip(first, has, strict=True)]
    gone[chess.PAWN] += sum(min(0, more) for more in gone[chess.KNIGHT :])
    return {_NAMES[seat][kind]: gone[kind] for kind in range(chess.KING, 0, -1) if gone[kind] > 0}


def _words(lead: int, checks: int) -> str:
    said = [f"+{lead}"] if lead > 0 else []
    if checks:
        said.append(counted(checks, "check"))
    return ", ".join(said)
