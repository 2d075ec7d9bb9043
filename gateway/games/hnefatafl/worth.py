"""Rates a position of hnefatafl for the defenders, for house bots: quick, and no proof of anything."""

from __future__ import annotations

from typing import Final

from gateway.games.hnefatafl.board import Board

DEFENDER: Final = 1.0
ATTACKER: Final = 0.5
"""Attackers are about twice as many as defenders: a side's whole army is worth the same."""

ESCAPE: Final = 6.0
"""For a goal the king can reach in one move, and once more for a second: one may be barred, two seldom. Where the
king steps it is divided: half of it two steps away, a third three steps away."""

GATE: Final = 0.8
"""For each of at most three squares from which the king would see a goal."""

STRIDE: Final = 0.05
"""For each square the king can move to."""

BESIDE: Final = 0.4
"""Against the king, for each attacker or wall beside him."""


def worth(board: Board, attackers: int, defenders: int, king: int) -> float:
    """Higher is better for the defenders; material, the king's way out and his danger, in defenders."""
    occupied = attackers | defenders | king
    reach = _reach(board, king, occupied)
    value = DEFENDER * defenders.bit_count() - ATTACKER * attackers.bit_count()
    value += _walk(board, king, occupied) if board.rules.steps else _dash(board, reach, occupied)
    value += STRIDE * reach.bit_count()
    return value - BESIDE * (board.neighbours[king] & (attackers | board.king_walls)).bit_count()


def _dash(board: Board, reach: int, occupied: int) -> float:
    """The way out of a king who moves any distance: goals in ``reach``, else squares from which he would see one."""
    seen = (reach & board.goals).bit_count()
    gates = (reach & _gates(board, occupied)).bit_count() if not seen else 3
    return ESCAPE * min(seen, 2) + GATE * min(gates, 3)


def _walk(board: Board, king: int, occupied: int) -> float:
    """The way out of a king who steps: the nearest goal over empty squares; 0 when he is walled in."""
    area, steps = king, 0
    while not area & board.goals:
        wider = (board.grown(area) & ~occupied) | king
        if wider == area:
            return 0.0
        area, steps = wider, steps + 1
    return ESCAPE / max(steps, 1)


def _reach(board: Board, king: int, occupied: int) -> int:
    """The squares that the king can reach in one move."""
    reach = 0
    for ray in board.king_rays[king]:
        for square, path in ray:
            if occupied & square:
                break
            if path is not None:
                reach |= square
    return reach


def _gates(board: Board, occupied: int) -> int:
    """Squares from which a king would see a goal: those that can be seen from the goals.

    Where the whole edge is a goal they are the open lines inwards from it.
    """
    gates = 0
    for line in board.goal_lines:
        for square in line:
            if occupied & square:
                break
            gates |= square
    return gates & ~board.goals
