"""Scores a finished position: area and territory, from the board, dead stones, prisoners and komi.

Dead stones are taken off first. An empty region that only one colour touches is that colour's, one that both touch is
neutral. Area: the stones on the board and the empty points they surround. Territory: the
empty points and the prisoners, dead stones among them; but the eyes of a group in seki do not count.

In seki under territory is a living group that touches a neutral region and has no other eye space than one region of
one or two points: strings belong to one group when they touch the same eye space. A group of more room could make two
eyes, and counts. That is narrower than the Japanese rules of 1989, by which any group next to an unfilled neutral
point is in seki: neutral points that were left open cost neither side anything.

The players say which stones are dead.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from gateway.games.base import counted
from gateway.games.go.grid import Grid
from gateway.games.go.position import Position
from gateway.games.parts import Points
from protocols.core.errors import Refused, Why
from protocols.core.model import Outcome, Reason
from protocols.core.numbers import plain_number

SEKI_EYE: Final = 2
"""Points of an only eye space that cannot become two eyes."""


@dataclass(frozen=True, slots=True)
class Count:
    """``lands`` are the bits each seat surrounds, ``points`` what each has, White with komi.

    ``beside`` counts by seat what is not land: the stones under area, the prisoners under territory.
    """

    lands: tuple[int, int]
    points: tuple[float, float]
    beside: tuple[int, int]

    def result(self) -> str:
        """As SGF and GTP write it: "B+3.5", "W+12", "0"."""
        lead = self.points[0] - self.points[1]
        return f"{'B' if lead > 0 else 'W'}+{plain_number(abs(lead))}" if lead else "0"


def outcome(position: Position, dead: Iterable[int]) -> Outcome:
    """The end of the game with these points' stones dead. Refused (ILLEGAL) when they are no whole strings."""
    result = count(position, removed(position, dead)).result()
    winner = {"B": 0, "W": 1}.get(result[0])
    return Outcome(winner, Reason.RULES, result)


def points(position: Position, dead: Iterable[int]) -> Points:
    """The score with these points' stones dead. Refused as by ``outcome``."""
    rules, found = position.rules, count(position, removed(position, dead))
    has = [plain_number(each) for each in found.points]
    lead = found.points[0] - found.points[1]
    ahead = f"{'Black' if lead > 0 else 'White'} leads by {plain_number(abs(lead))}" if lead else "even"
    noun, komi = ("stone", rules.komi + rules.compensation) if rules.area else ("prisoner", rules.komi)
    parts = [
        f"{land.bit_count()} surrounded, {counted(beside, noun)}"
        for land, beside in zip(found.lands, found.beside, strict=True)
    ]
    white = f"{parts[1]}, komi {plain_number(komi)}" if komi else parts[1]
    lands = tuple(tuple(rules.grid.points_of(land)) for land in found.lands)
    return Points(f"Black {has[0]}, White {has[1]}: {ahead}", f"Black: {parts[0]}. White: {white}.", lands)


def removed(position: Position, dead: Iterable[int]) -> int:
    """The bits of whole strings. Refused (ILLEGAL) for a point without a stone, or a string that is not whole."""
    grid, points = position.rules.grid, set(dead)
    marked = _marked(position, points)
    for point in sorted(points):
        string = _string(position, grid.bits[point])
        if string & ~marked:
            raise Refused(Why.ILLEGAL, f"{grid.names[point]} is dead only with its whole string")
    return marked


def whole(position: Position, points: Iterable[int]) -> tuple[int, ...]:
    """The points of the whole strings these points belong to. Refused (ILLEGAL) for one without a stone."""
    left, found = _marked(position, set(points)), 0
    while left:
        string = _string(position, 1 << (left.bit_length() - 1))
        found |= string
        left &= ~string
    return tuple(position.rules.grid.points_of(found))


def count(position: Position, dead: int = 0) -> Count:
    """The points of each seat when the stones of these bits are dead."""
    rules = position.rules
    grid = rules.grid
    black, white = position.black & ~dead, position.white & ~dead
    own, neutral = _regions(grid, black, white)
    if rules.area:
        lands = sum(own[0]), sum(own[1])
        stones = black.bit_count(), white.bit_count()
        has = [land.bit_count() + own for land, own in zip(lands, stones, strict=True)]
        return Count(lands, (has[0], has[1] + rules.komi + rules.compensation), stones)
    lands = _territory(grid, black, own[0], neutral), _territory(grid, white, own[1], neutral)
    fallen = (dead & position.white).bit_count(), (dead & position.black).bit_count()
    prisoners = position.taken[0] + fallen[0], position.taken[1] + fallen[1]
    has = [land.bit_count() + taken for land, taken in zip(lands, prisoners, strict=True)]
    return Count(lands, (has[0], has[1] + rules.komi), prisoners)


def _regions(grid: Grid, black: int, white: int) -> tuple[tuple[list[int], list[int]], int]:
    """The empty regions that only Black, and only White, surrounds; and all points of the others."""
    own: tuple[list[int], list[int]] = [], []
    neutral = 0
    for region in grid.strings(grid.full ^ (black | white)):
        edge = grid.spread(region)
        if bool(edge & black) is bool(edge & white):
            neutral |= region
        else:
            own[0 if edge & black else 1].append(region)
    return own, neutral


def _territory(grid: Grid, stones: int, regions: list[int], neutral: int) -> int:
    """The regions without the eyes of groups in seki."""
    near_neutral = grid.spread(neutral)
    territory = sum(regions)
    for region in regions:
        if region.bit_count() > SEKI_EYE:
            continue
        group = region
        while (grown := _joined(grid, group, stones, regions)) != group:
            group = grown
        if group & ~stones == region and group & near_neutral:
            territory ^= region
    return territory


def _joined(grid: Grid, group: int, stones: int, regions: list[int]) -> int:
    """``group`` with the strings that touch its eye space, and the eye spaces that touch its strings."""
    group |= grid.string(grid.spread(group & ~stones) & stones | group & stones, stones) if stones else 0
    edge = grid.spread(group & stones)
    return group | sum(region for region in regions if region & edge & ~group)


def _marked(position: Position, points: set[int]) -> int:
    """The bits of these points. Refused (ILLEGAL) for one without a stone."""
    grid, stones = position.rules.grid, position.black | position.white
    for point in sorted(points):
        if not 0 <= point < grid.points:
            raise Refused(Why.ILLEGAL, f"no square {point} on a board of {grid.size}x{grid.size}")
        if not grid.bits[point] & stones:
            raise Refused(Why.ILLEGAL, f"no stone on {grid.names[point]}")
    return sum(grid.bits[point] for point in points)


def _string(position: Position, bit: int) -> int:
    """The string that the stone on this bit belongs to."""
    own = position.black if position.black & bit else position.white
    return position.rules.grid.string(bit, own)
