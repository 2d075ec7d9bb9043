"""The application for those who are not banned, asked anew with every request: a connection may be older than a ban.

Not here: which networks are banned (gateway.server.barred), and connections that begin (guard.py).
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.web.refusals import refusal


class Unbanned:
    """``banned`` says why nobody is served at an address, "" when they are; nobody's address is banned."""

    def __init__(self, app: ASGIApp, banned: Callable[[str], str]) -> None:
        self._app = app
        self._banned = banned

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app, client = self._app, scope.get("client")
        if client and (why := self._banned(client[0])):
            app = refusal(HTTPStatus.FORBIDDEN, "banned", why)
        await app(scope, receive, send)
