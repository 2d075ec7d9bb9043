"""What a chess GUI says to an engine under CECP, as values.

Not here: how the lines are read (cecp.py) and what is said to the GUI (cecp_lines.py). Source: as cecp.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Protover:
    """The GUI speaks this version, and reads features."""

    version: int


@dataclass(frozen=True, slots=True)
class FeatureAccepted:
    """The GUI will honour this feature."""

    name: str


@dataclass(frozen=True, slots=True)
class FeatureRejected:
    """The GUI does not know this feature."""

    name: str


@dataclass(frozen=True, slots=True)
class New:
    """The usual position of normal chess, the engine to play Black once its user has moved."""


@dataclass(frozen=True, slots=True)
class Variant:
    """The game begun by New is another one."""

    name: str


@dataclass(frozen=True, slots=True)
class SetBoard:
    """Go on from this position."""

    fen: str


@dataclass(frozen=True, slots=True)
class Force:
    """The engine plays neither side until further notice. It does not mean that the user has left the game."""


@dataclass(frozen=True, slots=True)
class Go:
    """The engine plays the side that is on move."""


@dataclass(frozen=True, slots=True)
class PlayOther:
    """The engine plays the side that is not on move."""


@dataclass(frozen=True, slots=True)
class UserMove:
    """The user, or the GUI that loads a game, moved."""

    move: str


@dataclass(frozen=True, slots=True)
class Level:
    """``moves`` moves in ``main_s`` seconds (0: all moves), and ``increment_s`` seconds after each."""

    moves: int
    main_s: float
    increment_s: float


@dataclass(frozen=True, slots=True)
class MoveTime:
    """So many seconds for each move."""

    seconds: float


@dataclass(frozen=True, slots=True)
class EngineClock:
    """What the engine's clock shows, in centiseconds."""

    centiseconds: int


@dataclass(frozen=True, slots=True)
class UserClock:
    """What the clock of the engine's opponent shows, in centiseconds."""

    centiseconds: int


@dataclass(frozen=True, slots=True)
class Ping:
    """Answer when everything before it is done."""

    number: int


@dataclass(frozen=True, slots=True)
class DrawOffered:
    """The user offers a draw, or agrees to the engine's offer."""


@dataclass(frozen=True, slots=True)
class GameOver:
    """The GUI regards the game as over; ``result`` is one of RESULTS."""

    result: str
    comment: str


@dataclass(frozen=True, slots=True)
class Undo:
    """One move back; the GUI has sent Force before."""


@dataclass(frozen=True, slots=True)
class Remove:
    """The user, on move, has taken the last two moves back."""


@dataclass(frozen=True, slots=True)
class Computer:
    """The engine's opponent is a program too."""


@dataclass(frozen=True, slots=True)
class UserName:
    """What the engine's opponent is called."""

    name: str


@dataclass(frozen=True, slots=True)
class Option:
    """The user pressed a button or changed a value of the engine's settings."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to ``askuser TAG``."""

    tag: str
    text: str


@dataclass(frozen=True, slots=True)
class Quit:
    """The GUI wants the engine to exit, at once."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """A line of the document that asks nothing of an engine that does not think."""

    line: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A line that is not in the document, or whose arguments make no sense."""

    line: str


Message: TypeAlias = (
    Protover
    | FeatureAccepted
    | FeatureRejected
    | New
    | Variant
    | SetBoard
    | Force
    | Go
    | PlayOther
    | UserMove
    | Level
    | MoveTime
    | EngineClock
    | UserClock
    | Ping
    | DrawOffered
    | GameOver
    | Undo
    | Remove
    | Computer
    | UserName
    | Option
    | Reply
    | Quit
    | Ignored
    | Unknown
)
