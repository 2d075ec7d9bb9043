"""A client of this node that plays elsewhere: what it asked, and what it was told."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final, Protocol

import trio

from gateway.cluster.messages import Message, Refusal
from gateway.cluster.refusals import refusal_of
from gateway.cluster.replays import was_served
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
    """A client of this node that plays elsewhere. ``asked`` counts its commands.

    ``open`` is the command on its way: it, when it was heard, and the last event that the client knew then.
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
        self.open: tuple[Command, float, int] | None = None
        self.check = 0
        """Times that its table has had another node since it sat down: an answer to an older Here does not count."""
        self.refused = False
        """True if the command on its way has been refused; its answer is still to come."""
        self.behind = 0
        """The last event of the table when its last command was answered: what a later one leads to is behind it."""
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

    def is_refused(self, refusal: Refusal) -> None:
        """Tell it, if this is of the command on its way and not of one that the record has answered."""
        if self.open is not None and refusal.n == self.asked:
            self.refused = True
            self.subscriber.refuse(refusal_of(refusal.why, refusal.text, refusal.numbered))

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

    def has_left(self, record: Sequence[ev.Event]) -> None:
        """The client has left its table, whose ``record`` until then says whether the command on its way was served.

        Those behind it are not asked.
        """
        if self.open is not None:
            command, _, after = self.open
            if not (self.refused or was_served(command, self.seat, record[after:])):
                self.subscriber.refuse(Refused(Why.NOT_SEATED, NO_SEAT))
            self.subscriber.answered()
        for _ in self.waiting:
            self.subscriber.refuse(Refused(Why.NOT_SEATED, NO_SEAT))
            self.subscriber.answered()

    def leaves(self) -> None:
        """The client is at no table any more, and none of its commands is on its way."""
        self.branch = self.seat = self.open = None
        self.stands = self.leaving = self.refused = False
        self.waiting.clear()
        self.ring()
