"""The positions of one game so far, as far as one client knows them: what a takeback or a return finds again.

A board alone does not say who may castle or which pawn has just passed another; a position that was here before does.
Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gateway.games.base import Game


@dataclass(frozen=True, slots=True)
class Step:
    """A position, and the move that led to it: by which seat, how it is written, on which squares."""

    position: Any
    mover: int | None = None
    notation: str = ""
    squares: tuple[int, ...] = ()


class History:
    """Steps of which each is one move after the one before; the last is the present. Empty where nothing is known."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self.whole = False
        """True if the first step is where the game began: nothing of its past is missing then."""

    @property
    def last(self) -> Step | None:
        """The moves to the present position; None where they are not known."""
        return self._steps[-1] if self._steps else None

    def positions(self) -> list[Any]:
        """All positions, the latest first."""
        return [step.position for step in reversed(self._steps)]

    def begin(self, position: Any | None, *, whole: bool = False) -> None:
        """Forget everything: the game stands at ``position``, None where that is not known.

        ``whole``: that is where the game begins.
        """
        self._steps = [] if position is None else [Step(position)]
        self.whole = whole and position is not None

    def instead(self, position: Any) -> None:
        """The present position has become another one without a move."""
        if self._steps:
            self._steps[-1] = replace(self._steps[-1], position=position)

    def add(self, step: Step) -> None:
        """One more move was made."""
        self._steps.append(step)

    def back(self, plies: int) -> Any | None:
        """Take moves back: the position that stands again; None where it is not known, and nothing is from now on."""
        del self._steps[max(0, len(self._steps) - plies) :]
        return self._steps[-1].position if self._steps else None

    def settle(self, game: Game[Any], position: Any) -> None:
        """The present position is this one: an earlier one, one move later, or from an unknown past."""
        for at in range(len(self._steps) - 1, -1, -1):
            if self._steps[at].position == position:
                del self._steps[at + 1 :]
                return
        step = self._one_later(game, position)
        if step is None:
            self.begin(position)
        else:
            self._steps.append(step)

    def own_plies(self, seat: int) -> int:
        """Number of moves since the last turn of ``seat`` began; 0 where that is not known."""
        movers = [step.mover for step in reversed(self._steps)]
        if seat not in movers:
            return 0
        first = movers.index(seat)
        return first + next((n for n, mover in enumerate(movers[first:]) if mover != seat), len(movers) - first)

    def _one_later(self, game: Game[Any], position: Any) -> Step | None:
        before = self._steps[-1].position if self._steps else None
        turn = game.to_move(before) if before is not None else None
        if not isinstance(turn, int):
            return None
        for move in game.legal_moves(before):
            if game.play(before, move) == position:
                squares = tuple(at for at in (move.source, move.target) if at is not None)
                return Step(position, turn, game.notation(before, move), squares)
        return None
