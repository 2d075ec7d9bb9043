"""What a move captures in hnefatafl: sandwiched soldiers, shieldwalls, the king.

Not here: whether the move was allowed, and what a captured king means. All sets of pieces are those after the move,
before anything is taken off; each function returns the set of squares whose pieces are captured.
"""

from __future__ import annotations

from gateway.games.hnefatafl_board import Board


def by_attackers(board: Board, attackers: int, defenders: int, king: int, target: int) -> int:
    """What the attacker that has just arrived on ``target`` captures; the king may be among it."""
    closing = attackers | board.hostile & ~(defenders | king)
    taken = _sandwiched(board, closing, defenders, target)
    if king & board.neighbours[target] and _king_taken(board, attackers, defenders, king, target):
        taken |= king
    if board.rules.shieldwall and target & board.edges:
        taken |= _walled(board, attackers, defenders | king, target) & ~king
    return taken


def by_defenders(board: Board, attackers: int, defenders: int, king: int, target: int) -> int:
    """What the defender or king that has just arrived on ``target`` captures: the king is armed."""
    own = defenders | king
    taken = _sandwiched(board, own | board.hostile & ~attackers, attackers, target)
    if board.rules.shieldwall and target & board.edges:
        taken |= _walled(board, own, attackers, target)
    return taken


def _sandwiched(board: Board, closing: int, others: int, target: int) -> int:
    """``others`` between ``target`` and a square that closes the trap from the far side."""
    taken = 0
    for beside, behind in board.sandwiches[target]:
        if others & beside and closing & behind:
            taken |= beside
    return taken


def _king_taken(board: Board, attackers: int, defenders: int, king: int, target: int) -> bool:
    """Whether an attacker arriving on ``target``, beside the king, takes him."""
    if not king & board.strong:
        return bool(_sandwiched(board, attackers | board.hostile & ~defenders, king, target))
    if king & board.edges and not board.rules.edge_hostile_to_king:
        return False
    walls = attackers | board.king_walls & ~defenders
    return not board.neighbours[king] & ~walls


def _walled(board: Board, own: int, others: int, target: int) -> int:
    """Rows of two or more ``others`` along the edge, from ``target`` to a piece of one's own or a corner.

    Each of them must have one of one's ``own`` in front of it.
    """
    taken = 0
    for run in board.edge_runs.get(target, ()):
        row = 0
        for square, front in run:
            if others & square and own & front:
                row |= square
                continue
            if row.bit_count() >= 2 and (own | board.corners) & square:
                taken |= row
            break
    return taken
