"""Resolves tickets and other secrets to seats, and delays addresses that guess.

An address that presents unknown ones waits longer and longer, with right ones too: guessing would go on during the wait
otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import trio

from gateway.admission.address_costs import TICKETS, AddressCosts
from gateway.admission.backoff import Backoff
from gateway.config import Config, Limits
from gateway.lobby.claims import ticket_digest
from gateway.lobby.lobby import Destination, Lobby
from gateway.net.addresses import address_key
from protocols.core.errors import Refused, Why

UNKNOWN: Final = "no seat is kept for this ticket: check it, or ask for a new seat without one"
"""The refusal of a ticket that stands for no seat, where a new seat was not asked for."""


Until: TypeAlias = Callable[[Callable[[], bool]], Awaitable[None]]
"""Returns when that is so, or no more of the record is to be read. Refused (OVERLOAD): it takes too long."""

Learns: TypeAlias = Callable[[bytes], Awaitable[None]]
"""Makes the lobby know the ticket with this digest, where it stands for a seat. Refused (OVERLOAD): not just now."""


class TicketGuard:
    """Resolves every presented ticket.

    ``until`` waits while a server that starts reads its record, ``elsewhere`` learns tickets of other nodes.
    """

    def __init__(
        self, lobby: Lobby, limits: Limits, until: Until, elsewhere: Learns, costs: AddressCosts | None = None
    ) -> None:
        self._costs = costs or AddressCosts()
        self._lobby = lobby
        self._backoff = Backoff(limits.unknown_tickets)
        self._until = until
        self._elsewhere = elsewhere

    def reread(self, config: Config) -> None:
        """Let an address guess as often as these settings say."""
        self._backoff.adapt(config.limits.unknown_tickets)

    async def learn(self, ticket: str, address: str) -> None:
        """Before a ticket is resolved: its part of the record may not have been read yet, and one that another node has
        given out just now may not have been heard of here.

        Refused: TOO_FAST as by ``seat``; OVERLOAD, that cannot be found out just now.
        """
        if ticket:
            await self.learn_digest(ticket_digest(ticket), address)

    async def learn_digest(self, digest: bytes, address: str) -> None:
        """The same for a ticket with this digest."""
        await self._until(lambda: self._lobby.knows(digest))
        if not self._lobby.knows(digest):
            self.admit(address)
            await self._elsewhere(digest)

    def seat(self, ticket: str, address: str) -> Destination | None:
        """The seat of a ticket (``Lobby.by_ticket``): None for "" and for a secret of the peer's own.

        Refused: BAD_TICKET is one more failure of this address, TOO_FAST the answer while it waits for those before.
        """
        if not ticket:
            return None
        self.admit(address)
        try:
            return self._lobby.by_ticket(ticket)
        except Refused:
            self.failed(address)
            raise

    def known(self, ticket: str, address: str) -> Destination | None:
        """The same for dialects whose clients bring no secret of their own: None is a failure, too."""
        found = self.seat(ticket, address)
        if found is None and ticket:
            self.failed(address)
        return found

    def quietly(self, ticket: str) -> Destination | None:
        """The seat of a ticket that a browser sends by itself, which is no guess."""
        return self._lobby.by_ticket(ticket) if self._lobby.knows(ticket_digest(ticket)) else None

    def kept(self, ticket: str, address: str) -> Destination:
        """The seat that a ticket stands for. Refused as by ``seat``, and where it stands for none."""
        self.admit(address)
        found = self._lobby.by_ticket(ticket) if self._lobby.knows(ticket_digest(ticket)) else None
        if found is None:
            self.failed(address)
            raise Refused(Why.BAD_TICKET, UNKNOWN)
        return found

    def admit(self, address: str) -> None:
        """Refused (TOO_FAST): this address has failed too often just now."""
        if wait_s := self._backoff.wait_s(address_key(address), trio.current_time()):
            self._costs.refused(address, TICKETS)
            raise Refused(Why.TOO_FAST, f"too many wrong tickets or passwords; try again in {math.ceil(wait_s)} s")

    def forget(self, now: float) -> None:
        """Drop the failures that are too old to count."""
        self._backoff.forget(now)

    def failed(self, address: str) -> None:
        """Something secret that was presented from there is not known here."""
        self._backoff.failed(address_key(address), trio.current_time())
