"""Tables in memory for the tests of the kernel: a conversation with a table, without a server around it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from gateway import registry
from gateway.table.decide import decide, tick
from gateway.table.draft import Draft
from gateway.table.state import State, deadline, opened
from gateway.table.writing import TableWriter
from protocols.core.commands import ANY_TIME, Command, Join, PlayMove
from protocols.core.errors import Refused
from protocols.core.events import Event
from protocols.core.model import HouseRules, Move
from protocols.core.time_text import read as read_time

SECRET = bytes(range(32))


def check_cause(command: Command, refused: Refused) -> None:
    """A command is refused for none but the causes that its class declares."""
    assert refused.why in command.causes | ANY_TIME, f"{command} is refused for {refused.why!r}"


class Conversation:
    """A table's state, told what happens; ``said`` is every event so far."""

    def __init__(
        self,
        game: str = "tic_tac_toe",
        *,
        seats: int = 0,
        time: str = "none",
        house: HouseRules | None = None,
        **more: Any,
    ) -> None:
        rules = registry.game(game)
        settings = rules.settings(seats=seats, **more)
        settings = replace(settings, time=read_time(time))
        self.first: State = opened(1, rules, settings, house or HouseRules(), SECRET)
        self.state = self.first
        self._writer = TableWriter()
        self.said: list[Event] = []

    def ask(self, seat: int | None, command: Command, now: float = 0.0, lag_s: float = 0.0) -> list[Event]:
        """The events of one command; Refused passes through."""
        try:
            return self._take(decide(self.state, seat, command, now, lag_s))
        except Refused as refused:
            check_cause(command, refused)
            raise

    def wait(self, now: float, kept: Collection[int] | None = None) -> list[Event]:
        """Let time pass to ``now``, after which nothing is due; return its events."""
        events = self._take(tick(self.state, now, kept))
        due = deadline(self.state)
        assert due is None or due > now
        return events

    def join(self, *names: str, now: float = 0.0) -> list[Event]:
        """These people sit down, one after another; the events of the last one."""
        events: list[Event] = []
        for name in names:
            events = self.ask(None, Join(self.state.game.name, name), now)
        return events

    def play(self, *squares: int, now: float = 0.0) -> list[Event]:
        """Place pieces by turns; return the events of the last one."""
        events: list[Event] = []
        for target in squares:
            assert self.state.turn is not None
            events = self.ask(self.state.turn, PlayMove(Move(None, target)), now)
        return events

    def _take(self, draft: Draft) -> list[Event]:
        self._writer.take(self.state, draft.state, draft.events)
        self.state = draft.state
        self.said += draft.events
        return draft.events


def kinds(events: list[Event]) -> list[str]:
    """The events' names, for tests about their order."""
    return [type(event).__name__ for event in events]
