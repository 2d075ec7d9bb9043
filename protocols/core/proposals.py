"""Proposals that need every seat's agreement: one takes effect when every seat has made a matching one.

Proposals match when they are equal; two of Start also when they want different sides and otherwise the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from protocols.core.model import Settings


@dataclass(frozen=True, slots=True)
class Start:
    """Begin a game.

    ``settings`` None takes what another seat proposes, or what the table was opened with. Board sizes and seats of 0
    are the rule set's own. ``side`` is the seat its proposer wants to play from (in most games side 0 moves first),
    None any: seats are exchanged where that is needed. ``confirms``: its proposer says what it seeks, and will be asked
    about each opponent; no game begins until it proposes the same without.
    """

    settings: Settings | None = None
    side: int | None = None
    confirms: bool = False


@dataclass(frozen=True, slots=True)
class Draw:
    """End the game without a winner."""


@dataclass(frozen=True, slots=True)
class Takeback:
    """Take the last ``plies`` moves back."""

    plies: int = 1


@dataclass(frozen=True, slots=True)
class Adjourn:
    """Interrupt the game; clocks stop until every seat agrees to Resume."""


@dataclass(frozen=True, slots=True)
class Abort:
    """End the game without a result. A seat that has not moved needs no agreement, but where others paired the two."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with an adjourned game, or with one that is being settled: that takes one seat's wish only."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Play again at this table after a finished game, with sides exchanged (``SeatsTurned``)."""


@dataclass(frozen=True, slots=True)
class Score:
    """Score the finished position as these squares say (sorted, without repeats): in Go their stones are dead.

    ``program`` says that an engine has counted so; the agreeing side need not have: it makes no difference to matching.
    """

    dead: tuple[int, ...] = ()
    program: bool = field(default=False, compare=False)

    @property
    def squares(self) -> tuple[int, ...]:
        """The claim, whose meaning is the game's. ``dead`` is its name in records, from the first game that had one."""
        return self.dead


@dataclass(frozen=True, slots=True)
class End:
    """Take the game as won by ``winner``, where the rules do not judge (Game.judged)."""

    winner: int


Proposal: TypeAlias = Start | Draw | Takeback | Adjourn | Abort | Resume | Rematch | Score | End
