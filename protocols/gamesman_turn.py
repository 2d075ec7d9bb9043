"""A request of a GAMESMAN player that the table has not answered yet: a turn, step by step, or a word about the end.

A move is first played as it is written. Where the game cannot read it and it holds blanks, it is a turn of several
steps: they are played one after another. Not here: what is said about it (gamesman.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from protocols.core.commands import PlayMove
from protocols.core.errors import Why
from protocols.core.told import Rejected
from protocols.gamesman_wire import Request


@dataclass(slots=True)
class Asked:
    """``steps`` are what is left of the turn, ``made`` is how many were played."""

    request: Request
    steps: list[str] = field(default_factory=list)
    made: int = 0

    def whole(self, ply: int) -> PlayMove:
        """The move as it is written; ``ply`` moves have been made."""
        return PlayMove(text=self.request.move or "", ply=ply)

    def split(self, refusal: Rejected, ply: int) -> PlayMove | None:
        """The first step, where the whole was refused because it is several."""
        words = (self.request.move or "").split()
        if refusal.why is not Why.SYNTAX or len(words) < 2 or self.made or self.steps:
            return None
        self.steps = words[1:]
        return PlayMove(text=words[0], ply=ply)

    def played(self, ply: int) -> PlayMove | None:
        """A step was played, ``ply`` moves have been made; the next one, None: that was all."""
        self.made += 1
        return PlayMove(text=self.steps.pop(0), ply=ply) if self.steps else None

    def over(self, refusal: Rejected) -> bool:
        """Whether a step was refused only because the turn had ended before it."""
        return bool(self.made) and refusal.why in (Why.NOT_YOUR_TURN, Why.NOT_PLAYING)

    def lose(self, number: int) -> None:
        """Nobody waits for the answer to the request of this number any more."""
        if self.request.number == number:
            self.request = replace(self.request, number=0)
