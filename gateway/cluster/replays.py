"""Reads a table's record for clients of other nodes: the steps that they are told. Pure."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from gateway import registry
from gateway.cluster.messages import shifted
from gateway.store import codec
from gateway.store.records import EventRow, Loaded
from gateway.table.evolve import evolve
from gateway.table.state import State, Status, opened
from gateway.table.writing import written
from protocols.core.events import Event, SeatsTurned, TableOpened, TurnStarted, is_stored
from protocols.core.notifications import Notification

LAST: Final = sys.maxsize
"""A number above those of all events of a record."""


class StoredStep(NamedTuple):
    """Events that were stored at once: ``first`` is the number of its first event.

    A turn that no clock measures is not stored, and follows from the position: it is the last of ``events`` then.
    """

    first: int
    events: list[Event]

    @property
    def last(self) -> int:
        """The number of its last stored event."""
        return self.first - 1 + sum(map(is_stored, self.events))

    def behind(self, seq: int) -> StoredStep:
        """The part behind the event ``seq``: a client that sat down by this step was told the beginning as its past."""
        if seq < self.first:
            return self
        return StoredStep(seq + 1, self.events[seq + 1 - self.first :])


class Replay(NamedTuple):
    """A record as far as it was asked for: ``state`` after the event ``seq``, and the ids of commands ``served``."""

    state: State
    seq: int
    record: Sequence[Event]
    steps: list[StoredStep]
    served: frozenset[int]

    def after(self, seq: int) -> list[StoredStep]:
        """The steps behind this event; the first may be a part of one."""
        return [step.behind(seq) for step in self.steps if step.last > seq]


def replayed(loaded: Loaded, until: int, shift_s: float) -> Replay:
    """The record up to the event ``until``, its times moved by ``shift_s``. ValueError: it makes no sense."""
    rows = [row for row in loaded.rows if row.seq <= until]
    events = [_event(row, shift_s) for row in rows]
    game = registry.game_of_record(loaded.row.game)
    if not events or not isinstance(events[0], TableOpened):
        raise ValueError(f"the record of table {loaded.row.table} does not begin with TableOpened")
    state = opened(loaded.row.table, game, events[0].settings, events[0].house, loaded.row.secret)
    steps: list[StoredStep] = []
    for _, group in groupby(zip(rows, events, strict=True), key=lambda pair: pair[0].at):
        stored = list(group)
        step = StoredStep(stored[0][0].seq, [event for _, event in stored])
        state = _evolved(state, step.events)
        if state.status is Status.PLAYING and state.turn is None:
            turn = state.game.to_move(state.position)
            if isinstance(turn, int):
                step.events.append(TurnStarted(turn))
                state = evolve(state, step.events[-1])
        steps.append(step)
    return Replay(state, rows[-1].seq, written(game, events), steps, loaded.served())


def turned_by(step: Iterable[Notification]) -> int:
    """So many seats on all players moved in a step."""
    return next((event.by for event in step if type(event) is SeatsTurned), 0)


def _event(row: EventRow, shift_s: float) -> Event:
    found: Event = shifted(codec.decode(row.kind, row.body), shift_s)  # type: ignore[assignment]
    return found


def _evolved(state: State, events: Iterable[Event]) -> State:
    for event in events:
        state = evolve(state, event)
    return state
