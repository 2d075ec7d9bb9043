"""Events to rows and back: JSON bodies, and the SHA-256 chain that makes a record provable.

gateway/record/audit.py proves them.

A body is one JSON object with the event's fields by name, in the order of its class; tuples are arrays, enumerations
their values. A proposal is an array of its class's name and its fields: ``["Takeback",{"plies":1}]``.

A move is written in format 2, without ``notation`` and ``position``, which follow from the moves. In format 1 it has
both; it is still read.

The digest of an event is SHA-256 over these bytes, nothing between them:

    32  the digest of the event before; 32 zero bytes before the first (GENESIS)
     8  the table's id, signed, big-endian
     8  seq, signed, big-endian
     8  the time, microseconds since 1970-01-01T00:00:00Z rounded to the nearest, signed, big-endian
     n  kind, ASCII (no kind contains a zero byte)
     1  zero
     m  body, UTF-8, to the end
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from struct import Struct
from typing import Any, Final, get_args

import msgspec
from msgspec.structs import replace

from gateway.store.records import EventRow
from protocols.core.events import (
    Agreed,
    Changes,
    Event,
    GameAdjourned,
    GameStarted,
    MoveMade,
    Proposed,
    SeatLeft,
    TableOpened,
)
from protocols.core.model import Move
from protocols.core.proposals import Proposal

GENESIS: Final = bytes(32)

SHOWN: Final = 200
"""Characters of an unreadable body that its error shows; bodies are unbounded, log lines should not be."""

PROVED: Final = frozenset({TableOpened, GameStarted, Proposed, Agreed, SeatLeft, GameAdjourned})
"""Kinds that are read back before they are stored: rare ones, whose settings and times come from configuration, where
an infinite number would be written null and leave a table that cannot be loaded."""


class _ProposedForm(msgspec.Struct, forbid_unknown_fields=True):
    seat: int
    proposal: tuple[str, msgspec.Raw]


class _MoveForm(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A move: in format 1 with both texts, in format 2 with neither."""

    seat: int
    move: Move
    ply: int
    notation: str | msgspec.UnsetType = msgspec.UNSET
    changes: Changes
    position: str | msgspec.UnsetType = msgspec.UNSET


class _AgreedForm(msgspec.Struct, forbid_unknown_fields=True):
    proposal: tuple[str, msgspec.Raw]


_json = msgspec.json.Encoder().encode
_head = Struct(">qqq").pack
_proposed = msgspec.json.Decoder(_ProposedForm)
_move = msgspec.json.Decoder(_MoveForm)
_agreed = msgspec.json.Decoder(_AgreedForm)
_proposals: dict[str, msgspec.json.Decoder[Any]] = {c.__name__: msgspec.json.Decoder(c) for c in get_args(Proposal)}
_events: dict[str, msgspec.json.Decoder[Any]] = {
    c.__name__: msgspec.json.Decoder(c) for c in get_args(Event) if c not in (MoveMade, Proposed, Agreed)
}

KINDS: Final = frozenset(c.__name__ for c in get_args(Event))
"""The names of the event classes: what the column ``kind`` may hold."""

FORMS: Final[dict[str, type]] = {c.__name__: c for c in get_args(Event)} | {
    "MoveMade": _MoveForm,
    "Proposed": _ProposedForm,
    "Agreed": _AgreedForm,
}
"""By kind the class whose fields its body has; a ``proposal`` in them is an array of a class's name and its fields."""


def encode(event: Event) -> tuple[str, str]:
    """(kind, body). ValueError for text that is not Unicode and for a number that JSON cannot hold, where checked."""
    cls = event.__class__
    kind = cls.__name__
    if isinstance(event, MoveMade):
        return kind, _json(_MoveForm(seat=event.seat, move=event.move, ply=event.ply, changes=event.changes)).decode()
    if cls not in PROVED:
        return kind, _json(event).decode()
    body = _json(_form(event)).decode()
    if decode(kind, body) != event:
        raise ValueError(f"{kind} cannot be stored without loss: {event!r:.{SHOWN}}")
    return kind, body


def decode(kind: str, body: str) -> Event:
    """The event that ``encode`` wrote so; a move of format 2 has no writer yet (gateway.table.writing).

    ValueError names the kind and shows the body; types are checked strictly.
    """
    try:
        if kind == "MoveMade":
            return _made(_move.decode(body))
        if kind == "Proposed":
            proposed = _proposed.decode(body)
            return Proposed(proposed.seat, _proposal(*proposed.proposal))
        if kind == "Agreed":
            return Agreed(_proposal(*_agreed.decode(body).proposal))
        found: Event = _events[kind].decode(body)
    except KeyError as error:
        raise ValueError(f"{kind}: there is no {error.args[0]!r}: {body:.{SHOWN}}") from None
    except (msgspec.DecodeError, _HalfWritten) as error:
        raise ValueError(f"{kind}: {error}: {body:.{SHOWN}}") from None
    return found


def link(previous: bytes, table: int, seq: int, at: float, kind: str, body: str) -> bytes:
    """The digest (32 bytes) of an event; ``previous`` is that of the event before. The layout is this module's."""
    head = _head(table, seq, microseconds(at))
    return sha256(b"".join((previous, head, kind.encode(), b"\0", body.encode()))).digest()


def microseconds(at: float) -> int:
    """Unix time in seconds as the whole microseconds that are hashed and shown."""
    return round(at * 1_000_000)


def rows(
    previous: bytes, table: int, after: int, at: float, events: Iterable[Event], served: int = 0
) -> tuple[EventRow, ...]:
    """The rows of one step, numbered from ``after`` + 1; ``previous`` is the digest of the event numbered ``after``.

    ``served`` is the id of the command that led to them.
    """
    made = []
    for seq, event in enumerate(events, after + 1):
        kind, body = encode(event)
        previous = link(previous, table, seq, at, kind, body)
        made.append(EventRow(seq, at, kind, body, previous))
    if served and made:
        made[-1] = replace(made[-1], served=served)
    return tuple(made)


def _form(event: Event) -> object:
    match event:
        case Proposed(seat, proposal):
            return _ProposedForm(seat, (type(proposal).__name__, msgspec.Raw(_json(proposal))))
        case Agreed(proposal):
            return _AgreedForm((type(proposal).__name__, msgspec.Raw(_json(proposal))))
    return event


class _HalfWritten(ValueError):
    """A move has one of its texts and not the other."""


def _made(form: _MoveForm) -> MoveMade:
    notation, position = form.notation, form.position
    if isinstance(notation, str) and isinstance(position, str):
        return MoveMade(form.seat, form.move, form.ply, notation, form.changes, position)
    if notation is not position:
        raise _HalfWritten("notation and position stand together, or neither does")
    return MoveMade.unwritten(form.seat, form.move, form.ply, form.changes)


def _proposal(name: str, fields: msgspec.Raw) -> Proposal:
    found: Proposal = _proposals[name].decode(fields)
    return found
