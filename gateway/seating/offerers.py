"""Names those who offer games and take offers, what they are answered, and what is asked of ratings for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from gateway.lobby.offers import Offer
from gateway.seating.entering import Speaker
from protocols.core.model import HouseRules, Settings


class Maker(Speaker, Protocol):
    """A client that offers a game, or takes an offer. ``since`` is when it began to be without a table."""

    since: float

    @property
    def rules(self) -> HouseRules:
        """The rules of a table that is opened for it."""


class Ratings(Protocol):
    """The ratings of accounts, as of now."""

    async def rating_of(self, account: str, played: Settings) -> int:
        """An account's rating for a game of two. Refused: it cannot be read just now."""

    async def side_of(self, one: str, other: str, played: Settings) -> int | None:
        """The seat that is due to an account against another; None: it is to be drawn."""


@dataclass(frozen=True, slots=True)
class Offerer:
    """A player who offers a game or takes one: an account of this ``name``, or a guest, at an address."""

    name: str
    account: bool
    address: str


@dataclass(frozen=True, slots=True)
class Made:
    """An offer that was made, or where ``seat`` is not None another's that was taken. ``ticket`` is its asker's."""

    offer: Offer
    ticket: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """An offer of this node, as it alone knows it: its maker, with ticket and client, None over HTTP, and when it was
    made and ends, on trio's clock. Blocks kept its maker ``apart`` from these."""

    by: Offerer
    ticket: str
    maker: Maker | None
    made: float
    until: float
    apart: frozenset[str]
