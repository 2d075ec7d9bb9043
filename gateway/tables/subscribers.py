"""Knows the clients that follow a table, players and spectators, and tells each the events that are for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

import trio

from gateway.tables.seams import Asker, Subscriber
from protocols.core.events import Said
from protocols.core.notifications import Notification

EVERYBODY: Final = "all"
PLAYERS: Final = "players"
OBSERVERS: Final = "observers"
"""The hearers that a saying can be meant for; anything else is a player's name."""


class Observer(NamedTuple):
    """A subscriber that looks on, and what it is called."""

    subscriber: Subscriber
    name: str


class Subscribers:
    """At most one subscriber a seat, and ``most`` observers; each has been told everything up to the table's last
    stored step."""

    __slots__ = ("_asking", "_bell", "_observers", "_seats", "addresses", "most")

    def __init__(self, most: int) -> None:
        self.most = most
        self._seats: dict[int, Subscriber] = {}
        self.addresses: dict[int, str] = {}
        """By seat the address that its player came from last, present or not."""
        self._observers: dict[Asker, Observer] = {}
        self._bell: trio.Event | None = None
        self._asking: set[Asker] = set()

    @contextmanager
    def asking(self, asker: Asker) -> Iterator[None]:
        """``asker`` follows nothing and waits for an answer: it is told that seats turn, and ``forsake`` closes it."""
        self._asking.add(asker)
        try:
            yield
        finally:
            self._asking.discard(asker)

    def bell(self) -> trio.Event:
        """Set when the next event has been stored, or the table is gone: for readers of the record itself."""
        if self._bell is None:
            self._bell = trio.Event()
        return self._bell

    @property
    def idle(self) -> bool:
        """True if there is no player, spectator, or reader that waits for the bell."""
        listened = self._bell is not None and self._bell.statistics().tasks_waiting > 0
        return not (self._seats or self._observers or listened)

    def _ring(self) -> None:
        if self._bell is not None:
            self._bell.set()
            self._bell = None

    def attach(self, subscriber: Subscriber, seat: int) -> Subscriber | None:
        """``subscriber`` speaks for ``seat`` from now on; the older subscriber of the seat comes back, if any."""
        older = self._seats.get(seat)
        self._seats[seat] = subscriber
        self.addresses[seat] = subscriber.address
        return older if older is not subscriber else None

    def watch(self, subscriber: Subscriber, name: str) -> None:
        """``subscriber`` looks on, called ``name``."""
        self._observers[subscriber] = Observer(subscriber, name)

    def observer(self, asker: Asker) -> Observer | None:
        """The observer that ``asker`` is; None when it is none of this table."""
        return self._observers.get(asker)

    @property
    def observers(self) -> int:
        """Number of observers."""
        return len(self._observers)

    def named(self) -> Iterator[str]:
        """The names of the observers, the first to come first."""
        return (name for _, name in self._observers.values())

    @property
    def crowded(self) -> bool:
        """True if there is no room for another spectator."""
        return len(self._observers) >= self.most

    def at(self, seat: int | None) -> Subscriber | None:
        """The subscriber that speaks for ``seat``."""
        return None if seat is None else self._seats.get(seat)

    def numbered(self, number: int) -> Subscriber | None:
        """The player's client of that number."""
        return next((subscriber for subscriber in self._seats.values() if subscriber.number == number), None)

    def turn(self, by: int, seats: int) -> None:
        """All players moved ``by`` seats on."""
        self._seats = {(seat + by) % seats: subscriber for seat, subscriber in self._seats.items()}
        self.addresses = {(seat + by) % seats: address for seat, address in self.addresses.items()}
        for seat, subscriber in self._seats.items():
            subscriber.turned(seat)
        for asker in self._asking:
            if asker.seat is not None:
                asker.turned((asker.seat + by) % seats)

    def detach(self, subscriber: Subscriber) -> int | None:
        """The seat that ``subscriber`` had until now; None when it was replaced or had none."""
        self._observers.pop(subscriber, None)
        seat = subscriber.seat
        if seat is None or self._seats.get(seat) is not subscriber:
            return None
        del self._seats[seat]
        return seat

    def tell(self, messages: Sequence[Notification], but: Subscriber | None = None, seq: int = 0) -> None:
        """Tell all subscribers, except one; chat goes only to those it is meant for.

        ``seq`` is the number in the record of the first event that is stored, 0 where none is.
        """
        self._ring()
        if messages and type(messages[0]) is Said:
            self._pass_on(messages[0], seq)
            messages, seq = messages[1:], seq and seq + 1
        if not messages:
            return
        for subscriber in list(self._seats.values()):
            if subscriber is not but:
                subscriber.tell(messages, seq)
        for subscriber, _ in list(self._observers.values()):
            subscriber.tell(messages, seq)

    def _pass_on(self, said: Said, seq: int) -> None:
        step = [said]
        for seat, subscriber in list(self._seats.items()):
            if meant_for(said, seat):
                subscriber.tell(step, seq)
        for subscriber, _ in list(self._observers.values()):
            if meant_for(said, None):
                subscriber.tell(step, seq)

    def hand_over(self) -> list[tuple[Subscriber, int | None, str]]:
        """All subscribers, with the seat of each or None, and what an observer is called; afterwards there are none."""
        self._ring()
        found = [(subscriber, seat, "") for seat, subscriber in self._seats.items()]
        watching = [(subscriber, None, name) for subscriber, name in self._observers.values()]
        self._seats.clear()
        self._observers.clear()
        return [*found, *watching]

    def close(self) -> None:
        """Close all subscribers."""
        self._ring()
        for subscriber in (*self._seats.values(), *self._observers):
            subscriber.close()
        self._seats.clear()
        self._observers.clear()

    def forsake(self) -> None:
        """Close those that wait for an answer: there will be none."""
        for asker in self._asking:
            asker.close()

    def __len__(self) -> int:
        return len(self._seats)


def meant_for(said: Said, seat: int | None) -> bool:
    """True if ``seat`` (None: a spectator) hears it; all seats hear what is said to a name.

    A name addresses a player; it is no whisper.
    """
    return said.to == EVERYBODY or (said.to == OBSERVERS) == (seat is None)
