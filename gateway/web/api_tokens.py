"""``POST /api/tokens`` gives an account a token for its password; ``DELETE`` ends the token that is presented.

Not here: what tokens are (gateway.accounts.tokens), and who asks (askers.py).
"""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.web.askers import Askers
from gateway.web.refusals import refusing

PRIVATE: Final = {"cache-control": "no-store"}


class TokenApi:
    """Gives and ends tokens."""

    def __init__(self, askers: Askers) -> None:
        self._askers = askers

    def routes(self) -> list[Route]:
        return [
            Route("/api/tokens", refusing(self.give), methods=["POST"]),
            Route("/api/tokens", refusing(self.end), methods=["DELETE"]),
        ]

    async def give(self, request: Request) -> Response:
        """A token for the account whose name and password are presented."""
        account = await self._askers.by_password(request)
        token, expires_at = await self._askers.logins.new_token(account)
        expires = datetime.fromtimestamp(expires_at, UTC).isoformat(timespec="seconds")
        answer = {"account": account, "token": token, "expires_at": expires}
        return JSONResponse(answer, status_code=HTTPStatus.CREATED, headers=PRIVATE)

    async def end(self, request: Request) -> Response:
        """The token that is presented is good no more."""
        await self._askers.logins.end_token(await self._askers.by_token(request))
        return Response(status_code=HTTPStatus.NO_CONTENT, headers=PRIVATE)
