"""Enclosures in hnefatafl: the defenders' exit fort and the attackers' ring around them all.

Not here: ordinary captures. Both are properties of a position, whoever moved last.
"""

from __future__ import annotations

from gateway.games.hnefatafl_board import Board


def encircled(board: Board, attackers: int, men: int) -> bool:
    """Whether no defender nor the king (``men``) could walk to the edge if only attackers stood in the way."""
    reached = board.edges & ~attackers
    while not reached & men:
        further = board.grown(reached) & ~attackers
        if further == reached:
            return True
        reached = further
    return False


def exit_fort(board: Board, attackers: int, defenders: int, king: int) -> bool:
    """Whether the king on the edge can move inside a fort that no moves of the attackers can open.

    What is proved is stronger than the rule asks: every empty square outside counts as if an attacker could stand
    there at any time. So a fort found here is one; a fort that holds only because attackers cannot come is played on.
    """
    if not king & board.edges & ~board.corners or not board.neighbours[king] & ~(attackers | defenders):
        return False
    inside = _filled(board, king, board.all & ~(attackers | defenders))
    wall = board.grown(inside) & ~inside
    return not wall & attackers and _holds(board, inside, wall, defenders)


def _filled(board: Board, area: int, within: int) -> int:
    """``area`` and all that can be reached from it over ``within``."""
    while (further := area | board.grown(area) & within) != area:
        area = further
    return area


def _holds(board: Board, inside: int, wall: int, standing: int) -> bool:
    """Whether no piece of the ``wall`` can ever be captured.

    ``standing`` are the defenders that may be relied on. Those that could be captured are given up, which may expose
    others, until nothing changes or the wall itself is open. Shieldwalls need no look: they take a row with attackers
    before every piece and at its ends, while a piece on the edge that the fort needs has, before it or at an end of
    its row, the inside or a piece that it holds up.
    """
    while not wall & ~standing:
        outside = board.all & ~(inside | standing)
        lost = _exposed(board, outside | board.hostile & ~standing, standing)
        if not lost:
            return True
        standing &= ~lost
    return False


def _exposed(board: Board, hostile: int, standing: int) -> int:
    """Defenders with ``hostile`` squares on two opposite sides."""
    lost, left = 0, standing
    while left:
        bit = left & -left
        left ^= bit
        if any(not pair & ~hostile for pair in board.axes[bit]):
            lost |= bit
    return lost
