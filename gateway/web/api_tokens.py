"""``/api/tokens``: the tokens of the asking account, by which its programs log in. docs/registration.md explains them.

``POST`` makes one for the account's password, ``GET`` lists them, ``DELETE`` ends the one that is presented, or one of
the list by its ``id``.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, Final, TypedDict

import msgspec
import trio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.accounts.issuing import LONGEST_LABEL, issue
from gateway.accounts.logins import Tries
from gateway.store.accounts import Accounts
from gateway.store.tokens import ALL, SCOPES, Token, TokenNamed, TooManyTokens
from gateway.web.api import NO_STORE
from gateway.web.askers import Askers
from gateway.web.reading import bad
from gateway.web.refusals import BadRequest, body_of, check_type, decoded, refusing

BODY_BYTES: Final = 2048

BURST, PER_S = 20, 1 / 60
"""Tokens with a name that one account makes at once, and then a second: each is a line of the log of acts."""


class AskedToken(msgspec.Struct, forbid_unknown_fields=True):
    """A token with a ``name``, for a program, or without, for a login; ``until`` is its last day, as 2027-06-30."""

    name: Annotated[str, msgspec.Meta(max_length=LONGEST_LABEL)] = ""
    scopes: tuple[str, ...] = (ALL,)
    until: str = ""


class TokenMade(TypedDict):
    """A token that stands in for the account's password until ``expires_at``; null: until it is ended."""

    account: str
    token: str
    expires_at: str | None


class TokenShown(TypedDict):
    """A token as it is listed: ``name`` "" of a login's; ``used_at`` is exact to a day, null before its first use."""

    id: str
    name: str
    scopes: list[str]
    made_at: str
    used_at: str | None
    expires_at: str | None


class TokensShown(TypedDict):
    """The tokens of an account, the newest first."""

    tokens: list[TokenShown]


class TokensApi:
    def __init__(self, accounts: Accounts, askers: Askers) -> None:
        self._accounts = accounts
        self._askers = askers
        self._tries = Tries()

    def routes(self) -> list[Route]:
        return [
            Route("/api/tokens", refusing(self.make), methods=["POST"]),
            Route("/api/tokens", refusing(self.all), methods=["GET"]),
            Route("/api/tokens", refusing(self.end), methods=["DELETE"]),
            Route("/api/tokens/{id}", refusing(self.end_one), methods=["DELETE"]),
        ]

    async def make(self, request: Request) -> Response:
        """BadRequest (400): there is such a token already, there are too many, or name, scopes or day are none."""
        account = await self._askers.by_password(request)
        body, asked = await body_of(request, BODY_BYTES), AskedToken()
        if body:
            check_type(request)
            asked = decoded(body, AskedToken)
        if asked.name:
            self._tries.count(account.casefold(), PER_S, BURST, "tokens were made")
        asks = (self._accounts, account, account, asked.name, asked.scopes, asked.until)
        try:
            token, made = await trio.to_thread.run_sync(issue, *asks)
        except (TokenNamed, TooManyTokens) as error:
            raise bad(str(error)) from None
        told: TokenMade = {"account": account, "token": token, "expires_at": _end(made)}
        return JSONResponse(told, status_code=HTTPStatus.CREATED, headers=NO_STORE)

    async def all(self, request: Request) -> Response:
        found = await self._tokens(request)
        told: TokensShown = {"tokens": [_shown(token) for token in found]}
        return JSONResponse(told, headers=NO_STORE)

    async def end(self, request: Request) -> Response:
        bearer = await self._askers.by_token(request)
        await trio.to_thread.run_sync(self._accounts.end_token, bearer.token.digest, bearer.account)
        return Response(status_code=HTTPStatus.NO_CONTENT, headers=NO_STORE)

    async def end_one(self, request: Request) -> Response:
        """BadRequest (404): the account has no such token."""
        wanted = request.path_params["id"]
        for token in await self._tokens(request):
            if token.id == wanted:
                await trio.to_thread.run_sync(self._accounts.end_token, token.digest, token.name)
                return Response(status_code=HTTPStatus.NO_CONTENT, headers=NO_STORE)
        raise BadRequest(HTTPStatus.NOT_FOUND, "not_found", f"you have no token {wanted[:40]!r}")

    async def _tokens(self, request: Request) -> list[Token]:
        account = await self._askers.account(request)
        return await trio.to_thread.run_sync(self._accounts.tokens, account, time.time())


def _shown(token: Token) -> TokenShown:
    return {
        "id": token.id,
        "name": token.label,
        "scopes": [scope for scope in SCOPES if scope in token.scopes],
        "made_at": _second(token.created_at),
        "used_at": None if token.used_at is None else _second(token.used_at),
        "expires_at": _end(token),
    }


def _end(token: Token) -> str | None:
    return None if token.lasting else _second(token.expires_at)


def _second(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
