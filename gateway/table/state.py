"""The state of a table at one moment: an immutable value that events evolve.

Structs of msgspec and not dataclasses: a move copies its table's state twice, and copying twenty fields of a frozen
dataclass was a tenth of a move's cost. A state holds values alone, and is part of no circle: the garbage collector does
not look at it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from enum import StrEnum
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from gateway.games import parts
from gateway.games.base import Game
from gateway.games.parts import Scoring, Settlement
from gateway.table import clock as clocks
from protocols.core.events import Proposed
from protocols.core.model import Clock, HouseRules, Move, Outcome, Reading, Seat, SeatKind, Settings
from protocols.core.proposals import Score, Start


class Status(StrEnum):
    """A table's life: OPEN (waiting) to PLAYING, perhaps ADJOURNED and back, to OVER, and at last CLOSED."""

    OPEN = "open"
    PLAYING = "playing"
    ADJOURNED = "adjourned"
    OVER = "over"
    CLOSED = "closed"


ABSENT: Final = (SeatKind.OPEN, SeatKind.ABANDONED)
"""The kinds of a seat that no player, house bot or lost connection holds."""


NEVER: Final = -1
"""A moment that no table has."""


TAKEBACK: Final = "takeback"
BOT: Final = "bot"
"""The values of ``State.spoiled``."""


class GameStep(msgspec.Struct, frozen=True):
    """One thing that changed the position: a move of ``seat``, a roll for it, or (both None) its withdrawal.

    Steps are a linked list, newest first, so that every state shares the past of the one before. ``readings`` are the
    clocks of the position that came of it as they were told first, () until then and without a clock.
    """

    seat: int
    move: Move | None
    roll: int | None
    before: GameStep | None
    readings: tuple[Reading, ...] = ()


class State(msgspec.Struct, frozen=True, gc=False):
    """Everything that decides what happens next.

    ``sat`` and ``until`` are by seat, on the server's monotonic line: when the holder sat down, and how long a lost
    connection keeps the seat (0.0: it is not lost); ``waits_until`` is how long an adjourned game waits, or a
    registered table for its game. ``registered`` are the names whom seats were registered for, "" elsewhere. ``turn``
    is None while no seat can move. ``withdrawn`` are the seats that have given up this game while the
    others play on. ``secret`` is the table's (dice.py). ``ply`` counts moves, ``rolls`` dice, of the
    running game; ``games`` the games begun; ``stops`` are the plies at which play of this one stopped to be settled.

    ``moment`` rises with each change of the position and of whether it may be played: a takeback, a stop and a
    resumption count like moves. It never returns to a value, so an answer to a question about one moment is out of
    date at every other. ``claims`` is the moment at which the seat to move has offered a draw.

    ``programs`` are by seat the engines that play there, "" for people; ``absent`` the seats that nobody had when this
    game began. ``spoiled`` is what has happened in this game that a result must not have, the newest: "takeback", or
    "bot" where a house bot has taken a player's seat.
    """

    table: int
    game: Game[Any]
    settings: Settings
    house: HouseRules
    secret: bytes
    seats: tuple[Seat, ...]
    sat: tuple[float, ...]
    until: tuple[float, ...]
    registered: tuple[str, ...]
    waits_until: float = 0.0
    status: Status = Status.OPEN
    proposals: tuple[Proposed, ...] = ()
    position: Any = None
    last: GameStep | None = None
    ply: int = 0
    rolls: int = 0
    moment: int = 0
    games: int = 0
    stops: tuple[int, ...] = ()
    withdrawn: tuple[int, ...] = ()
    turn: int | None = None
    clock: Clock | None = None
    outcome: Outcome | None = None
    claims: int = NEVER
    programs: tuple[str, ...] = ()
    absent: tuple[int, ...] = ()
    spoiled: str = ""


def opened(table: int, game: Game[Any], settings: Settings, house: HouseRules, secret: bytes) -> State:
    """The state right after TableOpened: all seats open."""
    seats = tuple(Seat(index, SeatKind.OPEN) for index in range(settings.seats))
    nobody = (0.0,) * settings.seats
    names = ("",) * settings.seats
    return State(table, game, settings, house, secret, seats, nobody, nobody, names, programs=names)


def waiting(state: State, until: float) -> State:
    """A registered table whose game has not begun waits for it until then; any other is as it was."""
    if state.status is not Status.OPEN or not state.house.waits_s:
        return state
    return replace(state, waits_until=until)


def seated_anew(state: State, now: float) -> State:
    """Another process has the table: its players have sat down now, since its monotonic line is another."""
    return replace(state, sat=(now,) * len(state.sat))


def settling(state: State) -> bool:
    """True if play has stopped and the players settle the score."""
    return stopped(state) is not None


def stopped(state: State) -> Scoring[Any] | None:
    """The game while its players settle the score; None while play goes on, and where none is played."""
    if state.status is not Status.PLAYING or state.turn is not None:
        return None
    return parts.stopped(state.game, state.position)


def settlement(state: State) -> Settlement:
    """The table's part of the score, for the game, while its players settle it."""
    claims = tuple((made.seat, made.proposal) for made in state.proposals if isinstance(made.proposal, Score))
    seats = participants(state)
    bots = tuple(seat for seat in seats if state.seats[seat].kind is SeatKind.BOT)
    return Settlement(claims, len(state.stops), seats, bots, state.settings.rated)


def seats_of(state: State, *kinds: SeatKind) -> tuple[int, ...]:
    """The indexes of the seats of these kinds."""
    return tuple(seat.index for seat in state.seats if seat.kind in kinds)


def attended(state: State) -> bool:
    """True if somebody is there, or waited for: games that all have left rest in the record."""
    return state.status is Status.OPEN or bool(seats_of(state, SeatKind.PLAYER))


def participants(state: State) -> tuple[int, ...]:
    """The seats whose agreement counts.

    During a game, adjourned or not, those that have not given up. After it those that are held, where these are two at
    least and the game can be played without the others. At any other time all.
    """
    every = tuple(range(len(state.seats)))
    match state.status:
        case Status.PLAYING | Status.ADJOURNED:
            return tuple(seat for seat in every if seat not in state.withdrawn)
        case Status.OVER:
            absent = seats_of(state, *ABSENT)
            return tuple(seat for seat in every if seat not in absent) if _can_go_on_without(state, absent) else every
        case Status.OPEN | Status.CLOSED:
            return every


def _can_go_on_without(state: State, absent: tuple[int, ...]) -> bool:
    """True if the next game can be played while these seats have given it up from the start."""
    if len(state.seats) - len(absent) < 2:  # a game takes two
        return False
    position = state.game.start(state.settings)
    for seat in absent:
        position = state.game.withdraw(position, seat)
        if position is None:
            return False
    return state.game.outcome(position) is None


def steps(state: State) -> list[GameStep]:
    """The running game's steps, oldest first."""
    return list(newest_first(state.last))[::-1]


def clock_of(state: State, ply: int, now: float) -> Clock | None:
    """The clocks, standing, of the running game's position after ``ply`` moves; None without a clock."""
    if state.settings.time is None:
        return None
    moves = (step for step in newest_first(state.last) if step.move is not None)
    step = next(islice(moves, state.ply - ply, None), None)
    readings = clocks.fresh(state.settings.time, len(state.seats)).readings if step is None else step.readings
    return Clock(readings, None, now)


def newest_first(step: GameStep | None) -> Iterator[GameStep]:
    """``step`` and those before it."""
    while step is not None:
        yield step
        step = step.before


def deadline(state: State, lag_s: float = 0.0) -> float | None:
    """The next time at which ``decide.tick`` has an effect, on the server's monotonic line; None: never.

    ``lag_s`` is the measured network delay of the seat to move.
    """
    if state.status is Status.PLAYING and state.clock is None and not any(state.until):
        return None  # by far the most frequent case
    if state.status is Status.CLOSED:
        return None
    moments = [until for until in state.until if until and state.status in (Status.PLAYING, Status.OVER)]
    if state.status is Status.PLAYING and state.clock is not None and state.settings.time is not None:
        falls = clocks.flag_falls(state.settings.time, state.clock, lag_s)
        if falls is not None:
            moments.append(falls)
    if (first := first_move_due(state)) is not None:
        moments.append(first)
    if state.status in (Status.ADJOURNED, Status.OPEN) and state.waits_until:
        moments.append(state.waits_until)
    due = bots_due(state)
    if due is not None:
        moments.append(due)
    return min(moments, default=None)


def has_moved(state: State, seat: int) -> bool:
    """True if ``seat`` has made a move of the running game."""
    return any(step.seat == seat and step.move is not None for step in newest_first(state.last))


def arranged(state: State) -> bool:
    """True if others have said who plays whom: the table was registered, and did not come of a player's offer."""
    return any(state.registered) and state.house.offered is not True


def first_move_due(state: State) -> float | None:
    """The time until which the seat to move may make its first move while no clock runs; None: its clock runs, or no
    game is timed here."""
    clock, wait_s = state.clock, state.house.first_move_s
    if state.status is not Status.PLAYING or state.turn is None or clock is None or clock.running is not None:
        return None
    return clock.since + wait_s if isinstance(wait_s, float) else None


def rests_until(state: State) -> float | None:
    """Until when nothing happens here unless a player comes, math.inf: nothing ever does. None: it may not rest.

    A table rests where no client sits, no clock runs and no house bot plays, before its game is over; in a
    correspondence game the clock may run, and the turn is not a house bot's.
    """
    if state.status not in (Status.OPEN, Status.PLAYING, Status.ADJOURNED) or seats_of(state, SeatKind.PLAYER):
        return None
    if state.status is Status.PLAYING and by_days(state):
        if state.turn is None or state.seats[state.turn].kind is SeatKind.BOT:
            return None
    elif state.status is Status.PLAYING and (seats_of(state, SeatKind.BOT) or state.clock is not None):
        return None
    due = deadline(state)
    return math.inf if due is None else due


def by_days(state: State) -> bool:
    """True in a correspondence game: its clock alone ends a turn, whether its players are there or not."""
    return state.settings.time is not None and state.settings.time.by_days


def kept_until(state: State, now: float) -> float:
    """Until when a seat is kept whose holder goes ``now``; 0.0: as long as the game lasts.

    A correspondence game goes on without its players while a clock runs, and waits for them elsewhere as if adjourned.
    """
    if not by_days(state):
        return now + state.house.grace_s
    runs = state.clock is not None and state.clock.running is not None
    return 0.0 if runs else now + state.house.adjourned_s


def rated(settings: Settings | None) -> bool:
    """True if these settings, of a proposal or a game, are a rated game's."""
    return settings is not None and settings.rated


def bots_due(state: State) -> float | None:
    """The time at which house bots take the open seats: so long after the first player sat down.

    None: never, as without rules. While a rated game is proposed they come only where they do so at once: who wants to
    play an account has not asked for a bot.
    """
    wait_s = state.house.bot_after_s
    if wait_s is None or state.status is not Status.OPEN or not state.game.judged:
        return None
    waiting = seats_of(state, SeatKind.PLAYER)
    if wait_s and any(isinstance(made.proposal, Start) and rated(made.proposal.settings) for made in state.proposals):
        return None
    if not waiting or not seats_of(state, SeatKind.OPEN):
        return None
    return min(state.sat[seat] for seat in waiting) + wait_s
