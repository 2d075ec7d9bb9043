"""A table as a dialect follows it from one seat, folded from the events: players, board, turn, dice, clock, proposals.

    table = SomeTable()
    table.catch_up(message.seat, message.past)    # told Seated
    table.fold(event)                             # every event after that

A dialect that needs more has a subclass with fields of its own and a step for each event that changes them. The board
is what GameStarted and the changes of the moves say; no rules are known here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, Final, TypeVar

from protocols.core import events as ev
from protocols.core import standing
from protocols.core.events import Changes, Event, Proposed
from protocols.core.model import Clock, Outcome, Seat, SeatKind, Settings
from protocols.core.notifications import Notification
from protocols.core.proposals import Proposal
from protocols.core.standing import Standing

Kind = TypeVar("Kind", bound=Proposal)


class Status(Enum):
    """The states of a table's game; a value ends a sentence about the game."""

    WAITING = "has not begun"
    PLAYING = "is being played"
    SETTLING = "is being scored"
    ADJOURNED = "is adjourned"
    OVER = "is over"


@dataclass(slots=True)
class FollowedTable:
    """One table as one connection knows it.

    ``seat`` is the connection's own by its present number, None without one. ``first`` began this game, ``moves`` have
    led to its present position, and ``last`` is the event that led there, a takeback too. ``board`` are the occupied
    squares of it, ``dice`` what was rolled for ``roller`` since the last move. ``turn`` is None from a move on until
    the next turn begins, ``outcome`` None until the game is over; ``players`` are the names at its end, for players
    leave then. ``clock`` is as it was told last, None without a clock; ``standing`` are the open proposals, oldest
    first.
    """

    seat: int | None = None
    settings: Settings | None = None
    seats: list[Seat] = field(default_factory=list)
    status: Status = Status.WAITING
    first: ev.GameStarted | None = None
    last: ev.GameStarted | ev.MoveMade | ev.MovesTakenBack | None = None
    board: dict[int, str] = field(default_factory=dict)
    moves: list[ev.MoveMade] = field(default_factory=list)
    turn: int | None = None
    roller: int | None = None
    dice: list[int] = field(default_factory=list)
    outcome: Outcome | None = None
    players: tuple[str, ...] = ()
    clock: Clock | None = None
    standing: Standing = ()

    steps: ClassVar[Mapping[type, Callable[[Any, Any], None]]] = {}
    """A subclass's own steps for events; ``standing`` is still as it was before the event."""

    @property
    def started(self) -> bool:
        """True if a game has begun here, be it over now."""
        return self.status is not Status.WAITING

    @property
    def start(self) -> tuple[tuple[int, str], ...]:
        """The occupied squares of this game's first position."""
        return () if self.first is None else self.first.board

    @property
    def positions(self) -> list[ev.GameStarted | ev.MoveMade]:
        """The events that led to each of this game's positions, from its start to now."""
        return [] if self.first is None else [self.first, *self.moves]

    @property
    def settling(self) -> bool:
        """True if the players settle what stands."""
        return self.status is Status.SETTLING

    @property
    def my_turn(self) -> bool:
        """True if the connection's seat was asked to move, and has not moved since."""
        return self.turn is not None and self.turn == self.seat

    @property
    def playing(self) -> bool:
        """True if the next thing here is a move, or a roll before it."""
        return self.status is Status.PLAYING

    @property
    def names(self) -> tuple[str, str]:
        """The names of a game of two by seat, at its end, too."""
        found = self.players or tuple(self.name(seat) for seat in (0, 1))
        return (found[0], found[1]) if len(found) > 1 else ("", "")

    @property
    def other(self) -> str:
        """The other player's name in a game of two, "" for an onlooker."""
        return "" if self.seat not in (0, 1) else self.names[1 - self.seat]

    def name(self, seat: int) -> str:
        """The name of a seat's holder, "" for an empty seat."""
        return next((held.name for held in self.seats if held.index == seat), "")

    def mine(self, kind: type[Kind]) -> Kind | None:
        """The connection's own open proposal of a kind."""
        found = (made.proposal for made in self.standing if made.seat == self.seat)
        return next((proposal for proposal in found if isinstance(proposal, kind)), None)

    def offers(self) -> list[Proposed]:
        """The others' proposals, the latest last."""
        return [made for made in self.standing if made.seat != self.seat]

    def theirs(self, kind: type[Kind]) -> Kind | None:
        """The others' proposal of a kind, the latest of several."""
        found = (made.proposal for made in reversed(self.offers()))
        return next((proposal for proposal in found if isinstance(proposal, kind)), None)

    def meant(self, proposal: Kind) -> Kind:
        """The proposal that these words of the connection are, as the table will read them."""
        return standing.meant(self.standing, self.seat, proposal)

    def proposes(self, seat: int | None, kind: str) -> bool:
        """True if this seat has an open proposal of a kind, by the name that Declined gives it."""
        return any(made.seat == seat and type(made.proposal).__name__ == kind for made in self.standing)

    def catch_up(self, seat: int | None, past: Sequence[Event]) -> None:
        """Sit at ``seat``, by its number now, and take in all that has happened until now."""
        self.seat = first_seat(seat, past)
        for event in past:
            self.fold(event)

    def fold(self, event: Notification) -> None:
        """Follow an event. Many change nothing here, and no other notification does."""
        kind = type(event)
        step = _STEPS.get(kind)
        if step is not None:
            step(self, event)
        if self.steps and (step := self.steps.get(kind)) is not None:
            step(self, event)
        if self.standing or kind is Proposed:
            self.standing = standing.after(self.standing, event)

    def _opened(self, event: ev.TableOpened) -> None:
        self._set(event.settings)

    def _set(self, settings: Settings) -> None:
        self.settings = settings
        self.seats += [Seat(index, SeatKind.OPEN) for index in range(len(self.seats), settings.seats)]

    def _seat_taken(self, event: ev.SeatTaken) -> None:
        self._sit(Seat(event.seat, event.kind, event.name))

    def _seat_left(self, event: ev.SeatLeft) -> None:
        self._sit(Seat(event.seat, event.kind, "" if event.kind is SeatKind.OPEN else self.name(event.seat)))

    def _sit(self, seat: Seat) -> None:
        """A seat the table does not have is not shown."""
        if seat.index < len(self.seats):
            self.seats[seat.index] = seat

    def _seats_turned(self, event: ev.SeatsTurned) -> None:
        count = len(self.seats)
        by = count - event.by
        self.seats = [Seat(index, seat.kind, seat.name) for index, seat in enumerate(self.seats[by:] + self.seats[:by])]
        if self.seat is not None and count:
            self.seat = (self.seat + event.by) % count

    def _game_started(self, event: ev.GameStarted) -> None:
        self._set(event.settings)
        self.status, self.board = Status.PLAYING, dict(event.board)
        self.first = self.last = event
        self.outcome = self.clock = self.turn = self.roller = None
        self.players = ()
        self.moves, self.dice = [], []

    def _turn_started(self, event: ev.TurnStarted) -> None:
        self.turn, self.clock = event.seat, event.clock

    def _clock_set(self, event: ev.ClockSet) -> None:
        self.clock = event.clock

    def _dice_rolled(self, event: ev.DiceRolled) -> None:
        if event.seat != self.roller:
            self.roller, self.dice = event.seat, []
        self.dice.append(event.value)

    def _move_made(self, event: ev.MoveMade) -> None:
        self.turn = None
        self.moves.append(event)
        self.last = event
        self._change(event.changes)

    def _moves_taken_back(self, event: ev.MovesTakenBack) -> None:
        self.status, self.turn, self.last = Status.PLAYING, None, event
        del self.moves[event.ply :]
        self._change(event.changes)

    def _seat_withdrawn(self, event: ev.SeatWithdrawn) -> None:
        dice = self.dice
        self._change(event.changes)
        if event.seat != self.turn:
            self.dice = dice  # the roll of the seat to move still stands

    def _change(self, changes: Changes) -> None:
        """The board changed so, and with it the roll was used."""
        board = self.board
        for square, piece in changes:
            if piece is None:
                board.pop(square, None)
            else:
                board[square] = piece
        if self.dice:
            self.dice = []

    def _game_adjourned(self, event: ev.GameAdjourned) -> None:
        self.status, self.turn = Status.ADJOURNED, None

    def _game_resumed(self, event: ev.GameResumed) -> None:
        self.status, self.turn = Status.PLAYING, None

    def _game_settling(self, event: ev.GameSettling) -> None:
        self.status, self.turn = Status.SETTLING, None

    def _game_ended(self, event: ev.GameEnded) -> None:
        self.status, self.turn, self.outcome = Status.OVER, None, event.outcome
        self.players = tuple(seat.name for seat in self.seats)


def first_seat(seat: int | None, past: Sequence[Event]) -> int | None:
    """The number that a seat had when ``past`` began, before the players were turned to other seats."""
    seats = next((event.settings.seats for event in past if isinstance(event, ev.TableOpened)), 0)
    if seat is None or not seats:
        return seat
    return (seat - sum(event.by for event in past if isinstance(event, ev.SeatsTurned))) % seats


_STEPS: Final[Mapping[type, Callable[[FollowedTable, Any], None]]] = {
    ev.TableOpened: FollowedTable._opened,
    ev.SeatTaken: FollowedTable._seat_taken,
    ev.SeatLeft: FollowedTable._seat_left,
    ev.SeatsTurned: FollowedTable._seats_turned,
    ev.GameStarted: FollowedTable._game_started,
    ev.TurnStarted: FollowedTable._turn_started,
    ev.ClockSet: FollowedTable._clock_set,
    ev.DiceRolled: FollowedTable._dice_rolled,
    ev.MoveMade: FollowedTable._move_made,
    ev.MovesTakenBack: FollowedTable._moves_taken_back,
    ev.SeatWithdrawn: FollowedTable._seat_withdrawn,
    ev.GameAdjourned: FollowedTable._game_adjourned,
    ev.GameResumed: FollowedTable._game_resumed,
    ev.GameSettling: FollowedTable._game_settling,
    ev.GameEnded: FollowedTable._game_ended,
}
