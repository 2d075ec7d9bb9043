"""Rates a Go position, and lists the moves worth a thought, for house bots without an engine.

Crude: what is nearer to Black's stones than to White's counts for Black, strings are not read out. Enough to fill the
board sensibly and to stop when nothing is left to gain. The numbers are rules of thumb, not tuned.
"""

from __future__ import annotations

from typing import Final

from gateway.games.go import scoring
from gateway.games.go.grid import Grid, fixed_handicap, most_fixed
from gateway.games.go.position import Effect, Position, effect
from protocols.core.model import PASS, Move

REACH: Final = 4
"""Steps a stone's influence goes."""

LIBERTY: Final = 0.05
"""Points a liberty is worth: breaks ties in favour of room."""

STONE: Final = 0.02
"""Points a stone costs: a move that gains nothing is worse than a pass."""

SETTLED: Final = 8
"""One colour's empty region is settled when it is no more than one of so many points of the board."""

LATE: Final = 4
"""The game is late when less than one of so many points is empty and not settled."""


def lead(position: Position) -> float:
    """By how many points Black is ahead, guessed; where play has stopped, as the position stands."""
    if position.passes > 1:
        points = scoring.count(position).points
        return points[0] - points[1]
    rules = position.rules
    grid, black, white = rules.grid, position.black, position.white
    reach = _reach(grid, black, white)
    empty = grid.full ^ (black | white)
    ahead = float(reach[0].bit_count() - reach[1].bit_count()) - rules.komi - rules.compensation
    if not rules.area:
        ahead += position.taken[0] - position.taken[1] + white.bit_count() - black.bit_count()
    room = (grid.spread(black) & empty).bit_count() - (grid.spread(white) & empty).bit_count()
    return ahead + LIBERTY * room - STONE * (black.bit_count() - white.bit_count())


def candidates(position: Position, legal: list[Move]) -> list[Move]:
    """Legal moves near something that do not fill settled regions or put stones into atari for nothing.

    Passing too once most of the board is settled; only passing where nothing else is left, and where the other side has
    passed then and the game is won as it stands.
    """
    if position.placing or not legal:
        return legal
    grid, stones = position.rules.grid, position.black | position.white
    settled = _settled(grid, position.black, position.white)
    late = (grid.full & ~(stones | settled)).bit_count() * LATE < grid.points
    if position.passes and late and _won(position):
        return [PASS]
    near = grid.spread(stones | grid.spread(stones))
    corners = fixed_handicap(grid.size, most_fixed(grid.size)) or [grid.points // 2]
    near = (near | sum(grid.bits[point] for point in corners)) & ~settled
    tried = [move for move in legal if move.target is not None and _worth_a_look(position, move.target, near)]
    return [*tried, PASS] if late or not tried else tried


def _reach(grid: Grid, black: int, white: int) -> tuple[int, int]:
    """The points nearer to each side's stones, at most REACH steps; those equally near are neutral."""
    full = grid.full
    for _ in range(REACH):
        free = full & ~(black | white)
        new_black, new_white = grid.spread(black) & free, grid.spread(white) & free
        both = new_black & new_white
        if not new_black | new_white:
            break
        full ^= both
        black, white = black | new_black & ~both, white | new_white & ~both
    return black, white


def _settled(grid: Grid, black: int, white: int) -> int:
    """The points of small empty regions that one colour surrounds."""
    found = 0
    for region in grid.strings(grid.full ^ (black | white)):
        edge = grid.spread(region)
        if bool(edge & black) is not bool(edge & white) and region.bit_count() * SETTLED <= grid.points:
            found |= region
    return found


def _worth_a_look(position: Position, point: int, near: int) -> bool:
    """True if a stone there captures, or stands in ``near`` with more than one liberty."""
    grid = position.rules.grid
    own, theirs = (position.white, position.black) if position.turn else (position.black, position.white)
    bit, empty = grid.bits[point], grid.full ^ (own | theirs)
    if not (near & bit or grid.near[point] & theirs):
        return False
    if (grid.near[point] & empty).bit_count() > 1:
        return bool(near & bit)
    done = effect(position, point)
    if not isinstance(done, Effect):
        return False
    if done.taken:
        return True
    string = grid.string(bit, done.own)
    liberties = grid.spread(string) & grid.full & ~(done.own | done.theirs)
    return bool(near & bit) and liberties.bit_count() > 1


def _won(position: Position) -> bool:
    """True if the seat to move has more points as the position stands, nothing dead."""
    points = scoring.count(position).points
    return points[position.turn] > points[1 - position.turn]
