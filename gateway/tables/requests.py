"""Lists what can be asked of a table's task: commands, seats, looking on, leaving."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import trio

from gateway.lobby.claims import Claim, Ticket
from gateway.table.draft import Draft
from gateway.table.refusals import closed_here
from gateway.table.state import State
from gateway.tables.seams import Asker, Subscriber
from protocols.core.commands import Command, Join
from protocols.core.errors import Refused, Why
from protocols.core.events import Event, SeatTaken

STOPPING: Final = "the server stops: ask again when it is back"
"""The answer to a request of which it is not known whether it is stored."""


@dataclass(slots=True, kw_only=True)
class Awaited:
    """A request whose asker waits: ``done`` is set with the answer, ``refused`` or None."""

    refused: Refused | None = None
    done: trio.Event = field(default_factory=trio.Event)

    async def granted(self) -> None:
        """Return when it has been served. Refused: it was not granted.

        Nothing keeps the refusal then: with its traceback it would keep the connection until a collection.
        """
        await self.done.wait()
        refused, self.refused = self.refused, None
        try:
            if refused is not None:
                raise refused
        finally:
            del refused


@dataclass(slots=True)
class Ask:
    """A seated client's command, asked at ``since``."""

    asker: Asker
    command: Command
    since: float


@dataclass(slots=True)
class Sit(Awaited):
    """A client asks for the seat that ``claim`` stands for, or for any open one: ``seat`` is known when it is served.

    ``join`` has the name that is wanted. ``ticket`` will stand for a seat that was open; None: none will, or the one
    that was shown does on.
    """

    newcomer: Subscriber
    join: Join
    claim: Claim | None
    ticket: Ticket | None
    seat: int | None = None

    def taken(self, events: Sequence[Event]) -> int:
        """The seat that was claimed, or that the ``events`` of this request gave."""
        if self.seat is not None:
            return self.seat
        return next(event.seat for event in events if isinstance(event, SeatTaken))


@dataclass(slots=True)
class Look(Awaited):
    """A client asks to look on, called ``name``."""

    newcomer: Subscriber
    name: str


CatchUp = Callable[[int], Awaitable[Sequence[tuple[Command, float]]]]
"""Tells a client what it has not been told of the record up to this event; what it has asked since when, and is to be
served before all that it asks from now on. Refused (OVERLOAD): not just now."""


@dataclass(slots=True)
class Back(Awaited):
    """A client that was at this table while another server had it is still there, at its ``seat`` or looking on.

    ``name`` is the player's, or what the observer is called. ``catch_up`` None: the client sees to that itself.
    """

    subscriber: Subscriber
    seat: int | None
    name: str
    catch_up: CatchUp | None = None


@dataclass(slots=True)
class Give(Awaited):
    """The table is to be another node's: ``give`` stores that, by the table's epoch and last event; whether it did."""

    give: Callable[[int, int], Awaitable[bool]]


@dataclass(slots=True)
class Missing:
    """Players who should have come with the table, and have not, are gone."""


@dataclass(slots=True)
class Gone:
    """A client leaves, or has ended or is about to; ``done`` is set when the table has let go of it."""

    subscriber: Subscriber
    lost: bool = True
    done: trio.Event = field(default_factory=trio.Event)


@dataclass(slots=True)
class Reissue(Awaited):
    """``ticket`` is to be the ticket of the seat that is registered for ``name``; ``seat`` is the answer."""

    name: str
    ticket: Ticket
    seat: int = -1


Drafted = Callable[[State, float], Draft]
"""The end of a table from its state and the time. Refused: it is not to end."""


@dataclass(slots=True)
class End(Awaited):
    """The table is to end, for no command of a player: its two players are registered anew, or the host ends it."""

    drafted: Drafted


@dataclass(slots=True)
class Call:
    """A client that waits for a game here is to look for a table again, if it waits still."""

    subscriber: Subscriber


@dataclass(slots=True)
class Taken:
    """Another server owns the table now."""


@dataclass(slots=True)
class Thought:
    """A house bot's command for ``seat``, thought of at ``moment``."""

    seat: int
    command: Command
    moment: int


Request: TypeAlias = Ask | Sit | Look | Back | Give | Missing | Gone | Reissue | End | Call | Taken | Thought


def turn_away(left: Iterable[Request]) -> None:
    """Answer the requests that still wait at a table that has ended."""
    for request in left:
        if isinstance(request, Awaited):
            request.refused = closed_here()
        if isinstance(request, Awaited | Gone):
            request.done.set()
        if isinstance(request, Ask):
            request.asker.answered()


def check_present(newcomer: Subscriber) -> None:
    """Refused: it has ended while its request waited, and would not be told so later."""
    if newcomer.ended:
        raise Refused(Why.NOT_NOW, "the connection has ended")
