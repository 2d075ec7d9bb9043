"""Authenticates connections: a name and a secret log in to the account of that name.

Wrong secrets count against the address like unknown tickets.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Protocol

import structlog

from gateway.admission.ban_enforcer import BanEnforcer
from gateway.admission.ticket_guessing import TicketGuard
from gateway.lobby.claims import ticket_digest
from gateway.lobby.lobby import OWN_TICKET, Lobby
from gateway.log_context import log_context
from protocols.core.commands import Join
from protocols.core.errors import Refused, Why

NO_TOKEN: Final = "this token is unknown here, or has expired"

_log = structlog.get_logger()


class Bearer(Protocol):
    """A client that presents a token: its ``account``, whether that is a program's (``bot``), and its scopes."""

    @property
    def account(self) -> str:
        """The account's name as it was registered."""

    @property
    def bot(self) -> bool:
        """True if the account is a program's."""

    @property
    def scopes(self) -> frozenset[str]:
        """Words of ``gateway.store.tokens.SCOPES``."""

    def may(self, *scopes: str) -> bool:
        """True if the token is good for one of these."""


class Logins(Protocol):
    """Logins as a server uses them; gateway.accounts.logins has the real ones."""

    async def account(self, name: str, password: str, address: str) -> str | None:
        """The account's name; None when name and password, or token, do not go together. Refused: too many tries."""

    async def renewed(self, name: str, passwords: str, address: str) -> str | None:
        """The account's name, which has the new one of these passwords; None where the old one is wrong. Refused."""

    async def bearer(self, token: str) -> Bearer | None:
        """The bearer of a token; None where it is good no more. Refused: accounts cannot be read."""

    def is_token(self, secret: str) -> bool:
        """True if a secret has a token's form."""


class Client(Protocol):
    """A connection that logs in. ``account`` is "" for a guest."""

    account: str

    @property
    def address(self) -> str:
        """The network address it comes from."""

    @property
    def seat(self) -> int | None:
        """Its seat; None without one."""


class Authenticator:
    """Every login comes here."""

    def __init__(self, logins: Logins, tickets: TicketGuard, ban_enforcer: BanEnforcer, lobby: Lobby) -> None:
        self._logins = logins
        self._tickets = tickets
        self._ban_enforcer = ban_enforcer
        self._lobby = lobby

    async def login(self, connection: Client, name: str, secret: str, *, renews: bool = False) -> None:
        """Make ``connection`` the account's. It stays whose it was where that is Refused.

        ``renews``: a secret that is no password may be the old one, a blank, and a new one without blanks.

        BAD_PASSWORD: they do not go together. TOO_FAST: too much from there was wrong before. BANNED. ALREADY_SEATED.
        """
        if connection.seat is not None:
            raise Refused(Why.ALREADY_SEATED, "you have a seat already: log in before you take one")
        connection.account = await self.account(name, secret, connection.address, renews=renews)
        _log.info("logged in", account=connection.account, **log_context(connection))

    async def account(self, name: str, secret: str, address: str, *, renews: bool = False) -> str:
        """The account of this name and secret. Refused as by ``login``."""
        self._tickets.admit(address)
        account = await self._logins.account(name, secret, address)
        if account is None and renews:
            account = await self._logins.renewed(name, secret, address)
        if account is None:
            self._tickets.failed(address)
            whose = f"for the account {name[:40]!r}" if name else "of any account"
            raise Refused(Why.BAD_PASSWORD, f"no password or token {whose}: check name and password")
        self._ban_enforcer.check(account)
        return account

    async def bearer(self, token: str, address: str) -> Bearer:
        """The bearer of a token that is presented alone. Refused as by ``login``."""
        self._tickets.admit(address)
        bearer = await self._logins.bearer(token) if self._logins.is_token(token) else None
        if bearer is None:
            self._tickets.failed(address)
            raise Refused(Why.BAD_PASSWORD, NO_TOKEN)
        self._ban_enforcer.check(bearer.account)
        return bearer

    async def introduced(self, connection: Client, join: Join) -> Join:
        """``join`` without its secret, which has logged the connection in. Refused as by ``login``, or PASSWORD_NEEDED.

        A wire with room for one secret beside the name brings its ticket or its password there. What is no seat's
        ticket is a password where the name is an account's, unless it is long enough for a ticket of the peer's own.
        """
        owned = self._lobby.names.owned(join.name)
        known = bool(join.ticket) and self._lobby.knows(ticket_digest(join.ticket))
        if join.or_guest and (known or not (owned or self._logins.is_token(join.secret))):
            join = replace(join, secret="", renews=False)
        if join.secret:
            await self.login(connection, join.name, join.secret, renews=join.renews)
            return _under(connection, join, "" if join.or_guest else join.ticket)
        if (
            join.ticket
            and not (known or join.kept)
            and (self._logins.is_token(join.ticket) or (owned and _short(join.ticket)))
        ):
            await self.login(connection, join.name, join.ticket)
            return _under(connection, join)
        if join.exact and not known:
            self.check_guest(connection, join.name)
        return join

    def check_guest(self, connection: Client, name: str) -> None:
        """Refused (PASSWORD_NEEDED): this is an account's name, and the client has not logged in."""
        if self._lobby.names.owned(name) and not connection.account:
            raise Refused(Why.PASSWORD_NEEDED, f"{name} is the name of an account: its password is needed")


def _under(connection: Client, join: Join, ticket: str = "") -> Join:
    """``join`` of the account that has logged in, without the secret."""
    return replace(join, name=connection.account, secret="", ticket=ticket, renews=False)


def _short(secret: str) -> bool:
    return len(secret) < OWN_TICKET
