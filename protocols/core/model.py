"""The nouns: seats, moves, outcomes, time, settings.

All values are immutable.
Source: the project's design; SeatKind has the wire values of GGZ's ggz_common.h.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final, Literal

import msgspec

Abandoned = Literal["bot", "loss"]
Deserted = Literal["adjourn", "loss"]
"""The fates of a seat whose player stays away, and of a game that its last person leaves: see HouseRules."""


class SeatKind(IntEnum):
    """The kinds of a seat's holder. The numbers are GGZ's wire values.

    RESERVED is a seat kept for a player: a registered player who has not come, or one whose connection was lost.
    ABANDONED is a seat whose player stayed away longer than the table's grace.
    """

    NONE = 0
    OPEN = 1
    BOT = 2
    PLAYER = 3
    RESERVED = 4
    ABANDONED = 5


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat of a table: its index from 0, its holder's kind, and the holder's name ("" while OPEN).

    ``absent`` is the player who stayed away from a running game, and for whom a house bot plays on; "" there is none.
    """

    index: int
    kind: SeatKind
    name: str = ""
    absent: str = ""

    @property
    def owner(self) -> str:
        """The player whose seat it is, present or not; "" while it is open, and of a house bot's own seat."""
        return self.absent if self.kind is SeatKind.BOT else self.name


class Move(msgspec.Struct, frozen=True, gc=False):
    """One movement, placement, removal or pass.

    Squares are ``y * width + x``, y = 0 the top row. ``source`` None places ``piece`` on ``target``; ``target`` None
    takes the piece on ``source`` off the board; both None is a pass. ``piece`` is the game's own word for a piece
    ("rook", or a promotion) and "" where none is needed. A turn of several steps is several moves of one seat.
    """

    source: int | None
    target: int | None
    piece: str = ""


PASS = Move(None, None)


class Reason(StrEnum):
    """Why a game ended."""

    RULES = "rules"  # the position decided: mate, no move, the goal reached; Outcome.detail says which
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    TIME = "time"
    ABANDONMENT = "abandonment"
    FORFEIT = "forfeit"
    CLAIM = "claim"
    VOID = "void"


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """The end of a game: ``winner`` is a seat, or None for a draw. ``detail`` is words: "checkmate", "B+3.5".

    ``places`` are by seat, at tables of more than two, where the game is not void: 1 is the best, those who share a
    place have the better one, and a seat that nobody had has 0. The winner comes first, then those who played to the
    end, and then who gave up, the last to do so first. () elsewhere, and in records of before.
    """

    winner: int | None
    reason: Reason
    detail: str = msgspec.field(default_factory=str)  # is written when it is empty, too
    places: tuple[int, ...] = ()


class TimeKind(StrEnum):
    """The kinds of time control; TimeControl says which numbers each uses."""

    ABSOLUTE = "absolute"
    FISCHER = "fischer"
    MOVES = "moves"
    PER_MOVE = "per-move"
    CANADIAN = "canadian"
    BYOYOMI = "byoyomi"


DAY_S: Final = 86_400.0
"""Seconds of a day."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time that each seat has. All times are seconds.

    absolute   main_s for the whole game
    fischer    main_s, and increment_s added after every turn
    moves      main_s for each ``moves`` turns, and increment_s added after every turn
    per-move   period_s for every turn, nothing is carried over
    canadian   main_s, then period_s for every ``moves`` turns
    byoyomi    main_s, then ``periods`` periods of period_s; one is used up only when it runs out within a turn
    """

    kind: TimeKind
    main_s: float = 0.0
    increment_s: float = 0.0
    moves: int = 0
    period_s: float = 0.0
    periods: int = 0

    @property
    def by_days(self) -> bool:
        """True for a correspondence game: a day or more for each turn, or for overtime that begins at once.

        Its players are away as a rule.
        """
        return self.main_s == 0 and self.period_s >= DAY_S


@dataclass(frozen=True, slots=True)
class Reading:
    """One seat's clock while it is not running.

    ``main_s`` is what is left of the main time (of the session, for moves per period), ``period_s`` what is left of
    the running overtime period, ``periods`` how many are left (byoyomi), ``moves`` how many turns are still to be
    made in this session or overtime block (moves, canadian).
    """

    main_s: float
    period_s: float = 0.0
    periods: int = 0
    moves: int = 0


@dataclass(frozen=True, slots=True)
class Clock:
    """Every seat's reading, the seat whose clock runs (None: stopped), and since when.

    ``since`` is on the server's monotonic time line in seconds: meaningless in another process, which therefore
    sets the clock anew (ClockSet) when it takes a table over.
    """

    readings: tuple[Reading, ...]
    running: int | None
    since: float


@dataclass(frozen=True, slots=True)
class Settings:
    """The game of a table: its name, rule set, board size in squares, seats, time, and how it begins.

    ``start`` is the text of a set-up position, "" for the rule set's own. ``time`` is None without a clock.
    ``options`` are the rule set's own choices (komi, handicap), sorted by name.
    """

    game: str
    variant: str
    width: int
    height: int
    seats: int
    time: TimeControl | None = None
    start: str = ""
    rated: bool = False
    options: tuple[tuple[str, str], ...] = ()


class Tally(msgspec.Struct, frozen=True, omit_defaults=True):
    """The standing of one seat beside its name: the pieces it has ``taken``, in the words of the board, and a text.

    The text is what else counts there: "+3", "34 discs", "2 prisoners, komi 6.5"; "" where nothing does.
    """

    taken: Mapping[str, int] = {}
    text: str = ""


@dataclass(frozen=True, slots=True)
class HouseRules:
    """A table's treatment of its seats, decided by the listener or request that opened it.

    A lost connection keeps its seat for ``grace_s`` seconds; after that the seat is ABANDONED and goes to a house
    bot (``abandoned`` "bot") or loses ("loss"). Where a player leaves for good and no person is left, the game is
    adjourned (``deserted`` "adjourn") or that player loses it ("loss"). A game that all players left waits
    ``adjourned_s`` seconds for those who can come back. An open seat is given to a house bot ``bot_after_s`` seconds
    after the first player sat down (None: never). ``private`` tables are on no list and
    found by ticket only; where they are ``watched``, whoever knows the number may look on. Observers talk among
    themselves; with ``observers_speak`` they may speak to the players. A registered table waits
    ``waits_s`` seconds for its game to begin, with players or without; 0.0 is a table that is gone when no client is
    there any more. ``bot`` is the name of the house bot that takes its seats, "" the usual one, and ``bot_level`` how
    well it plays, 0 as the server's usually do. Where ``first_move_s`` is set no clock runs during a seat's first turn,
    which must be over after so many seconds; the record leaves it out where clocks run from the start. ``offered``: the
    table came of an offer of one of its players, and nobody else has paired them; the record leaves it out elsewhere.
    """

    grace_s: float = 60.0
    bot_after_s: float | None = None
    abandoned: Abandoned = "loss"
    adjourned_s: float = 604_800.0
    private: bool = False
    waits_s: float = 0.0
    bot_level: int = 0
    bot: str = ""
    deserted: Deserted = "adjourn"
    watched: bool = False
    observers_speak: bool = False
    first_move_s: float | msgspec.UnsetType = msgspec.UNSET
    offered: bool | msgspec.UnsetType = msgspec.UNSET
