"""A decision in the making: the events so far and the state they lead to.

What follows an event often depends on the state after it (a move, then the dice, then the turn), so a decision is
drafted on a state of its own. The table's owner stores the events and then takes the draft's state over: it equals
the events folded with ``evolve``, without computing them twice. A law test holds the two together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gateway.table.evolve import evolve
from gateway.table.state import State
from protocols.core.events import Event, GameStarted, SeatsTurned


class Draft:
    """``events`` in order; ``state`` after them. Dropped, nothing has happened.

    ``ended`` is the state in which a game of the table ended, before that was drafted; None: none did.
    """

    __slots__ = ("ended", "events", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.ended: State | None = None

    def add(self, event: Event, position: Any = None) -> None:
        """``event`` happens; ``position`` as in ``evolve``."""
        self.events.append(event)
        self.state = evolve(self.state, event, position)


def game_begun(events: Sequence[Event]) -> Sequence[Event]:
    """The events from a game's start on, the exchange of seats for it included; none where no game starts."""
    start = next((at for at, event in enumerate(events) if isinstance(event, GameStarted | SeatsTurned)), len(events))
    return events[start:]
