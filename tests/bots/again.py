"""Defines a game for the tests: a player takes one or two tokens, and moves again after two; the last token wins.

Small enough to be solved by a few lines, and a seat may move many times in a row. Its ``evaluate`` knows nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from gateway.games.base import Game, Turn, Variant
from protocols.core.errors import IllegalMove
from protocols.core.model import Move, Outcome, Reason, Settings

ONE, TWO = Move(1, None), Move(2, None)


@dataclass(frozen=True, slots=True)
class Pile:
    left: int
    seat: int
    last: int


class Again(Game[Pile]):
    name = "again"
    title = "Again"
    variants = (Variant("standard", 5, 5, "One pile."),)
    sides = ("first", "second")

    def start(self, settings: Settings) -> Pile:
        return Pile(int(settings.start or 12), 0, 1)

    def to_move(self, position: Pile) -> Turn:
        return position.seat if position.left else None

    def legal_moves(self, position: Pile) -> list[Move]:
        return [move for move in (ONE, TWO) if position.left >= (move.source or 0)]

    def play(self, position: Pile, move: Move) -> Pile:
        if move not in self.legal_moves(position):
            raise IllegalMove(f"cannot take {move.source} of {position.left}")
        taken = move.source or 0
        mover = position.seat
        return Pile(position.left - taken, mover if taken == 2 else 1 - mover, mover)

    def outcome(self, position: Pile) -> Outcome | None:
        return None if position.left else Outcome(position.last, Reason.RULES, "took the last one")

    def board(self, position: Pile) -> dict[int, str]:
        return {0: str(position.left)} if position.left else {}

    def text(self, position: Pile) -> str:
        return str(position.left)

    def diagram(self, position: Pile) -> str:
        return str(position.left)

    def notation(self, position: Pile, move: Move) -> str:
        return str(move.source)
