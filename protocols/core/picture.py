"""What a connection has been told of its table, folded from the events: for dialects whose words need more than one.

Not here: rules. The board is what GameStarted and the changes of the moves say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from protocols.core import events as ev
from protocols.core.events import Changes, Event
from protocols.core.model import Move, Outcome, Seat, SeatKind, Settings


@dataclass(slots=True)
class Picture:
    """One table as one connection knows it.

    ``start`` and ``board`` are the occupied squares of this game's first position and of the present one, ``moves``
    the moves that led there, ``dice`` what was rolled for ``roller`` since the last of them. ``turn`` is None while
    nobody is asked to move; ``started`` is True from the first game's start on, ``outcome`` None until it is over.
    ``settling`` is True while the players settle what stands.
    """

    settings: Settings | None = None
    seats: list[Seat] = field(default_factory=list)
    started: bool = False
    start: tuple[tuple[int, str], ...] = ()
    board: dict[int, str] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)
    turn: int | None = None
    roller: int | None = None
    dice: list[int] = field(default_factory=list)
    outcome: Outcome | None = None
    settling: bool = False

    def fold(self, event: Event) -> None:
        """Take in what happened; most events change nothing here."""
        step = _STEPS.get(type(event))
        if step is not None:
            step(self, event)

    def _opened(self, event: ev.TableOpened) -> None:
        self._set(event.settings)

    def _set(self, settings: Settings) -> None:
        self.settings = settings
        self.seats += [Seat(index, SeatKind.OPEN) for index in range(len(self.seats), settings.seats)]

    def _taken(self, event: ev.SeatTaken) -> None:
        self._sit(Seat(event.seat, event.kind, event.name))

    def _left(self, event: ev.SeatLeft) -> None:
        known = "".join(seat.name for seat in self.seats if seat.index == event.seat)
        self._sit(Seat(event.seat, event.kind, "" if event.kind is SeatKind.OPEN else known))

    def _sit(self, seat: Seat) -> None:
        """A seat the table does not have is not shown."""
        if seat.index < len(self.seats):
            self.seats[seat.index] = seat

    def _seats_turned(self, event: ev.SeatsTurned) -> None:
        by = len(self.seats) - event.by
        self.seats = [Seat(index, seat.kind, seat.name) for index, seat in enumerate(self.seats[by:] + self.seats[:by])]

    def _started(self, event: ev.GameStarted) -> None:
        self._set(event.settings)
        self.started, self.start, self.board, self.outcome = True, event.board, dict(event.board), None
        self.moves, self.turn, self.roller, self.dice = [], None, None, []
        self.settling = False

    def _turn(self, event: ev.TurnStarted) -> None:
        self.turn, self.settling = event.seat, False

    def _rolled(self, event: ev.DiceRolled) -> None:
        if event.seat != self.roller:
            self.roller, self.dice = event.seat, []
        self.dice.append(event.value)

    def _moved(self, event: ev.MoveMade) -> None:
        self.moves.append(event.move)
        self.change(event.changes)

    def _back(self, event: ev.MovesTakenBack) -> None:
        del self.moves[event.ply :]
        self.change(event.changes)

    def _withdrawn(self, event: ev.SeatWithdrawn) -> None:
        dice = self.dice
        self.change(event.changes)
        if event.seat != self.turn:
            self.dice = dice  # the roll of the seat to move still stands

    def change(self, changes: Changes) -> None:
        """The board changed so, and with it the roll was used."""
        board = self.board
        for square, piece in changes:
            if piece is None:
                board.pop(square, None)
            else:
                board[square] = piece
        if self.dice:
            self.dice = []

    def _adjourned(self, event: ev.GameAdjourned) -> None:
        self.turn, self.settling = None, False

    def _settling(self, event: ev.GameSettling) -> None:
        self.turn, self.settling = None, True

    def _ended(self, event: ev.GameEnded) -> None:
        self.outcome, self.turn, self.settling = event.outcome, None, False


_STEPS: Final[dict[type, Callable[[Picture, Any], None]]] = {
    ev.TableOpened: Picture._opened,
    ev.SeatTaken: Picture._taken,
    ev.SeatLeft: Picture._left,
    ev.SeatsTurned: Picture._seats_turned,
    ev.GameStarted: Picture._started,
    ev.TurnStarted: Picture._turn,
    ev.DiceRolled: Picture._rolled,
    ev.MoveMade: Picture._moved,
    ev.MovesTakenBack: Picture._back,
    ev.SeatWithdrawn: Picture._withdrawn,
    ev.GameAdjourned: Picture._adjourned,
    ev.GameSettling: Picture._settling,
    ev.GameEnded: Picture._ended,
}
