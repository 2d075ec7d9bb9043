"""A client of this node that plays elsewhere: what it asked, and what it was told."""

from __future__ import annotations

from collections import deque
from collections.abc import Container
from typing import Final, Protocol

import trio

from gateway.cluster.messages import Message
from gateway.tables.seams import Subscriber
from gateway.tables.subscribers import meant_for
from protocols.core import events as ev
from protocols.core.commands import Command
from protocols.core.errors import Refused, Why
from protocols.core.model import HouseRules

NO_SEAT: Final = "take a seat first"


class Place(Protocol):
    """A branch, as its node's books use it: of the table ``number``, which ``node`` has under ``epoch``."""

    number: int
    node: int
    epoch: int

    def heard(self, message: Message) -> None:
        """Serve what the table's node says."""

    def ask_again(self, node: int) -> None:
        """The table is at ``node``: ask there who stands of those that are not known to."""

    def go_home(self) -> None:
        """The table is this node's now."""

    def move(self, node: int) -> None:
        """The table is at ``node`` now."""

    def end(self) -> None:
        """The table is no more."""


class Local:
    """A client of this node that plays elsewhere. ``asked`` is the id of its last command.

    ``open`` is the command on its way, and when it was heard.
    """

    # fmt: off
    __slots__ = (
        "_answered", "asked", "behind", "branch", "check", "ended", "leaving", "name", "nodes", "open", "refused",
        "rules", "seat", "seated", "stands", "subscriber", "ticket", "told", "waiting",
    )
    # fmt: on

    def __init__(self, subscriber: Subscriber) -> None:
        self.subscriber = subscriber
        self.branch: Place | None = None
        """The branch where it is."""
        self.seat: int | None = None
        self.seated = 0
        """The request that has seated it last."""
        self.name = ""
        """The player's, or what an observer is called."""
        self.ticket = ""
        self.asked = 0
        self.open: tuple[Command, float] | None = None
        self.check = 0
        """Times that its table has had another node since it sat down: an answer to an older Here does not count."""
        self.waiting: deque[tuple[Command, float]] = deque()
        self._answered: trio.Event | None = None
        """Set at the next answer; None where nobody waits for that."""
        self.nodes: set[int] = set()
        """The nodes that know of it."""
        self.told = 0
        """The last event that it was told."""
        self.stands = False
        """True while the table's node has it among its clients, as far as is known."""
        self.leaving = False
        """True while it leaves its table, and says no more that it is there."""
        self.ended = False
        self.rules = HouseRules()
        """The rules of a table that is opened for it."""

    @property
    def number(self) -> int:
        return self.subscriber.number

    def hears(self, event: ev.Event) -> bool:
        """True if an event of its table is told to it."""
        return type(event) is not ev.Said or meant_for(event, self.seat)

    async def answer(self) -> None:
        """Wait for the next answer to a command, or until none is to be expected."""
        if self._answered is None:
            self._answered = trio.Event()
        await self._answered.wait()

    def ring(self) -> None:
        """A command is on its way no more."""
        if self._answered is not None:
            self._answered.set()
            self._answered = None

    def has_left(self, served: Container[int]) -> None:
        """The client has left its table, whose record until then says which commands were ``served``.

        Those behind the one on its way are not asked.
        """
        if self.open is not None:
            if self.asked not in served:
                self.subscriber.refuse(Refused(Why.NOT_SEATED, NO_SEAT))
            self.subscriber.answered()
        for _ in self.waiting:
            self.subscriber.refuse(Refused(Why.NOT_SEATED, NO_SEAT))
            self.subscriber.answered()

    def leaves(self) -> None:
        """The client is at no table any more, and none of its commands is on its way."""
        self.branch = self.seat = self.open = None
        self.stands = self.leaving = False
        self.waiting.clear()
        self.ring()
