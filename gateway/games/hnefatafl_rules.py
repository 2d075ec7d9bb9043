"""How a position of hnefatafl goes on: which moves there are, what comes of one, whether it is over.

Not here: which rule set says what (hnefatafl.py explains, hnefatafl_board.py tabulates), and how a refusal is worded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from gateway.games import hnefatafl_capture as capture
from gateway.games import hnefatafl_forts as forts
from gateway.games.hnefatafl_board import Board, Path, board
from protocols.core.model import Move, Outcome, Reason

MEMORY: Final = 80
"""Plies without a capture that are remembered for the repetition rule: forty moves each, so that the text of a
position stays short however long two players shuffle."""


class _Memo:
    """What is worked out once about a position and kept with it; no part of its value, and never pickled."""

    __slots__ = ("after", "verdict")

    after: tuple[Move, Position]
    verdict: tuple[Outcome | None]


@dataclass(frozen=True, slots=True)
class Position(_Memo):
    """Sets of squares as in hnefatafl_board; ``king`` 0 once he is captured. ``turn`` is the seat to move.

    ``quiet`` are the last moves since a capture, as they are written, at most MEMORY; ``seen`` the positions (``key``)
    they were made in. Both stay empty where no rule asks for repetitions.
    """

    variant: str
    attackers: int
    defenders: int
    king: int
    turn: int = 0
    quiet: tuple[str, ...] = ()
    seen: tuple[int, ...] = field(default=(), compare=False, repr=False)


def key(position: Position) -> int:
    """One number a position of a rule set, its history left out."""
    pieces = position.attackers << 256 | position.defenders << 128 | position.king
    return pieces << 1 | position.turn


def attacking(position: Position) -> bool:
    """Whether the attackers are to move."""
    return position.turn == board(position.variant).rules.attackers


def open_path(tables: Board, position: Position, path: Path) -> bool:
    """Whether the seat to move has a piece to move on ``path`` and nothing stands in its way."""
    own = position.attackers if attacking(position) else position.defenders | position.king
    occupied = position.attackers | position.defenders | position.king
    return bool(own & path.source) and not occupied & (path.between | path.target)


def moves(tables: Board, position: Position) -> Iterator[Move]:
    """Every move of the seat to move, by rising source, as if the game went on."""
    own = position.attackers if attacking(position) else position.defenders | position.king
    occupied = position.attackers | position.defenders | position.king
    while own:
        source = own & -own
        own ^= source
        for ray in (tables.king_rays if source == position.king else tables.soldier_rays)[source]:
            for square, path in ray:
                if occupied & square:
                    break
                if path is not None:
                    yield path.move


def moved(tables: Board, position: Position, path: Path) -> Position:
    """The position after a legal move."""
    change = path.source | path.target
    attackers, defenders, king = position.attackers, position.defenders, position.king
    if attackers & path.source:
        attackers ^= change
        taken = capture.by_attackers(tables, attackers, defenders, king, path.target)
        defenders, king = defenders & ~taken, king & ~taken
    else:
        defenders, king = (defenders, path.target) if king & path.source else (defenders ^ change, king)
        taken = capture.by_defenders(tables, attackers, defenders, king, path.target)
        attackers &= ~taken
    if taken or not tables.rules.repetition:
        return Position(position.variant, attackers, defenders, king, 1 - position.turn)
    quiet, seen = (*position.quiet, path.written)[-MEMORY:], (*position.seen, key(position))[-MEMORY:]
    return Position(position.variant, attackers, defenders, king, 1 - position.turn, quiet, seen)


def judged(tables: Board, position: Position) -> Outcome | None:
    """How the game ended; None while it goes on. Worked out anew at each call."""
    attackers = tables.rules.attackers
    if lost := _attackers_won(tables, position):
        return Outcome(attackers, Reason.RULES, lost)
    if won := _defenders_won(tables, position):
        return Outcome(1 - attackers, Reason.RULES, won)
    if not _can_move(tables, position):
        return Outcome(1 - position.turn, Reason.RULES, "no legal move")
    return None


def _attackers_won(tables: Board, position: Position) -> str:
    if not position.king:
        return "king captured"
    if tables.rules.encirclement and forts.encircled(tables, position.attackers, position.defenders | position.king):
        return "defenders encircled"
    return "perpetual repetition" if position.seen and position.seen.count(key(position)) >= 2 else ""


def _defenders_won(tables: Board, position: Position) -> str:
    if position.king & tables.goals:
        return "king escaped"
    if tables.rules.forts and forts.exit_fort(tables, position.attackers, position.defenders, position.king):
        return "exit fort"
    return ""


def _can_move(tables: Board, position: Position) -> bool:
    soldiers = position.attackers if attacking(position) else position.defenders
    free = tables.all & ~(position.attackers | position.defenders | position.king)
    if tables.grown(soldiers) & free & ~tables.closed:
        return True
    return next(moves(tables, position), None) is not None
