"""Events of a table as JSON, each framed once for all connections that are told it.

``kind`` and ``body`` are as in the record. Beside them stand: ``seq``, its number there, where it is stored; of a move
its ``notation``; of a position ``hands``, in games that have some, ``alarm``, where there is one, and ``tally``, in
games that count; of clocks the seconds left (``clock``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from protocols.core import events as ev
from protocols.core.events import Changes, Event, TurnStarted, is_stored
from protocols.core.model import Clock, Move, Reading, Tally
from protocols.core.notifications import Notification, Seated
from protocols.core.proposals import Proposal
from protocols.web.frames import frame

REMEMBERED: Final = 64
"""Frames kept: those of the steps that are being told now, for a step is told to one client after the other."""

HIDDEN: Final = "Hidden"
"""The kind of an event that is not for this client: its number is told, so that none seems lost."""


class _Move(Struct):
    seat: int
    move: Move
    ply: int
    changes: Changes


class _Proposed(Struct):
    seat: int
    proposal: tuple[str, Proposal]


class _Agreed(Struct):
    proposal: tuple[str, Proposal]


class ClockForm(Struct):
    """Clocks by seat: seconds ``left`` at ``now`` of the main time, or of the period where that is used up.

    ``now`` is on the server's line, as in ``pong``. ``period_s``, ``periods`` and ``moves`` are those of
    protocols.core.model.Reading, where any seat has some.
    """

    left: tuple[float, ...]
    running: int | None
    now: float
    period_s: tuple[float, ...] | UnsetType = UNSET
    periods: tuple[int, ...] | UnsetType = UNSET
    moves: tuple[int, ...] | UnsetType = UNSET


class PastForm(Struct, kw_only=True):
    """One event inside the message of a seat."""

    seq: int | UnsetType = UNSET
    kind: str
    body: Raw | UnsetType = UNSET
    notation: str | UnsetType = UNSET
    hands: tuple[Mapping[str, int], ...] | UnsetType = UNSET
    alarm: int | UnsetType = UNSET
    tally: tuple[Tally, ...] | UnsetType = UNSET
    clock: ClockForm | UnsetType = UNSET


class EventForm(PastForm, tag_field="type", tag="event"):
    """One event as a message of its own."""


class TurnForm(Struct, kw_only=True, tag_field="type", tag="turn"):
    """``seat`` is to move after ``ply`` moves."""

    seat: int
    ply: int
    seq: int | UnsetType = UNSET
    clock: ClockForm | UnsetType = UNSET


Form = TypeVar("Form", bound=PastForm)

json: Final = msgspec.json.Encoder().encode

_made: dict[int, tuple[Event, int, int, bytes]] = {}
"""By the identity of an event: itself, its number, the plies before it, and its frame."""


def framed(event: Event, seq: int, ply: int) -> bytes:
    """The frame of an event numbered ``seq``, 0: it is not stored; ``ply`` moves have been made."""
    found = _made.get(id(event))
    if found is not None and found[0] is event and found[1] == seq and found[2] == ply:
        return found[3]
    if type(event) is TurnStarted:
        made = frame(turn(event.seat, ply, seq, event.clock))
    else:
        made = frame(json(form(EventForm, event, seq)))
    if len(_made) >= REMEMBERED:
        _made.clear()
    _made[id(event)] = event, seq, ply, made
    return made


def turn(seat: int, ply: int, seq: int, clock: Clock | None) -> bytes:
    """The message that it is the turn of ``seat``."""
    return json(turn_form(seat, ply, seq, clock))


def turn_form(seat: int, ply: int, seq: int, clock: Clock | None) -> TurnForm:
    """The same, not written yet."""
    shown = UNSET if clock is None else clock_form(clock)
    return TurnForm(seat=seat, ply=ply, seq=seq or UNSET, clock=shown)


def hidden(seq: int) -> bytes:
    """The message of an event that is not for this client."""
    return json(EventForm(seq=seq, kind=HIDDEN))


def numbered(message: Seated) -> Iterable[tuple[int, Event | None]]:
    """The past with the number of each event, 0: it is not known; None: it is not for this seat.

    The turn and the clocks as they are now are left out.
    """
    unheard = set(message.unheard)
    seq = 0
    for event in message.past:
        if not is_stored(event):
            continue
        seq += 1
        while seq in unheard:
            yield seq, None
            seq += 1
        if not message.seq:
            yield 0, event
        elif seq <= message.seq:
            yield seq, event
    yield from ((late, None) for late in message.unheard if late > seq)


def past(known: Iterable[tuple[int, Event | None]]) -> list[PastForm]:
    """Numbered events that have happened before."""
    return [PastForm(seq=seq, kind=HIDDEN) if event is None else form(PastForm, event, seq) for seq, event in known]


def turn_now(past: Sequence[Event]) -> tuple[int, Clock | None] | None:
    """The seat whose turn it is and the clocks, which stand last in the past of a seat; None: it is nobody's."""
    match past[-1:]:
        case (TurnStarted(seat=seat, clock=clock),):
            return seat, clock
        case (ev.ClockSet(clock=clock),) if clock.running is not None:
            return clock.running, clock
    return None


def message(event: Event, seq: int) -> bytes:
    """The message of an event that has happened before, a turn too."""
    return json(form(EventForm, event, seq))


def body(event: Event) -> bytes:
    """The body of an event, the same as in the record."""
    match event:
        case ev.MoveMade():
            return json(_Move(event.seat, event.move, event.ply, event.changes))
        case ev.Proposed(seat=seat, proposal=proposal):
            return json(_Proposed(seat, (type(proposal).__name__, proposal)))
        case ev.Agreed(proposal=proposal):
            return json(_Agreed((type(proposal).__name__, proposal)))
    return json(event)


def clock_form(clock: Clock) -> ClockForm:
    """The clocks as a page counts them down."""
    readings = clock.readings
    return ClockForm(
        tuple(map(_left, readings)),
        clock.running,
        clock.since,
        tuple(one.period_s for one in readings) if any(one.period_s for one in readings) else UNSET,
        tuple(one.periods for one in readings) if any(one.periods for one in readings) else UNSET,
        tuple(one.moves for one in readings) if any(one.moves for one in readings) else UNSET,
    )


def _left(reading: Reading) -> float:
    return reading.main_s or reading.period_s


def form(shape: type[Form], event: Event, seq: int) -> Form:
    """An event as a message of its own, or as one among those of a seat."""
    made = shape(seq=seq or UNSET, kind=type(event).__name__, body=Raw(body(event)))
    match event:
        case ev.MoveMade():
            made.notation = event.notation
        case ev.TurnStarted(clock=clock) | ev.ClockSet(clock=clock):
            made.clock = UNSET if clock is None else clock_form(clock)
    if isinstance(event, _POSITIONS):
        made.hands = event.hands() or UNSET
        alarm = event.alarm()
        made.alarm = UNSET if alarm is None else alarm
        made.tally = event.tally() or UNSET
    return made


_POSITIONS: Final = (ev.MoveMade, ev.GameStarted, ev.MovesTakenBack, ev.SeatWithdrawn)

BESIDE: Final[Mapping[str, tuple[str, ...]]] = {
    **{kind.__name__: ("hands", "alarm", "tally") for kind in _POSITIONS},
    **{kind.__name__: ("clock",) for kind in (ev.TurnStarted, ev.ClockSet)},
    "MoveMade": ("notation", "hands", "alarm", "tally"),
}
"""By kind, the fields that may stand beside the body."""


@dataclass(slots=True)
class Step:
    """The step that observers of a table are told just now: each of them gets the same bytes.

    ``frames`` are for observers whose last event is number ``last``, after ``ply`` moves; then both are ``then``.

    ``messages`` are known by identity, and kept so that no others take their place in memory.
    """

    messages: Iterable[Notification] = ()
    last: int = 0
    ply: int = 0
    then: tuple[int, int] = (0, 0)
    frames: bytes = b""


LAST: Final = Step()
"""The only one: a table tells its observers one after the other, without a pause."""
