"""Applies events: ``evolve(state, event) -> state``. Never refuses; replay is this, and nothing else.

An event that the state cannot have (a record that was tampered with) may raise any error of the rules: the caller
that replays a record from outside checks it first (gateway.record.audit).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace as replaced
from typing import Any, TypeVar

from msgspec.structs import replace

from gateway.games import parts
from gateway.games.base import Game
from gateway.games.parts import chance_of
from gateway.table import state as states
from gateway.table.state import BOT, NEVER, TAKEBACK, GameStep, State, Status
from protocols.core import events as ev
from protocols.core import standing
from protocols.core.model import Clock, Seat, SeatKind
from protocols.core.proposals import Draw

T = TypeVar("T")


def evolve(state: State, event: ev.Event, position: Any = None) -> State:
    """The state after ``event``. ``position`` is the one a MoveMade leads to, where the caller has it already."""
    match event:
        case ev.MoveMade(seat=seat, move=move, ply=ply):
            after = state.game.play(state.position, move) if position is None else position
            step = GameStep(seat, move, None, state.last)
            moment = state.moment + 1
            stand = state.proposals and standing.after(state.proposals, event)
            return replace(state, position=after, last=step, ply=ply, moment=moment, turn=None, proposals=stand)
        case ev.TurnStarted(seat=seat, clock=clock):
            return replace(state, turn=seat, clock=clock, last=_timed(state.last, clock))
        case ev.DiceRolled(seat=seat, number=number, value=value):
            step = GameStep(seat, None, value, state.last)
            after = chance_of(state.game).rolled(state.position, value)
            return replace(state, position=after, last=step, rolls=number, moment=state.moment + 1)
        case ev.SeatTaken(seat=seat, kind=kind, name=name, at=at, program=program):
            before = state.seats[seat]
            absent = before.name if kind is SeatKind.BOT and before.kind is SeatKind.ABANDONED else ""
            taken = _seat(state, Seat(seat, kind, name, absent), at, 0.0)
            if program != state.programs[seat]:
                taken = replace(taken, programs=(*state.programs[:seat], program, *state.programs[seat + 1 :]))
            if absent:
                taken = replace(taken, spoiled=BOT)
            return taken if kind is not SeatKind.RESERVED else _registered(taken, seat, name)
        case ev.SeatLeft(seat=seat, kind=kind, until=until):
            name = "" if kind is SeatKind.OPEN else state.seats[seat].name
            left = _seat(state, Seat(seat, kind, name), 0.0, until)
            return replace(left, proposals=standing.after(state.proposals, event))
        case ev.Proposed() | ev.Agreed() | ev.Declined():
            return replace(state, proposals=standing.after(state.proposals, event), claims=_claims(state, event))
        case _:
            return _rarely(state, event)


def _timed(step: GameStep | None, clock: Clock | None) -> GameStep | None:
    """Readings belong to the position that they were told for first: a later stop, as for an adjournment, is none."""
    if step is None or step.readings or clock is None:
        return step
    return GameStep(step.seat, step.move, step.roll, step.before, clock.readings)


def _claims(state: State, event: ev.Proposed | ev.Agreed | ev.Declined) -> int:
    """The seat to move claims with its move what draw the rules give then: others' refusals do not matter."""
    match event:
        case ev.Proposed(seat=seat, proposal=Draw()) if seat == state.turn:
            return state.moment
        case ev.Declined(seat=seat, kind="Draw") if seat == state.turn:
            return NEVER
    return state.claims


def _rarely(state: State, event: ev.Event) -> State:
    match event:
        case ev.SeatsTurned(by=by):
            return _turned(state, by)
        case ev.ClockSet(clock=clock):
            return replace(state, clock=clock, last=_timed(state.last, clock))
        case ev.TableClosed():
            return replace(state, status=Status.CLOSED)
        case ev.TableOpened() | ev.Said():  # a state begins from the first, the other changes nothing
            return state
        case _:
            return _in_play(replace(state, moment=state.moment + 1), event)


def _in_play(state: State, event: ev.Event) -> State:
    """Events that stop, resume or change the game otherwise than by a move: a new moment."""
    match event:
        case ev.GameStarted():
            return _started(state, event)
        case ev.MovesTakenBack(ply=ply):
            return _taken_back(state, ply)
        case ev.SeatWithdrawn(seat=seat):
            after = state.game.withdraw(state.position, seat)
            turn = None if state.turn == seat else state.turn
            withdrawn = (*state.withdrawn, seat)
            last = GameStep(seat, None, None, state.last)
            return replace(state, position=after, last=last, withdrawn=withdrawn, turn=turn, proposals=())
        case ev.GameAdjourned(until=until):
            return replace(state, status=Status.ADJOURNED, turn=None, proposals=(), waits_until=until)
        case ev.GameSettling():
            return replace(state, turn=None, stops=_stopped(state))
        case ev.GameResumed() if (scoring := states.stopped(state)) is not None:
            return replace(state, position=scoring.played_on(state.position), proposals=())
        case ev.GameResumed():
            return replace(state, status=Status.PLAYING, proposals=())
        case ev.GameEnded(outcome=outcome):
            return replace(state, status=Status.OVER, outcome=outcome, turn=None, proposals=())
        case _:  # evolve has served every other event
            return state


def _seat(state: State, seat: Seat, sat: float, until: float) -> State:
    at = seat.index
    return replace(
        state,
        seats=(*state.seats[:at], seat, *state.seats[at + 1 :]),
        sat=(*state.sat[:at], sat, *state.sat[at + 1 :]),
        until=(*state.until[:at], until, *state.until[at + 1 :]),
    )


def _registered(state: State, seat: int, name: str) -> State:
    return replace(state, registered=(*state.registered[:seat], name, *state.registered[seat + 1 :]))


def _stopped(state: State) -> tuple[int, ...]:
    """An interruption while the game is being settled is no further stop."""
    return state.stops if state.ply in state.stops else (*state.stops, state.ply)


def _turned(state: State, by: int) -> State:
    seats = tuple(replaced(seat, index=index) for index, seat in enumerate(_rotated(state.seats, by)))
    return replace(
        state,
        seats=seats,
        sat=_rotated(state.sat, by),
        until=_rotated(state.until, by),
        registered=_rotated(state.registered, by),
        programs=_rotated(state.programs, by),
        proposals=(),
    )


def _rotated(by_seat: tuple[T, ...], by: int) -> tuple[T, ...]:
    """Rotate values by seat: from s to s + ``by``, around the table."""
    return by_seat[-by:] + by_seat[:-by]


def _started(state: State, event: ev.GameStarted) -> State:
    return replace(
        state,
        settings=event.settings,
        status=Status.PLAYING,
        proposals=(),
        position=state.game.start(event.settings),
        last=None,
        ply=0,
        rolls=0,
        games=event.number,
        stops=(),
        withdrawn=(),
        turn=None,
        clock=None,
        outcome=None,
        absent=states.seats_of(state, *states.ABSENT),
        spoiled="",
    )


def _taken_back(state: State, ply: int) -> State:
    """Replay: positions of the past are not kept, and a takeback is rare. A seat that has given up does not return."""
    position, last, made = state.game.start(state.settings), None, 0
    for step in states.steps(state):
        if made == ply and (step.move is not None or step.roll is not None):
            continue
        if step.move is not None:
            position, made = played_on(state.game, position), made + 1  # they did not agree, and went on
        position = stepped(state.game, position, step)
        last = GameStep(step.seat, step.move, step.roll, last, step.readings)
    stops = tuple(stop for stop in state.stops if stop <= ply)
    spoiled = TAKEBACK
    return replace(state, position=position, last=last, ply=ply, stops=stops, turn=None, proposals=(), spoiled=spoiled)


def stepped(game: Game[Any], position: Any, step: GameStep) -> Any:
    """The position after one more step."""
    if step.move is not None:
        return game.play(position, step.move)
    if step.roll is not None:
        return chance_of(game).rolled(position, step.roll)
    return game.withdraw(position, step.seat)


def played_on(game: Game[Any], position: Any) -> Any:
    """The position that a move is made in: where play had stopped, it goes on."""
    scoring = parts.stopped(game, position)
    return position if scoring is None else scoring.played_on(position)


def replay(table: int, game: Game[Any], secret: bytes, record: Iterable[ev.Event]) -> State:
    """The state a whole record leads to. ValueError when it does not begin with TableOpened."""
    (state,) = deque(replaying(table, game, secret, record), maxlen=1)
    return state


def replaying(table: int, game: Game[Any], secret: bytes, record: Iterable[ev.Event]) -> Iterator[State]:
    """The states a record leads to, one after each event, and at last the one it leads to as a whole.

    A turn that no clock measures is not in the record, for it follows from the position. ValueError as for ``replay``.
    """
    events = iter(record)
    first = next(events, None)
    if not isinstance(first, ev.TableOpened):
        raise ValueError(f"the record of table {table} begins with {type(first).__name__}, not TableOpened")
    state = states.opened(table, game, first.settings, first.house, secret)
    yield state
    for event in events:
        state = evolve(state, event)
        yield state
    if state.status is states.Status.PLAYING and state.turn is None:
        turn = state.game.to_move(state.position)
        if isinstance(turn, int):
            yield replace(state, turn=turn)
