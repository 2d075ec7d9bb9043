"""Writes moves down when they are asked for: the notation of each, and the text of the position that came of it.

Both follow from the moves, and few dialects ask for them. Writing each move was a sixth of a chess move's cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from gateway.games.base import Game
from gateway.table.evolve import played_on, replaying, stepped
from gateway.table.state import GameStep, State, newest_first, steps
from protocols.core.events import Event, GameStarted, MoveMade, MovesTakenBack, SeatWithdrawn
from protocols.core.model import Move, Settings, Tally

SET: Final = (GameStarted, MovesTakenBack, SeatWithdrawn)
"""Events that set a position other than by a move."""


class TableWriter:
    """Writes the moves of one running table.

    The positions of one move are at hand: the last one made or, after that, the last one asked for. From there, or
    from the start, the game is replayed to any other, so that asking for all moves in order replays the game once.
    """

    __slots__ = ("_after", "_at", "_before")

    def __init__(self) -> None:
        self._at: GameStep | None = None
        self._before: Any = None
        self._after: Any = None

    def take(self, before: State, after: State, events: Sequence[Event]) -> None:
        """``events`` led from one state to the other; the moves among them are written by this writer from now on."""
        moves = (step for step in newest_first(after.last) if step.move is not None)
        for event in reversed(events):
            if type(event) is MoveMade:
                if (step := next(moves, None)) is not None:
                    event.written_by(_Move(self, after.game, after.settings, step))
            elif isinstance(event, SET):
                event.read_by(_Position(after.game, after.position))
        last = after.last
        if last is not None and last.before is before.last and last.move is not None:  # a move, and no roll after it
            self._at, self._before, self._after = last, before.position, after.position

    def positions(self, game: Game[Any], settings: Settings, step: GameStep) -> tuple[Any, Any]:
        """The positions before and after the move that is ``step`` of a game with these settings."""
        if step is not self._at:
            way: list[GameStep] = []
            at: GameStep | None = step
            while at is not None and at is not self._at:
                way.append(at)
                at = at.before
            position = game.start(settings) if at is None else self._after
            for made in reversed(way):
                before = played_on(game, position)
                position = stepped(game, before, made)
            self._at, self._before, self._after = step, before, position
        return self._before, self._after


class _Move(msgspec.Struct, gc=False):
    """The writer of one move: ``step`` of its game."""

    writer: TableWriter
    game: Game[Any]
    settings: Settings
    step: GameStep

    def notation(self) -> str:
        before, _ = self.writer.positions(self.game, self.settings, self.step)
        assert self.step.move is not None
        return self.game.notation(before, self.step.move)

    def position(self) -> str:
        return self.game.brief(self.writer.positions(self.game, self.settings, self.step)[1])

    def hands(self) -> tuple[Mapping[str, int], ...]:
        if not has_hands(self.game):
            return ()
        return self.game.hands(self.writer.positions(self.game, self.settings, self.step)[1])

    def alarm(self) -> int | None:
        if not has_alarm(self.game):
            return None
        return self.game.alarm(self.writer.positions(self.game, self.settings, self.step)[1])

    def tally(self) -> tuple[Tally, ...]:
        if not has_tally(self.game):
            return ()
        return self.game.tally(self.writer.positions(self.game, self.settings, self.step)[1])


class _Position(msgspec.Struct):
    """The reader of an event that set a position other than by a move."""

    game: Game[Any]
    at: Any

    def hands(self) -> tuple[Mapping[str, int], ...]:
        return self.game.hands(self.at)

    def alarm(self) -> int | None:
        return self.game.alarm(self.at)

    def tally(self) -> tuple[Tally, ...]:
        return self.game.tally(self.at)


def has_hands(game: Game[Any]) -> bool:
    """True if seats of this game may hold pieces that they can place."""
    return type(game).hands is not Game.hands


def has_alarm(game: Game[Any]) -> bool:
    """True if this game knows pieces that must not be lost."""
    return type(game).alarm is not Game.alarm


def has_tally(game: Game[Any]) -> bool:
    """True if this game counts what its seats have or have taken."""
    return type(game).tally is not Game.tally


def written(game: Game[Any], record: Sequence[Event]) -> Sequence[Event]:
    """``record``, a whole one from TableOpened on; its moves that are not written get a writer.

    It replays the record when the first text is asked for, and raises then what a replay raises.
    """
    writer = _RecordWriter(game, record)
    for at, event in enumerate(record):
        if type(event) is MoveMade and not event.written:
            event.written_by(_Recorded(writer, at))
        elif isinstance(event, SET):
            event.read_by(_Recorded(writer, at))
    return record


def moves_of(state: State) -> Iterator[tuple[int, Move, str]]:
    """The moves of the running or last game, without those taken back: the seat of each, itself, its notation."""
    if state.last is not None:
        position = state.game.start(state.settings)
        for step in steps(state):
            if step.move is not None:
                position = played_on(state.game, position)
                yield step.seat, step.move, state.game.notation(position, step.move)
            position = stepped(state.game, position, step)


class _RecordWriter:
    """Replays a record once for all notations, and once for all positions."""

    def __init__(self, game: Game[Any], record: Sequence[Event]) -> None:
        self._game, self._record = game, record
        self._notations: dict[int, str] = {}
        self._positions: dict[int, str] = {}
        self._states: dict[int, State] = {}

    def notation(self, at: int) -> str:
        if not self._notations:
            for number, event, before, _ in self._moves():
                self._notations[number] = self._game.notation(played_on(self._game, before.position), event.move)
        return self._notations[at]

    def position(self, at: int) -> str:
        if not self._positions:
            self._positions = {number: self._game.brief(after.position) for number, _, _, after in self._moves()}
        return self._positions[at]

    def hands(self, at: int) -> tuple[Mapping[str, int], ...]:
        return self._game.hands(self._state(at).position) if has_hands(self._game) else ()

    def alarm(self, at: int) -> int | None:
        return self._game.alarm(self._state(at).position) if has_alarm(self._game) else None

    def tally(self, at: int) -> tuple[Tally, ...]:
        return self._game.tally(self._state(at).position) if has_tally(self._game) else ()

    def _state(self, at: int) -> State:
        """The state after the event at this place, which has set a position."""
        if not self._states:
            states = replaying(0, self._game, b"", self._record)
            pairs = zip(self._record, states, strict=False)
            self._states = {n: after for n, (event, after) in enumerate(pairs) if type(event) in (MoveMade, *SET)}
        return self._states[at]

    def _moves(self) -> Iterator[tuple[int, MoveMade, State, State]]:
        """Each move with its place in the record and the states around it."""
        before: State | None = None
        states = replaying(0, self._game, b"", self._record)
        for number, (event, after) in enumerate(zip(self._record, states, strict=False)):
            if type(event) is MoveMade and before is not None:
                yield number, event, before, after
            before = after


class _Recorded:
    """The writer of one move of a record: the event at this place."""

    __slots__ = ("_at", "_writer")

    def __init__(self, writer: _RecordWriter, at: int) -> None:
        self._writer, self._at = writer, at

    def notation(self) -> str:
        return self._writer.notation(self._at)

    def position(self) -> str:
        return self._writer.position(self._at)

    def hands(self) -> tuple[Mapping[str, int], ...]:
        return self._writer.hands(self._at)

    def alarm(self) -> int | None:
        return self._writer.alarm(self._at)

    def tally(self) -> tuple[Tally, ...]:
        return self._writer.tally(self._at)
