"""Defines a game for the tests: two runners, a turn is three steps; ten squares is the goal.

A step takes one's own runner two squares ahead, or pushes the other's one square back. Its ``evaluate`` is the lead,
so a step ahead always looks better than a push.
"""

from __future__ import annotations

from dataclasses import dataclass

from gateway.games.base import Game, Turn, Variant
from protocols.core.errors import IllegalMove
from protocols.core.model import Move, Outcome, Reason, Settings

AHEAD, PUSH = Move(0, 1), Move(1, 0)
GOAL, STEPS = 10, 3


@dataclass(frozen=True, slots=True)
class Track:
    """The squares of the seats' runners, the seat to move, and the steps left of its turn."""

    runners: tuple[int, int] = (0, 0)
    seat: int = 0
    left: int = STEPS


class Strides(Game[Track]):
    name = "strides"
    title = "Strides"
    variants = (Variant("standard", 1, 1, "Two runners."),)
    sides = ("first", "second")

    def start(self, settings: Settings) -> Track:
        return Track()

    def to_move(self, position: Track) -> Turn:
        return None if self.outcome(position) else position.seat

    def legal_moves(self, position: Track) -> list[Move]:
        return [] if self.outcome(position) else [PUSH, AHEAD]

    def play(self, position: Track, move: Move) -> Track:
        if move not in self.legal_moves(position):
            raise IllegalMove(f"no such step: {move}")
        runners = list(position.runners)
        if move == AHEAD:
            runners[position.seat] += 2
        else:
            runners[1 - position.seat] -= 1
        over = position.left == 1
        seat = 1 - position.seat if over else position.seat
        return Track((runners[0], runners[1]), seat, STEPS if over else position.left - 1)

    def outcome(self, position: Track) -> Outcome | None:
        there = [seat for seat in (0, 1) if position.runners[seat] >= GOAL]
        return Outcome(there[0], Reason.RULES, "at the goal") if there else None

    def board(self, position: Track) -> dict[int, str]:
        return {0: str(position.runners)}

    def text(self, position: Track) -> str:
        return f"{position.runners} {position.seat} {position.left}"

    def diagram(self, position: Track) -> str:
        return self.text(position)

    def notation(self, position: Track, move: Move) -> str:
        return "ahead" if move == AHEAD else "push"

    def evaluate(self, position: Track, seat: int) -> float:
        return position.runners[seat] - position.runners[1 - seat]
