"""Describes what a returning player shows for a seat, tickets above all. The table resolves it when it seats them."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import Final, NamedTuple

TICKET_BYTES: Final = 18
"""Random bytes of a ticket: 144 bits cannot be guessed."""


class Ticket(NamedTuple):
    """A secret that takes a seat back, as its SHA-256. ``secret`` is "" where its holder knows it from elsewhere."""

    digest: bytes
    secret: str = ""


def new_ticket() -> str:
    """A secret that stands for a seat."""
    return secrets.token_urlsafe(TICKET_BYTES)


def ticket_digest(secret: str) -> bytes:
    """The stored form of a ticket."""
    return hashlib.sha256(secret.encode()).digest()


def ticket_of(secret: str) -> Ticket | None:
    """The ticket with this secret; None for ""."""
    return Ticket(ticket_digest(secret), secret) if secret else None


@dataclass(frozen=True, slots=True)
class TicketClaim:
    """The SHA-256 of a ticket."""

    digest: bytes


@dataclass(frozen=True, slots=True)
class AddressClaim:
    """The address of a client whose wire carries neither a name nor a ticket, and the game it plays."""

    game: str
    address: str


@dataclass(frozen=True, slots=True)
class PairClaim:
    """The names of a registered pair, the returning player's first."""

    name: str
    opponent: str


@dataclass(frozen=True, slots=True)
class AccountClaim:
    """An account that is logged in, and the table where its name has a seat."""

    table: int
    name: str


Claim = TicketClaim | AddressClaim | PairClaim | AccountClaim
