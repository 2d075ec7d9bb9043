"""``/api/webhook``: the address at which an account's program is told of its games. docs/api.md explains it.

``PUT`` sets it, with a new secret that is shown in this answer alone; ``GET`` says which it is, ``DELETE`` ends it.
"""

from __future__ import annotations

import secrets
import time
from http import HTTPStatus
from typing import Annotated, Final

import msgspec
import trio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.accounts.logins import Tries
from gateway.net.asking import BadAddress
from gateway.push.by_webhook import shown
from gateway.push.posting import LONGEST, read_address
from gateway.store.notices import Notices
from gateway.store.views import moment
from gateway.web.api import NO_STORE
from gateway.web.askers import Askers
from gateway.web.reading import bad
from gateway.web.refusals import BadRequest, body_of, check_type, decoded, refusing
from gateway.web.shapes import WebhookMade, WebhookShown

SECRET_BYTES: Final = 32

BODY_BYTES: Final = 2048

BURST, PER_S = 10, 1 / 60
"""Addresses of one account at once, and then a second."""


class AskedWebhook(msgspec.Struct, forbid_unknown_fields=True):
    """The address to be told at: of HTTPS."""

    address: Annotated[str, msgspec.Meta(max_length=LONGEST)]


class WebhookApi:
    """``private`` lets addresses be in private networks, and without TLS."""

    def __init__(self, askers: Askers, notices: Notices, *, private: bool) -> None:
        self._askers = askers
        self._notices = notices
        self._private = private
        self._tries = Tries()
        self._threads = trio.CapacityLimiter(2)

    def routes(self) -> list[Route]:
        answers = {"GET": self.told, "PUT": self.set, "DELETE": self.end}
        return [Route("/api/webhook", refusing(answer), methods=[method]) for method, answer in answers.items()]

    async def told(self, request: Request) -> Response:
        account = await self._askers.account(request)
        found = await trio.to_thread.run_sync(self._notices.hook, account, limiter=self._threads)
        if found is None:
            raise BadRequest(HTTPStatus.NOT_FOUND, "not_found", f"no webhook is set for {account}")
        told: WebhookShown = {"address": found[0], "made_at": moment(found[1])}
        return JSONResponse(told, headers=NO_STORE)

    async def set(self, request: Request) -> Response:
        check_type(request)
        account = await self._askers.account(request)
        asked = decoded(await body_of(request, BODY_BYTES), AskedWebhook)
        try:
            read_address(asked.address, private=self._private)
        except BadAddress as error:
            raise bad(str(error)) from None
        self._tries.count(account.casefold(), PER_S, BURST, "webhooks were set")
        secret, now = secrets.token_bytes(SECRET_BYTES), time.time()
        keep = self._notices.set_hook
        await trio.to_thread.run_sync(keep, account, asked.address, secret, now, limiter=self._threads)
        told: WebhookMade = {"address": asked.address, "made_at": moment(now), "secret": shown(secret)}
        return JSONResponse(told, headers=NO_STORE)

    async def end(self, request: Request) -> Response:
        account = await self._askers.account(request)
        await trio.to_thread.run_sync(self._notices.unhook, account, limiter=self._threads)
        return Response(status_code=HTTPStatus.NO_CONTENT, headers=NO_STORE)
