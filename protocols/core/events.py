"""Events of a table: past tense, stored, then told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

import msgspec

from protocols.core.model import Clock, HouseRules, Move, Outcome, SeatKind, Settings, Tally
from protocols.core.proposals import Proposal

Changes: TypeAlias = tuple[tuple[int, str | None], ...]
"""A move's effects square by square: the piece that stands there afterwards, None for an empty square."""


class Reader(Protocol):
    """Reads from the position that came of an event what its board does not show, when that is asked for."""

    def hands(self) -> tuple[Mapping[str, int], ...]:
        """By seat, how many of which piece it can place; () in games without such."""

    def alarm(self) -> int | None:
        """The square of the piece that is attacked and must not be lost, such as a king in check; None: none is."""

    def tally(self) -> tuple[Tally, ...]:
        """By seat, what it has taken and what counts for it; () in games where nothing does."""


class Writer(Reader, Protocol):
    """Writes one move down, when its notation or the text of its position is asked for."""

    def notation(self) -> str:
        """The game's way to write the move."""

    def position(self) -> str:
        """The text of the position that came of the move."""


class _Read:
    """The reader of an event that sets a position, beside its fields: no part of its value."""

    __slots__ = ("reader",)

    reader: Reader

    def read_by(self, reader: Reader) -> None:
        """``reader`` answers for the position from now on."""
        object.__setattr__(self, "reader", reader)

    def hands(self) -> tuple[Mapping[str, int], ...]:
        """``Reader.hands``; () without a reader."""
        reader = getattr(self, "reader", None)
        return () if reader is None else reader.hands()

    def alarm(self) -> int | None:
        """``Reader.alarm``; None without a reader."""
        reader = getattr(self, "reader", None)
        return None if reader is None else reader.alarm()

    def tally(self) -> tuple[Tally, ...]:
        """``Reader.tally``; () without a reader."""
        reader = getattr(self, "reader", None)
        return () if reader is None else reader.tally()


class _Written:
    """The writer of a move, beside its fields: no part of its value."""

    __slots__ = ("writer",)

    writer: Writer

    def hands(self) -> tuple[Mapping[str, int], ...]:
        """``Reader.hands`` after the move; () without a writer."""
        writer = getattr(self, "writer", None)
        return () if writer is None else writer.hands()

    def alarm(self) -> int | None:
        """``Reader.alarm`` after the move; None without a writer."""
        writer = getattr(self, "writer", None)
        return None if writer is None else writer.alarm()

    def tally(self) -> tuple[Tally, ...]:
        """``Reader.tally`` after the move; () without a writer."""
        writer = getattr(self, "writer", None)
        return () if writer is None else writer.tally()


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The first event of every record: what is played here, and how the table treats the seats."""

    settings: Settings
    house: HouseRules


class SeatTaken(msgspec.Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """A player sat down, or came back: ``kind`` is PLAYER, BOT or RESERVED (kept for a registered player).

    ``at`` is when, on the server's monotonic line in seconds. ``program`` is the engine that plays there, as it names
    itself with its version; "" for a person, and where nothing is said.
    """

    seat: int
    kind: SeatKind
    name: str
    at: float = msgspec.field(default_factory=float)  # is written when it is 0.0, too
    program: str = ""


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat's holder went away. ``kind`` is what the seat is now.

    OPEN: any player may take it. RESERVED: the connection was lost, the seat is kept until ``until`` (server's
    monotonic seconds). ABANDONED: the grace is over, or the holder left a running game.
    """

    seat: int
    kind: SeatKind
    until: float = 0.0


@dataclass(frozen=True, slots=True)
class SeatsTurned:
    """Before a game all players moved ``by`` seats on: seat s became (s + by) modulo the seats.

    ``by`` is 0 where they drew the same seats.
    """

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
class GameStarted(_Read):
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
    """``seat`` is to move; ``clock`` is how the clocks stand, None without a clock."""

    seat: int
    clock: Clock | None = None


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """The server rolled ``value`` for ``seat``; ``number`` counts the rolls of this game from 1."""

    seat: int
    number: int
    value: int


def is_stored(event: object) -> bool:
    """True if an event of a table is in its record: a turn without a clock is not, for it follows from the position."""
    return type(event) is not TurnStarted or event.clock is not None


@dataclass(frozen=True, slots=True)
class MoveMade(_Written):
    """``seat`` made ``move``, the ``ply``-th of the game (from 1).

    ``notation`` is the game's way to write it, ``changes`` its effects on the board, ``position`` the text of the
    position that came of it (before any dice). Both texts follow from the moves. Few dialects ask for them, so the
    table makes a move ``unwritten`` and gives it a writer, which is asked at most once for each.
    """

    seat: int
    move: Move
    ply: int
    notation: str = field(compare=False, repr=False)
    changes: Changes
    position: str = field(default="", compare=False, repr=False)

    @classmethod
    def unwritten(cls, seat: int, move: Move, ply: int, changes: Changes) -> MoveMade:
        """A move whose texts are left to its writer."""
        made = object.__new__(cls)
        put = object.__setattr__
        put(made, "seat", seat)
        put(made, "move", move)
        put(made, "ply", ply)
        put(made, "changes", changes)
        return made

    @property
    def written(self) -> bool:
        """True if the texts are known without a writer."""
        try:
            object.__getattribute__(self, "notation")
        except AttributeError:
            return False
        return True

    def written_by(self, writer: Writer) -> None:
        """``writer`` answers for the texts from now on."""
        object.__setattr__(self, "writer", writer)

    def __getattr__(self, name: str) -> str:
        """A text that nothing has asked for before. AttributeError: the move has no writer."""
        if name == "notation":
            text = self.writer.notation()
        elif name == "position":
            text = self.writer.position()
        else:
            raise AttributeError(f"this move has no {name}")
        object.__setattr__(self, name, text)
        return text


@dataclass(frozen=True, slots=True)
class MovesTakenBack(_Read):
    """The last ``plies`` moves were taken back; the game stands at ``ply`` moves again, the board changed so."""

    plies: int
    ply: int
    changes: Changes
    position: str


@dataclass(frozen=True, slots=True)
class GameSettling:
    """Play has stopped, clocks stand: the players settle what stands, for instance which stones are dead.

    It ends when all have proposed the same Score, or goes on when a seat proposes to Resume.
    """


@dataclass(frozen=True, slots=True)
class SeatWithdrawn(_Read):
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
    """The game was interrupted, by agreement or because all players are gone; clocks stand.

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


GROUPS: Final = ("all", "players", "observers")
"""The listeners of a chat line that are no name."""

CHANNEL: Final = "everybody"
"""All who are here and listen, beyond tables: what is said to them is in no record."""


@dataclass(frozen=True, slots=True)
class Said:
    """A chat line; ``seat`` None is the server ("" as ``name``), a spectator, or whoever speaks to a name elsewhere.

    The last is told to the player ``to`` alone, or to CHANNEL, and is in no record.
    """

    seat: int | None
    to: str
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The last event of every record: the table is closed."""


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
