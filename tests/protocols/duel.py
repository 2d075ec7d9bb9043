"""Dialects at one table without a server: real rules, real agreement, real words; no sockets, no time that passes.

A peer is asked in its own text and hears in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway import registry
from gateway.table import seating
from gateway.table.decide import decide, tick
from gateway.table.draft import Draft
from gateway.table.evolve import replay
from gateway.table.state import State, opened
from gateway.table.writing import TableWriter
from gateway.tables.subscribers import meant_for
from protocols.core.commands import Command, Enter, Inquire, Join, Leave, ListMoves, Watch
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused
from protocols.core.events import Event, Said, SeatsTurned, TableOpened, TurnStarted
from protocols.core.model import HouseRules, Settings
from protocols.core.notifications import Answered, Named, Rejected, Seated
from tests.protocols.talk import NONE, heard


class Duel:
    """A table and its players; ``now`` is its clock, in seconds."""

    def __init__(self, settings: Settings | None = None, house: HouseRules | None = None, game: str = "chess") -> None:
        rules: Any = registry.game(game)
        chosen, house = settings or rules.settings(), house or HouseRules()
        self.state: State = opened(1, rules, chosen, house, b"secret")
        self.record: list[Event] = [TableOpened(chosen, house)]
        self._writer = TableWriter()
        self.now = 0.0
        self.watching: list[Dialect] = []
        self._seats: dict[int, Dialect] = {}

    def come(self, peer: Dialect) -> Dialect:
        """Connect a peer, and carry out the commands of its connection."""
        self.do(peer, peer.connected())
        return peer

    def ask(self, peer: Dialect, *lines: str) -> list[str]:
        """Send these lines from ``peer``; return the lines that it hears."""
        for line in lines:
            self.do(peer, peer.receive_data(peer.text_to_wire([line], sent=False, options=NONE)))
        return heard(peer)

    def drop(self, peer: Dialect) -> None:
        """The connection of ``peer`` is lost."""
        self.do(peer, peer.receive_data(b""))

    def killed(self) -> None:
        """The server is gone without a word, and another process reads the record and takes the table over."""
        self._seats.clear()
        self.watching.clear()
        self.state = replay(1, self.state.game, b"secret", self.record)
        self._take(seating.adopt(self.state, self.now, self.now))

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self._take(tick(self.state, self.now))
        self._serve_prompted()

    def seat(self, peer: Dialect) -> int | None:
        return next((seat for seat, holder in self._seats.items() if holder is peer), None)

    def do(self, peer: Dialect, commands: list[Command]) -> None:
        """Carry out the commands of ``peer``, and tell it each refusal."""
        for command in commands:
            try:
                self._do(peer, command)
            except Refused as refused:
                peer.send(Rejected(refused.why, refused.text))
        self._serve_prompted()

    def _serve_prompted(self) -> None:
        """Carry out the commands that the peers ask for after they were told events."""
        for peer in [*self.watching, *self._seats.values()]:
            if commands := peer.prompted():
                self.do(peer, commands)

    def _do(self, peer: Dialect, command: Command) -> None:
        if isinstance(command, Join):
            self._sit(peer, command)
        elif isinstance(command, Watch):
            self.watching.append(peer)
            peer.send(Seated(1, None, self._past(None)))
        elif isinstance(command, Enter):
            peer.send(Named(command.name, f"you are here as {command.name}"))
        elif isinstance(command, Inquire):
            peer.send(Answered((), command.topic))  # no seat is kept here
        elif isinstance(command, ListMoves):
            pass  # the connection answers it, without the table
        else:
            seat = self.seat(peer)
            if isinstance(command, Leave) and seat is not None:
                del self._seats[seat]
            self._take(decide(self.state, seat, command, self.now))

    def _sit(self, peer: Dialect, join: Join) -> None:
        """A ticket is the number of a seat here."""
        kept = int(join.ticket) if join.ticket else None
        draft = decide(self.state, kept, join, self.now)
        self._take(draft)
        seat = next((event.seat for event in draft.events if hasattr(event, "seat")), kept)
        assert seat is not None
        self._seats[seat] = peer
        peer.send(Seated(1, seat, self._past(seat)))

    def _past(self, seat: int | None) -> tuple[Event, ...]:
        turn = () if self.state.turn is None else (TurnStarted(self.state.turn, self.state.clock),)
        return (*(event for event in self.record if not isinstance(event, Said) or meant_for(event, seat)), *turn)

    def _take(self, draft: Draft) -> None:
        self._writer.take(self.state, draft.state, draft.events)
        self.state = draft.state
        self.record += draft.events
        for event in draft.events:
            if isinstance(event, SeatsTurned):
                count = len(self.state.seats)
                self._seats = {(seat + event.by) % count: peer for seat, peer in self._seats.items()}
        for event in draft.events:
            self._tell(event)

    def _tell(self, event: Event) -> None:
        listeners: Mapping[Dialect, int | None] = {
            **dict.fromkeys(self.watching),
            **{peer: seat for seat, peer in self._seats.items()},
        }
        for peer, seat in listeners.items():
            if not isinstance(event, Said) or meant_for(event, seat):
                peer.send(event)
