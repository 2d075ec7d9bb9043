"""Who asks the API: by ``Authorization: Bearer``, ``Basic`` or ``Ticket``, or a guest.

Not here: what each of them may do, and checking passwords (gateway.accounts).
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from http import HTTPStatus

from starlette.requests import Request

from gateway.accounts.logins import Logins
from gateway.accounts.token import AdminToken
from gateway.lobby.lobby import Place
from gateway.server.house import House
from gateway.server.registrar import Registrant
from gateway.web.refusals import BadRequest


@dataclass(frozen=True, slots=True)
class Asker:
    """``place`` is the seat a ticket stands for; a guest has neither that nor a name nor the host's rights."""

    registrant: Registrant
    place: Place | None = None

    def seat_at(self, table: int) -> int | None:
        """The asker's seat at this table."""
        return self.place.seat if self.place is not None and self.place.table == table else None


class Askers:
    """Recognises who asks."""

    def __init__(self, house: House, logins: Logins, token: AdminToken) -> None:
        self._tickets = house.reception.tickets
        self._barred = house.barred
        self.logins = logins
        self._token = token

    async def of(self, request: Request) -> Asker:
        """BadRequest (401): what is presented is not known here. Refused: TOO_FAST, too much was not before; BANNED."""
        scheme, secret, address = _presented(request)
        match scheme:
            case "":
                return Asker(Registrant(address=address))
            case "bearer" if self.logins.is_token(secret):
                return Asker(Registrant(account=await self._token_owner(secret, address), address=address))
            case "bearer" if self._is_host(secret, address):
                return Asker(Registrant(admin=True, address=address))
            case "basic":
                return Asker(Registrant(account=await self._account(secret, address), address=address))
            case "ticket" if (place := self._tickets.known(secret, address)) is not None:
                return Asker(Registrant(address=address), place)
            case _:
                raise _unknown(f"this is no {scheme[:16]} secret of this server")

    async def by_password(self, request: Request) -> str:
        """The account whose name and password are presented. BadRequest (401) and Refused as in ``of``."""
        scheme, secret, address = _presented(request)
        if scheme != "basic":
            raise _unknown("a token is given for a name and a password: send them as Basic")
        return await self._account(secret, address)

    async def by_token(self, request: Request) -> str:
        """The account's token that is presented. BadRequest (401) and Refused as in ``of``."""
        scheme, secret, address = _presented(request)
        if scheme != "bearer" or not self.logins.is_token(secret):
            raise _unknown("send the token of an account as Bearer")
        await self._token_owner(secret, address)
        return secret

    async def _token_owner(self, token: str, address: str) -> str:
        self._tickets.admit(address)
        account = await self.logins.account("", token, address)
        if account is None:
            self._tickets.failed(address)
            raise _unknown("this token is unknown here, or has expired")
        self._barred.check(account)
        return account

    def _is_host(self, secret: str, address: str) -> bool:
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
        self._barred.check(account)
        return account


def _presented(request: Request) -> tuple[str, str, str]:
    """The scheme of Authorization in lower case, what follows it, and the asker's address."""
    address = request.client.host if request.client is not None else ""
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    return scheme.lower(), secret.strip(), address


def _unknown(text: str) -> BadRequest:
    return BadRequest(HTTPStatus.UNAUTHORIZED, "unauthorized", text)
