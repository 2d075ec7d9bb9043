"""Identifies the asker of an API request: by ``Authorization``, by the cookie of a page that is logged in, or a guest.

``Authorization`` is ``Bearer``, ``Basic`` or ``Ticket``, and goes before a cookie. A guest's browser has the ticket of
its seat in a cookie for the addresses of that table (static/js/tickets.js), so its private games open there.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, TypeAlias
from urllib.parse import unquote

from starlette.requests import Request

from gateway.accounts.logins import Bearer, Logins
from gateway.accounts.tokens import AdminToken
from gateway.admission.authentication import NO_TOKEN
from gateway.admission.ban_enforcer import BanEnforcer
from gateway.admission.ticket_guessing import TicketGuard
from gateway.lobby.claims import ticket_digest
from gateway.lobby.lobby import Destination
from gateway.seating.registrar import Forbidden, Registrant
from gateway.store.tokens import ALL, PLAY
from gateway.store.views import TableView
from gateway.web.refusals import BadRequest
from gateway.web.sessions import SAFE, address_of, from_our_page, person_of

SEAT_COOKIE: Final = "boardgate-seat"
"""A browser's cookie for the addresses of one table."""

StoodFor: TypeAlias = Callable[[bytes], Awaitable[Destination | None]]


@dataclass(frozen=True, slots=True)
class Asker:
    """``destination`` is the seat a ticket stands for; a guest has neither that nor a name nor the host's rights."""

    registrant: Registrant
    destination: Destination | None = None

    def ticket_seat(self, view: TableView) -> int | None:
        """The seat at this table that its ticket stands for."""
        own = self.destination is not None and self.destination.table == view.table
        return self.destination.seat if own and self.destination is not None else None


class Askers:
    """Recognises the askers of requests.

    ``stood_for`` finds the seat of a ticket whose game is over, and the table of a used invitation.
    """

    def __init__(
        self, tickets: TicketGuard, bans: BanEnforcer, logins: Logins, token: AdminToken, stood_for: StoodFor
    ) -> None:
        self._tickets = tickets
        self._ban_enforcer = bans
        self.logins = logins
        self._token = token
        self._stood_for = stood_for

    @property
    def has_host(self) -> bool:
        """True if the settings have an admin token."""
        return self._token.given

    async def of(self, request: Request, *scopes: str) -> Asker:
        """``scopes`` are those of which a token needs one; without them it must be good for playing.

        BadRequest (401): what is presented is not known here; (403): the token is not good for this.

        Refused: TOO_FAST, too much was not before; BANNED; OVERLOAD, it cannot be looked up just now.
        """
        scheme, secret, address = _presented(request)
        match scheme:
            case "":
                return Asker(Registrant(account=_by_cookie(request), address=address), await self._by_key(request))
            case "bearer" if self.logins.is_token(secret):
                bearer = await self._bearer(secret, address)
                if not bearer.may(*(scopes or PLAY)):
                    raise BadRequest(HTTPStatus.FORBIDDEN, "forbidden", _needs(scopes or PLAY))
                return Asker(Registrant(account=bearer.account, address=address))
            case "bearer" if self.is_host(secret, address):
                return Asker(Registrant(admin=True, address=address))
            case "basic":
                return Asker(Registrant(account=await self._account(secret, address), address=address))
            case "ticket":
                await self._tickets.learn(secret, address)
                self._tickets.admit(address)
                destination = await self._found(secret) or self._tickets.known(secret, address)
                if destination is None:
                    raise _unknown("this is no ticket of this server")
                return Asker(Registrant(address=address), destination)
            case _:
                raise _unknown(f"this is no {scheme[:16]} secret of this server")

    async def account(self, request: Request, *scopes: str) -> str:
        """The asking account; without ``scopes`` a token must be good for all. BadRequest as in ``of``.

        BadRequest (401) too: the asker has no account. Refused as in ``of``.
        """
        account = (await self.of(request, *(scopes or (ALL,)))).registrant.account
        if not account:
            raise _unknown("log in as an account: its password or a token")
        return account

    async def host(self, request: Request, why: str) -> str:
        """The asking host, in the words of the log. Forbidden, with these words: any other asker."""
        registrant = (await self.of(request)).registrant
        if not registrant.admin:
            raise Forbidden(why, known=bool(registrant.account))
        return registrant.host

    async def _found(self, ticket: str) -> Destination | None:
        """The seat that a ticket stands for, or stood for until its game was over or it was used up."""
        found = self._tickets.quietly(ticket)
        return found if found is not None else await self._stood_for(ticket_digest(ticket))

    async def _by_key(self, request: Request) -> Destination | None:
        """The seat of the ticket that the browser keeps for this address."""
        key = unquote(request.cookies.get(SEAT_COOKIE, "")) if request.method in SAFE or from_our_page(request) else ""
        return await self._found(key) if key else None

    async def by_password(self, request: Request) -> str:
        """The account whose name and password are presented. BadRequest (401) and Refused as in ``of``."""
        scheme, secret, address = _presented(request)
        if scheme != "basic":
            raise _unknown("a token is given for a name and a password: send them as Basic")
        return await self._account(secret, address)

    async def by_token(self, request: Request) -> Bearer:
        """The bearer of an account's token. BadRequest (401) and Refused as in ``of``."""
        scheme, secret, address = _presented(request)
        if scheme != "bearer" or not self.logins.is_token(secret):
            raise _unknown("send the token of an account as Bearer")
        return await self._bearer(secret, address)

    async def _bearer(self, token: str, address: str) -> Bearer:
        self._tickets.admit(address)
        bearer = await self.logins.bearer(token)
        if bearer is None:
            self._tickets.failed(address)
            raise _unknown(NO_TOKEN)
        self._ban_enforcer.check(bearer.account)
        return bearer

    def is_host(self, secret: str, address: str) -> bool:
        """True if this is the admin token. Refused (TOO_FAST): too many others were presented from there."""
        self._tickets.admit(address)
        if not (fits := self._token.fits(secret)):
            self._tickets.failed(address)
        return fits

    async def _account(self, secret: str, address: str) -> str:
        try:
            name, colon, password = base64.b64decode(secret, validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            colon = ""
        if not colon:
            raise _unknown("Basic is followed by NAME:PASSWORD in base64")
        account = await self.logins.account(name, password, address)
        if account is None:
            raise _unknown("name and password do not go together")
        self._ban_enforcer.check(account)
        return account


def _by_cookie(request: Request) -> str:
    """The account that the browser has logged in to; "" where no page of ours asks for a change.

    Refused (OVERLOAD): that cannot be looked up just now. Who only looks is shown what anybody is shown then.
    """
    if request.method in SAFE:
        return person_of(request).account
    return person_of(request).known_account() if from_our_page(request) else ""


def _presented(request: Request) -> tuple[str, str, str]:
    """The scheme of Authorization in lower case, what follows it, and the asker's address."""
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    return scheme.lower(), secret.strip(), address_of(request)


def _needs(scopes: tuple[str, ...]) -> str:
    return f"this token is not good for that: it needs {' or '.join(scopes)}"


def _unknown(text: str) -> BadRequest:
    return BadRequest(HTTPStatus.UNAUTHORIZED, "unauthorized", text)
