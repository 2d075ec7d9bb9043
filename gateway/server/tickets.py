"""Tickets and other secrets that come in by the network: which seat one stands for, and how often one may try.

A place that presents unknown ones waits longer and longer, with right ones too: otherwise guessing would go on during
the wait. Not here: which tickets there are (gateway.lobby), passwords (gateway.accounts).
"""

from __future__ import annotations

import math

import trio

from gateway.config import Limits
from gateway.lobby.lobby import Lobby, Place
from gateway.net.addresses import place_of
from gateway.net.backoff import Backoff
from protocols.core.errors import Refused, Why


class Tickets:
    """Everybody who presents a ticket comes here."""

    def __init__(self, lobby: Lobby, limits: Limits) -> None:
        self._lobby = lobby
        self._backoff = Backoff(limits.unknown_tickets)

    def seat(self, ticket: str, address: str) -> Place | None:
        """As ``Lobby.by_ticket``: None for "" and for a secret of the peer's own.

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

    def known(self, ticket: str, address: str) -> Place | None:
        """The same where nobody brings a secret of his own: None is a failure, too."""
        found = self.seat(ticket, address)
        if found is None and ticket:
            self.failed(address)
        return found

    def admit(self, address: str) -> None:
        """Refused (TOO_FAST): this address has failed too often just now."""
        if wait_s := self._backoff.wait_s(place_of(address), trio.current_time()):
            raise Refused(Why.TOO_FAST, f"too many wrong tickets or passwords; try again in {math.ceil(wait_s)} s")

    def failed(self, address: str) -> None:
        """Something secret that was presented from there is not known here."""
        self._backoff.failed(place_of(address), trio.current_time())
