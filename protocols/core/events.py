"""What happened at a table: past tense, stored, then told.

Not here: how any dialect words them, and what is told without being stored (told.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from protocols.core.model import Clock, HouseRules, Move, Outcome, SeatKind, Settings
from protocols.core.proposals import Proposal

Changes: TypeAlias = tuple[tuple[int, str | None], ...]
"""A move's effects square by square: the piece that stands there afterwards, None for an empty square."""


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The first event of every record: what is played here, and how the house treats the seats."""

    settings: Settings
    house: HouseRules


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody sat down, or came back: ``kind`` is PLAYER, BOT or RESERVED (kept for a registered player).

    ``at`` is when, on the server's monotonic line in seconds.
    """

    seat: int
    kind: SeatKind
    name: str
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat's holder went away. ``kind`` is what the seat is now.

    OPEN: anybody may take it. RESERVED: the connection was lost, the seat is kept until ``until`` (server's
    monotonic seconds). ABANDONED: the grace is over, or the holder left a running game.
    """

    seat: int
    kind: SeatKind
    until: float = 0.0


@dataclass(frozen=True, slots=True)
class SeatsTurned:
    """Before a game everybody moved ``by`` seats on: whoever held seat s now holds (s + by) modulo the seats."""

    by: int


@dataclass(frozen=True, slots=True)
class Proposed:
    """A seat proposed something, or agreed to what another seat proposed."""

    seat: int
    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Agreed:
    """Every seat has made this proposal; its effect follows."""

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Declined:
    """A seat refused the open proposals of this kind (a Proposal class's name), or withdrew its own; they are void."""

    seat: int
    kind: str


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game began. ``board`` is every occupied square of the start position with its piece.

    ``commitment`` is the SHA-256 (hex) of the secret all dice of this game come from, "" in a game without dice;
    ``number`` counts the games of this table from 1; ``position`` is the game's text of the position.
    """

    settings: Settings
    number: int
    board: tuple[tuple[int, str], ...]
    position: str
    commitment: str = ""


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """``seat`` is to move; ``clock`` is how the clocks stand, None where nobody keeps time."""

    seat: int
    clock: Clock | None = None


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """The server rolled ``value`` for ``seat``; ``number`` counts the rolls of this game from 1."""

    seat: int
    number: int
    value: int


@dataclass(frozen=True, slots=True)
class MoveMade:
    """``seat`` made ``move``, the ``ply``-th of the game (from 1).

    ``notation`` is the game's way to write it, ``changes`` its effects on the board, ``position`` the text of the
    position that came of it (before any dice).
    """

    seat: int
    move: Move
    ply: int
    notation: str
    changes: Changes
    position: str


@dataclass(frozen=True, slots=True)
class MovesTakenBack:
    """The last ``plies`` moves were taken back; the game stands at ``ply`` moves again, the board changed so."""

    plies: int
    ply: int
    changes: Changes
    position: str


@dataclass(frozen=True, slots=True)
class GameSettling:
    """Play has stopped, clocks stand: the players settle what stands, for instance which stones are dead.

    It ends when all have proposed the same Score, or goes on when anybody proposes to Resume.
    """


@dataclass(frozen=True, slots=True)
class SeatWithdrawn:
    """At a table of more than two, ``seat`` gave up or stayed away and the others play on; the board changed so."""

    seat: int
    changes: Changes
    position: str


@dataclass(frozen=True, slots=True)
class ClockSet:
    """The clocks were set: at a takeback, a resumption, or when another process took the table over."""

    clock: Clock


@dataclass(frozen=True, slots=True)
class GameAdjourned:
    """The game was interrupted, by agreement or because everybody is gone; clocks stand.

    ``until`` is how long it waits to be resumed, on the server's monotonic line in seconds; then it is void.
    """

    until: float = 0.0


@dataclass(frozen=True, slots=True)
class GameResumed:
    """An adjourned game goes on, or one that was being settled; TurnStarted follows, or GameSettling once more."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over. ``secret`` (hex) is what all dice came from, "" in a game without dice."""

    outcome: Outcome
    secret: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody said something; ``seat`` None is the house or an observer called ``name``."""

    seat: int | None
    to: str
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The last event of every record: nobody sits here any more."""


Event: TypeAlias = (
    TableOpened
    | SeatTaken
    | SeatLeft
    | SeatsTurned
    | Proposed
    | Agreed
    | Declined
    | GameStarted
    | TurnStarted
    | DiceRolled
    | MoveMade
    | MovesTakenBack
    | GameSettling
    | SeatWithdrawn
    | ClockSet
    | GameAdjourned
    | GameResumed
    | GameEnded
    | Said
    | TableClosed
)
