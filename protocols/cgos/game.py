"""A table as a CGOS connection knows it: what the mover had left after each move, and which moves its peer was told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from protocols.cgos import words
from protocols.core import events as ev
from protocols.go_words.table import Table


@dataclass(slots=True)
class Game(Table):
    """``left`` are milliseconds, by move; ``untold`` is the first move that the peer has not been told."""

    left: list[int] = field(default_factory=list)
    untold: int = 0

    def _timed(self, event: ev.TurnStarted) -> None:
        if self.moves:
            mover = self.moves[-1].seat
            self.left += [words.left(self, event.clock, mover)] * (len(self.moves) - len(self.left))

    def _began(self, event: ev.GameStarted) -> None:
        self._started(event)
        self.left.clear()
        self.untold = 0

    def _shorter(self, event: ev.MovesTakenBack) -> None:
        self._back(event)
        del self.left[event.ply :]

    def told(self) -> Iterator[tuple[str, int]]:
        """The moves of the game, each with what its mover had left."""
        for _, vertex, left in self._from(0):
            yield vertex, left

    def news(self) -> Iterator[tuple[int, str, int]]:
        """The moves that the peer has not been told, which are told then: seat, point, and what the mover has left."""
        first, self.untold = self.untold, len(self.moves)
        yield from self._from(first)

    def _from(self, first: int) -> Iterator[tuple[int, str, int]]:
        for at, made in enumerate(self.moves[first:], first):
            left = self.left[at] if at < len(self.left) else words.left(self, self.clock, made.seat)
            yield made.seat, words.vertex(made, self), left


Game.steps = {
    **Table.steps,
    ev.TurnStarted: Game._timed,
    ev.GameStarted: Game._began,
    ev.MovesTakenBack: Game._shorter,
}
