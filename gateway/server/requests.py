"""What others ask of a table's task. Not here: what it does about it (table_task.py)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import trio

from protocols.core.commands import Command, Join
from protocols.core.errors import Refused, Why
from protocols.core.events import Event, SeatTaken

if TYPE_CHECKING:
    from gateway.server.connection import Connection


@dataclass(slots=True)
class Ask:
    """A seated connection's command, asked at ``since``."""

    connection: Connection
    command: Command
    since: float


@dataclass(slots=True)
class Sit:
    """Somebody comes: to ``seat``, or to any open one. ``done`` is set with the answer, ``refused`` or None."""

    connection: Connection
    join: Join
    seat: int | None
    ticket: str
    refused: Refused | None = None
    done: trio.Event = field(default_factory=trio.Event)

    def taken(self, events: Sequence[Event]) -> int:
        """The seat that was asked for, or that the ``events`` of this request gave."""
        if self.seat is not None:
            return self.seat
        return next(event.seat for event in events if isinstance(event, SeatTaken))


@dataclass(slots=True)
class Look:
    """Somebody wants to look on, called ``name``. ``done`` is set with the answer, ``refused`` or None."""

    connection: Connection
    name: str
    refused: Refused | None = None
    done: trio.Event = field(default_factory=trio.Event)


@dataclass(slots=True)
class Gone:
    """A connection leaves, or has ended or is about to; ``done`` is set when the table has let go of it."""

    connection: Connection
    lost: bool = True
    done: trio.Event = field(default_factory=trio.Event)


@dataclass(slots=True)
class Reissue:
    """``ticket`` is to be the ticket of the seat that is registered for ``name``.

    ``done`` is set with the answer: the ``seat``, or ``refused``.
    """

    name: str
    ticket: str
    seat: int = -1
    refused: Refused | None = None
    done: trio.Event = field(default_factory=trio.Event)


@dataclass(slots=True)
class Supersede:
    """The two players of the table are registered anew. ``done`` is set with the answer, ``refused`` or None."""

    refused: Refused | None = None
    done: trio.Event = field(default_factory=trio.Event)


@dataclass(slots=True)
class Call:
    """A connection that waits for a game here is to look for a table again, if it waits still."""

    connection: Connection


@dataclass(slots=True)
class Taken:
    """Another server owns the table now."""


@dataclass(slots=True)
class Thought:
    """A house bot's command for ``seat``."""

    seat: int
    command: Command


Request: TypeAlias = Ask | Sit | Look | Gone | Reissue | Supersede | Call | Taken | Thought


def check_granted(request: Sit | Look | Reissue | Supersede) -> None:
    """Raise what it was refused with. Refused.

    Nothing keeps the refusal then: with its traceback it would keep the connection until a collection.
    """
    refused, request.refused = request.refused, None
    try:
        if refused is not None:
            raise refused
    finally:
        del refused


def closed_here() -> Refused:
    """The table has ended. A new one each time: it keeps every place where it is raised."""
    return Refused(Why.TABLE_FULL, "this table is closed")


def turn_away(left: Iterable[Request]) -> None:
    """Whoever still waits at a table that has ended is told so."""
    for request in left:
        if isinstance(request, Sit | Look | Reissue | Supersede):
            request.refused = closed_here()
        if isinstance(request, Sit | Look | Reissue | Supersede | Gone):
            request.done.set()
        if isinstance(request, Ask):
            request.connection.answered()
