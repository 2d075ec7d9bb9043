"""Tickets that the script of a page presents: as many as a browser keeps, each for its own table.

They stand in the body of a request: an address would give them away.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final, TypeAlias

import msgspec

from gateway.lobby.claims import ticket_digest

SHORTEST: Final = 20
"""Letters of a ticket that counts here. Ours have more; a secret that a person made up could be guessed, many at a
time."""

MOST_TICKETS: Final = 40
"""Tickets of one request: as many as a browser keeps (static/js/tickets.js)."""

LONGEST: Final = 200
"""Letters of one ticket."""

Ticket: TypeAlias = Annotated[str, msgspec.Meta(max_length=LONGEST)]
Tickets: TypeAlias = Annotated[list[tuple[int, Ticket]], msgspec.Meta(max_length=MOST_TICKETS)]
"""Pairs of table and ticket."""


def digests_of(tickets: Iterable[tuple[int, str]]) -> dict[bytes, int]:
    """The tables by the digests of the tickets; those that are too short are left out."""
    return {ticket_digest(ticket): table for table, ticket in tickets if len(ticket) >= SHORTEST}
