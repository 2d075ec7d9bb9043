"""Lists the services of a node for its branches: messages, the record, the books of its clients, the table itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from gateway.cluster.calls import Calls
from gateway.cluster.local import Local, Place
from gateway.cluster.messages import Enter, Guest, Message
from gateway.store.records import Loaded
from gateway.tables.move_times import MoveTimes
from gateway.tables.runner import TableRunner
from gateway.tables.seams import Subscriber


class Where(Protocol):
    """Finds the living node that has a table, by the database if ``anew``; None: this one, or the table is over."""

    async def __call__(self, table: int, *, anew: bool = False) -> int | None: ...


class Office(Protocol):
    """A node, as its branches use it."""

    @property
    def times(self) -> MoveTimes:
        """Times its clients' moves."""

    @property
    def calls(self) -> Calls:
        """Its calls to other nodes."""

    def send(self, to: int, message: Message) -> bool:
        """Send a message to a node; it may be lost. False: it is too long."""

    async def load(self, table: int) -> Loaded | None:
        """The record of a table; None: there is none. Refused (OVERLOAD): it cannot be read just now."""

    async def ask_for(self, client: Subscriber, to: int, asked: Enter) -> str:
        """Ask a node for the client's seat: it knows of the client from now on. Refused as the node says."""

    def start(self, run: Callable[[], Awaitable[None]]) -> None:
        """Run this in the background."""

    def guest(self, client: Subscriber) -> Guest:
        """The client as other nodes need to know it."""

    def local(self, client: Subscriber) -> Local:
        """The client's place in this node's books, new or known."""

    def local_of(self, number: int) -> Local | None:
        """The same by its number; None: it has ended."""

    def left(self, branch: Place) -> None:
        """No client is at the branch any more."""

    async def look_for(self, branch: Place) -> None:
        """Ask the node that owns the branch's table now whether its clients stand. Refused: it cannot be found now."""

    def settle(self, branch: Place) -> None:
        """A client has come to the branch: the table may have moved meanwhile."""

    async def home(self, table: int, seats: Sequence[int]) -> TableRunner | None:
        """The table itself, which is this node's now; in ``seats`` are clients. None: it is over. Refused: not now."""
