"""Lists the services of a node for its branches: messages, the record, the books of its clients, the table itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol

from gateway.cluster.local import Local, Place
from gateway.cluster.messages import Guest, Message
from gateway.store.records import Loaded
from gateway.tables.move_times import MoveTimes
from gateway.tables.runner import TableRunner
from gateway.tables.seams import Subscriber

TOO_LONG: Final = "this is too long for this server"


class Where(Protocol):
    """Finds the living node that has a table, by the database if ``anew``; None: this one, or the table is over."""

    async def __call__(self, table: int, *, anew: bool = False) -> int | None: ...


class Office(Protocol):
    """A node, as its branches use it."""

    @property
    def times(self) -> MoveTimes:
        """Times its clients' moves."""

    def send(self, to: int, message: Message) -> bool:
        """Send a message to a node; it may be lost. False: it is too long."""

    async def load(self, table: int) -> Loaded | None:
        """The record of a table; None: there is none. Refused (OVERLOAD): it cannot be read just now."""

    async def request(self, to: int, make: Callable[[int], Message]) -> str:
        """Send what is made of a new number, and return the answer when it was granted. Refused as the node says."""

    def next_id(self) -> int:
        """The id of a new command or request, that no other of any node has."""

    def start(self, run: Callable[[], Awaitable[None]]) -> None:
        """Run this in the background."""

    def guest(self, client: Subscriber) -> Guest:
        """The client as other nodes need to know it."""

    def local(self, client: Subscriber) -> Local:
        """The client's place in this node's books, new or known."""

    def local_of(self, number: int) -> Local | None:
        """The same by its number; None: it has ended."""

    def awaited(self, n: int) -> bool:
        """True while a client waits for the answer to request ``n``."""

    def granted(self, n: int) -> None:
        """Request ``n`` has been served."""

    def left(self, branch: Place) -> None:
        """No client is at the branch any more."""

    async def look_for(self, branch: Place) -> None:
        """Ask the node that owns the branch's table now whether its clients stand. Refused: it cannot be found now."""

    def settle(self, branch: Place) -> None:
        """A client has come to the branch: the table may have moved meanwhile."""

    async def home(self, table: int, seats: Sequence[int]) -> TableRunner | None:
        """The table itself, which is this node's now; in ``seats`` are clients. None: it is over. Refused: not now."""
