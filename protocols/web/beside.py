"""A table that a page watches aside: its steps as messages ``aside``, each with one that a page there would get.

Numbers of the record, hidden events, turns and plies are those of that table alone. docs/protocols/web.md shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from protocols.core import events as ev
from protocols.core import notifications as ntf
from protocols.core.events import Event, is_stored
from protocols.web import events, told
from protocols.web.events import HIDDEN, EventForm, json

UNHEARD: Final = (
    *(ntf.Rejected, ntf.Answered, ntf.MovesListed, ntf.CalledAway, ntf.Called, ntf.Uncalled, ntf.Unmatched),
    *(ntf.LoggedIn, ntf.Displaced, ntf.Noticed, ntf.Tidings),
)
"""Notifications that no observer is told."""


class Beside:
    """``over``: the last has been told of it."""

    __slots__ = ("_last", "_ply", "_table", "over")

    def __init__(self, table: int) -> None:
        self._table = table
        self._last = self._ply = 0
        self.over = False

    def step(self, messages: Iterable[ntf.ToldAside], seq: int) -> Iterator[bytes]:
        """The messages of a step whose first stored event has the number ``seq``."""
        for message in messages:
            match message:
                case ntf.Seated():
                    yield from self._seated(message)
                case ntf.Named():
                    yield self._say(told.Named(message.name, message.text))
                case ntf.Stakes():
                    yield self._say(told.stakes(message))
                case ntf.Rated():
                    yield self._say(told.rated(message))
                case ntf.Unwatched():
                    self.over = True
                    yield self._say(told.Unwatched(message.text))
                case _ if not isinstance(message, UNHEARD):
                    number = seq if is_stored(message) else 0
                    yield from self._happened(message, number)
                    seq += bool(number)

    def _say(self, said: told.AtTable) -> bytes:
        return json(told.Aside(self._table, said))

    def _seated(self, message: ntf.Seated) -> Iterator[bytes]:
        """All that has happened until now, once more where the table was watched already."""
        self._last, self._ply = message.seq, 0
        for event in message.past:
            self._count(event)
        known = events.past(events.numbered(message))
        yield self._say(told.Seated(message.table, None, message.seq, known))
        if (found := events.turn_now(message.past)) is not None:
            seat, clock = found
            yield self._say(events.turn_form(seat, self._ply, 0, clock))

    def _happened(self, event: Event, seq: int) -> Iterator[bytes]:
        if seq:
            for missing in range(self._last + 1, seq):
                yield self._say(EventForm(seq=missing, kind=HIDDEN))
            self._last = seq
        self._count(event)
        if isinstance(event, ev.TurnStarted):
            yield self._say(events.turn_form(event.seat, self._ply, seq, event.clock))
        else:
            yield self._say(events.form(EventForm, event, seq))

    def _count(self, event: Event) -> None:
        match event:
            case ev.MoveMade(ply=ply) | ev.MovesTakenBack(ply=ply):
                self._ply = ply
            case ev.GameStarted():
                self._ply = 0
