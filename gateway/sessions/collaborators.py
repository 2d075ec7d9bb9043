"""Collaborators: what the connections of one server share, seating among it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Generic, Protocol, TypeVar

from gateway.accounts.registering import becoming
from gateway.admission.address_costs import AddressCosts
from gateway.admission.admission import Admission
from gateway.background import Background
from gateway.config import Config, Limits
from gateway.metrics import Metrics
from gateway.net.log_limiter import LogLimiter
from gateway.sessions.visitors import Visitors
from gateway.tables.seams import Subscriber
from protocols.core.commands import Inquire, Join, Offer, Say, Take, Watch, Withdraw
from protocols.core.notifications import Answered

Client = TypeVar("Client", contravariant=True)


class Seating(Protocol[Client]):
    """Seating as a connection uses it. Each method raises Refused with the reason."""

    async def seat(self, connection: Client, join: Join) -> None:
        """Find a seat; the connection has been told Seated then. Nearer, if it is movable."""

    async def watch(self, connection: Client, command: Watch) -> None:
        """Let it look on; it has been told Seated, without a seat, then."""

    async def login(self, connection: Client, name: str, secret: str) -> None:
        """Make it the account's."""

    def logged_in(self, connection: Client) -> None:
        """The connection has come as an account, and is here from now on."""

    async def enter(self, connection: Client, wanted: str, *, exact: bool = False) -> None:
        """Let it be here under a name; it has been told Named then."""

    async def offered(self, connection: Client, asked: Offer | Take | Withdraw) -> None:
        """Make, take or withdraw an offer; it has been told so, or Called, then."""

    async def answer(self, connection: Client, asked: Inquire) -> Answered:
        """Words for a person, and the same as data where there is some."""

    async def carry(self, connection: Client, said: Say) -> Say | None:
        """Carry words that leave the connection's table; what its table is to serve comes back."""


@dataclass(slots=True)
class Collaborators(Generic[Client]):
    """Collaborators that the connections of one server share.

    ``ended`` is called with each client that has ended. ``is_bot`` says whether an account is a program's.
    ``becoming`` says to guests how to become an account. ``masked`` gives a text without the words that the host wants
    nobody to say.
    ``numbers`` are those of clients, each once.
    """

    limits: Limits
    metrics: Metrics
    lines: LogLimiter
    background: Background
    admission: Admission
    visitors: Visitors
    seating: Seating[Client]
    ended: Callable[[Subscriber], None]
    is_bot: Callable[[str], bool]
    becoming: str
    masked: Callable[[str], str]
    costs: AddressCosts
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def reread(self, config: Config) -> None:
        """Keep to the limits of these settings; of commands those do who come from now on."""
        self.limits = config.limits
        self.becoming = becoming(config)
