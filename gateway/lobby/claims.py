"""Describes what a returning player shows for a seat. The table resolves it, at the moment it seats the player."""

from __future__ import annotations

from dataclasses import dataclass


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


Claim = TicketClaim | AddressClaim | PairClaim
