"""What needs every seat's agreement: a proposal takes effect when every seat has made a matching one.

Not here: the rule itself (the table's agreement.py) and how a peer makes one (commands.Propose).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from protocols.core.model import Settings


@dataclass(frozen=True, slots=True)
class Start:
    """Begin a game with these settings; ``first`` is the seat that moves first."""

    settings: Settings
    first: int = 0


@dataclass(frozen=True, slots=True)
class Draw:
    """End the game without a winner."""


@dataclass(frozen=True, slots=True)
class Takeback:
    """Take the last ``plies`` moves back."""

    plies: int = 1


@dataclass(frozen=True, slots=True)
class Adjourn:
    """Interrupt the game; clocks stop until everybody agrees to Resume."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with an adjourned game."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Play again at this table after a finished game."""


@dataclass(frozen=True, slots=True)
class Score:
    """Score the finished position with these squares' stones taken as dead (sorted, without repeats)."""

    dead: tuple[int, ...] = ()


Proposal: TypeAlias = Start | Draw | Takeback | Adjourn | Resume | Rematch | Score
