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
from gateway.lobby.lobby import Lobby, Place
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

    def __init__(self, lobby: Lobby, logins: Logins, token: AdminToken) -> None:
        self._lobby = lobby
        self._logins = logins
        self._token = token

    async def of(self, request: Request) -> Asker:
        """BadRequest (401): what is presented is not known here."""
        address = request.client.host if request.client is not None else ""
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        secret = secret.strip()
        match scheme.lower():
            case "":
                return Asker(Registrant(address=address))
            case "bearer" if self._token.fits(secret):
                return Asker(Registrant(admin=True, address=address))
            case "basic":
                return Asker(Registrant(account=await self._account(secret, address), address=address))
            case "ticket" if (place := self._lobby.by_ticket(secret)) is not None:
                return Asker(Registrant(address=address), place)
            case _:
                raise _unknown(f"this is no {scheme.lower()[:16]} secret of this server")

    async def _account(self, secret: str, address: str) -> str:
        try:
            name, colon, password = base64.b64decode(secret, validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            colon = ""
        if not colon:
            raise _unknown("Basic is followed by NAME:PASSWORD in base64")
        account = await self._logins.account(name, password, address)
        if account is None:
            raise _unknown("name and password do not go together")
        return account


def _unknown(text: str) -> BadRequest:
    return BadRequest(HTTPStatus.UNAUTHORIZED, "unauthorized", text)
