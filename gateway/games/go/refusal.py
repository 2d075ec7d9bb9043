"""Why a move in Go that is not legal is not: the cause for programs, the words for people.

Not here: finding out that it is not (position.py).
"""

from __future__ import annotations

from typing import Final

from gateway.games.go.choices import POSITIONAL
from gateway.games.go.grid import COLOURS
from gateway.games.go.position import Fault, Position, placed
from protocols.core.errors import IllegalMove, Why
from protocols.core.model import Move

SHOWN: Final = 20
"""Characters of a piece's name that an error shows."""


def stop(position: Position) -> IllegalMove | None:
    """Why nobody may move; None where somebody may."""
    if position.void:
        return IllegalMove(f"the game is over: {position.void}", Why.NOT_PLAYING)
    if position.passes > 1:
        return IllegalMove("both have passed: agree what is dead, or go on playing", Why.NOT_PLAYING)
    return None


def with_stone(position: Position, point: int) -> Position:
    """The position after a stone of the seat to move on a point of the board. IllegalMove says why not."""
    after = placed(position, point)
    if isinstance(after, Fault):
        raise _fault(position, point, after)
    return after


def refusal(position: Position, move: Move) -> IllegalMove:
    """The error for ``move``, which is neither a stone of the right colour on the board nor a pass that is allowed."""
    if (stopped := stop(position)) is not None:
        return stopped
    size, piece = position.rules.size, move.piece[:SHOWN]
    if move.source is not None:
        return IllegalMove("stones are not moved: a move places one, or passes")
    if move.target is None:
        if move.piece:
            return IllegalMove(f"a pass has no piece {piece!r}", Why.NO_SUCH_PIECE)
        return IllegalMove(f"Black has {position.placing} handicap stones to place first", Why.PLACEMENTS_FIRST)
    if not 0 <= move.target < size * size:
        return IllegalMove(f"no square {move.target} on a board of {size}x{size}", Why.OUT_OF_BOUNDS)
    return IllegalMove(f"{COLOURS[position.turn]} is to move, and cannot place {piece!r}", Why.NO_SUCH_PIECE)


def _fault(position: Position, point: int, fault: Fault) -> IllegalMove:
    """The words for a stone that may not stand on ``point``."""
    rules = position.rules
    name = rules.grid.names[point]
    if fault is Fault.KO:
        return IllegalMove(f"ko: {name} may not be retaken at once")
    if fault is Fault.SUICIDE:
        return IllegalMove(f"suicide: a stone on {name} would have no liberty")
    if fault is Fault.REPEATED:
        same = "the position" if rules.ko == POSITIONAL else "the position with the same player to move"
        return IllegalMove(f"superko: {name} would bring back {same} of an earlier move")
    if (position.black, position.white)[position.turn] & rules.grid.bits[point]:
        return IllegalMove(f"a stone of yours is on {name}", Why.OWN_PIECE_THERE)
    return IllegalMove(f"{name} is occupied")
