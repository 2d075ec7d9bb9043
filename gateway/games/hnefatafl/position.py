"""Legal moves of hnefatafl, the position after a move with its captures, enclosures, and the end of the game.

Enclosures, the defenders' exit fort and the attackers' ring around them all, are properties of a position, whichever
side moved last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from gateway.games.hnefatafl.board import Board, Path, board
from protocols.core.model import Move, Outcome, Reason

MEMORY: Final = 160
"""Plies without a capture that are remembered for the repetition rule: eighty moves each, so that the text of a
position stays short however long two players shuffle."""

CLAIMED: Final = 3
PERPETUAL: Final = 5
"""Occurrences of a position: what the attackers may claim the game at, and what ends it."""

REPETITION: Final = "perpetual repetition"


class _Memo:
    """Results that are worked out once and kept with a position; no part of its value, and never pickled."""

    __slots__ = ("after", "verdict")

    after: tuple[Move, Position]
    verdict: tuple[Outcome | None]


@dataclass(frozen=True, slots=True)
class Position(_Memo):
    """Sets of squares as in board.py; ``king`` 0 once he is captured. ``turn`` is the seat to move.

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


def occurred(position: Position, times: int) -> bool:
    """True if the position stands on the board for the ``times``-th time at least."""
    seen = position.seen
    return len(seen) >= 4 * times - 4 and seen.count(key(position)) >= times - 1


def attacking(position: Position) -> bool:
    """True if the attackers are to move."""
    return position.turn == board(position.variant).rules.attackers


def open_path(tables: Board, position: Position, path: Path) -> bool:
    """True if the seat to move has a piece to move on ``path`` and nothing stands in its way."""
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
        taken = _taken_by_attackers(tables, attackers, defenders, king, path.target)
        defenders, king = defenders & ~taken, king & ~taken
    else:
        defenders, king = (defenders, path.target) if king & path.source else (defenders ^ change, king)
        taken = _taken_by_defenders(tables, attackers, defenders, king, path.target)
        attackers &= ~taken
    if taken or not tables.rules.repetition:
        return Position(position.variant, attackers, defenders, king, 1 - position.turn)
    quiet, seen = (*position.quiet, path.written)[-MEMORY:], (*position.seen, key(position))[-MEMORY:]
    return Position(position.variant, attackers, defenders, king, 1 - position.turn, quiet, seen)


def judged(tables: Board, position: Position) -> Outcome | None:
    """The end of the game; None while it goes on. Worked out anew at each call."""
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
    if tables.rules.encirclement and _encircled(tables, position.attackers, position.defenders | position.king):
        return "defenders encircled"
    return REPETITION if occurred(position, PERPETUAL) else ""


def _defenders_won(tables: Board, position: Position) -> str:
    if position.king & tables.goals:
        return "king escaped"
    if tables.rules.forts and _exit_fort(tables, position.attackers, position.defenders, position.king):
        return "exit fort"
    return ""


def _can_move(tables: Board, position: Position) -> bool:
    soldiers = position.attackers if attacking(position) else position.defenders
    free = tables.all & ~(position.attackers | position.defenders | position.king)
    if tables.grown(soldiers) & free & ~tables.closed:
        return True
    return next(moves(tables, position), None) is not None


def _taken_by_attackers(tables: Board, attackers: int, defenders: int, king: int, target: int) -> int:
    """The captures of the attacker that has just arrived on ``target``; the king may be among them."""
    closing = attackers | tables.hostile & ~(defenders | king)
    taken = _sandwiched(tables, closing, defenders, target)
    if king & tables.neighbours[target] and _king_taken(tables, attackers, defenders, king, target):
        taken |= king
    if tables.rules.shieldwall and target & tables.edges:
        taken |= _walled(tables, attackers, defenders | king, target) & ~king
    return taken


def _taken_by_defenders(tables: Board, attackers: int, defenders: int, king: int, target: int) -> int:
    """The captures of the defender or king that has just arrived on ``target``: the king is armed."""
    own = defenders | king
    taken = _sandwiched(tables, own | tables.hostile & ~attackers, attackers, target)
    if tables.rules.shieldwall and target & tables.edges:
        taken |= _walled(tables, own, attackers, target)
    return taken


def _sandwiched(tables: Board, closing: int, others: int, target: int) -> int:
    """``others`` between ``target`` and a square that closes the trap from the far side."""
    taken = 0
    for beside, behind in tables.sandwiches[target]:
        if others & beside and closing & behind:
            taken |= beside
    return taken


def _king_taken(tables: Board, attackers: int, defenders: int, king: int, target: int) -> bool:
    """True if an attacker arriving on ``target``, beside the king, takes him."""
    if not king & tables.strong:
        return bool(_sandwiched(tables, attackers | tables.hostile & ~defenders, king, target))
    if king & tables.edges and not tables.rules.edge_hostile_to_king:
        return False
    walls = attackers | tables.king_walls & ~defenders
    return not tables.neighbours[king] & ~walls


def _walled(tables: Board, own: int, others: int, target: int) -> int:
    """Rows of two or more ``others`` along the edge, from ``target`` to a piece of one's own or a corner.

    Each of them must have one of one's ``own`` in front of it.
    """
    taken = 0
    for run in tables.edge_runs.get(target, ()):
        row = 0
        for square, front in run:
            if others & square and own & front:
                row |= square
                continue
            if row.bit_count() >= 2 and (own | tables.corners) & square:
                taken |= row
            break
    return taken


def _encircled(tables: Board, attackers: int, men: int) -> bool:
    """True if no defender nor the king (``men``) could walk to the edge if only attackers stood in the way."""
    reached = tables.edges & ~attackers
    while not reached & men:
        further = tables.grown(reached) & ~attackers
        if further == reached:
            return True
        reached = further
    return False


def _exit_fort(tables: Board, attackers: int, defenders: int, king: int) -> bool:
    """True if the king on the edge can move inside a fort that no moves of the attackers can open.

    What is proved is stronger than the rule asks: every empty square outside counts as if an attacker could stand
    there at any time. So a fort found here is one; a fort that holds only because attackers cannot come is played on.
    """
    if not king & tables.edges & ~tables.corners or not tables.neighbours[king] & ~(attackers | defenders):
        return False
    inside = _filled(tables, king, tables.all & ~(attackers | defenders))
    wall = tables.grown(inside) & ~inside
    return not wall & attackers and _holds(tables, inside, wall, defenders)


def _filled(tables: Board, area: int, within: int) -> int:
    """``area`` and all that can be reached from it over ``within``."""
    while (further := area | tables.grown(area) & within) != area:
        area = further
    return area


def _holds(tables: Board, inside: int, wall: int, standing: int) -> bool:
    """True if no piece of the ``wall`` can ever be captured.

    ``standing`` are the defenders that may be relied on. Those that could be captured are given up, which may expose
    others, until nothing changes or the wall itself is open. Shieldwalls need no look: they take a row with attackers
    before every piece and at its ends, while a piece on the edge that the fort needs has, before it or at an end of
    its row, the inside or a piece that it holds up.
    """
    while not wall & ~standing:
        outside = tables.all & ~(inside | standing)
        lost = _exposed(tables, outside | tables.hostile & ~standing, standing)
        if not lost:
            return True
        standing &= ~lost
    return False


def _exposed(tables: Board, hostile: int, standing: int) -> int:
    """Defenders with ``hostile`` squares on two opposite sides."""
    lost, left = 0, standing
    while left:
        bit = left & -left
        left ^= bit
        if any(not pair & ~hostile for pair in tables.axes[bit]):
            lost |= bit
    return lost
