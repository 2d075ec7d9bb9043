"""Lets pages of other sites ask the JSON API, where the host names them (``server.api_origins``), and no others change
anything here: a browser sends many a POST of another site without asking first.

Never with a visitor's cookies: such a page gives a ticket or a token itself. Source: the WHATWG's Fetch standard,
section 3.2, the CORS protocol.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from http import HTTPStatus
from typing import Final

from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.config import Config
from gateway.web.app import ErrorPage
from gateway.web.forms import FOREIGN_FORM
from gateway.web.origin import FOREIGN, foreign
from gateway.web.refusals import refusal
from gateway.web.sessions import SAFE, from_our_page

API: Final = "/api/"

METHODS: Final = ("GET", "POST", "DELETE")

HEADERS: Final = ("authorization", "content-type", "last-event-id")
"""The headers that a page may send beside those that any page may send anywhere."""

REMEMBERED_S: Final = 600
"""Seconds a browser need not ask again: a setting that is taken back holds soon."""


class AcrossOrigins:
    """``app``, with its API open to pages of these origins: "https://example.org", separated by blanks; "*" all.

    Whatever is more than a look is refused to pages of all others. A program sends no Origin.
    """

    def __init__(self, app: ASGIApp, origins: str, error_page: ErrorPage) -> None:
        self._app = app
        self._error_page = error_page
        self._origins = origins.split()
        self._api = _open_to(self._origins, app)

    def reread(self, config: Config) -> None:
        """Open the API to pages of the origins of these settings, and to no others."""
        self._origins = config.server.api_origins.split()
        self._api = _open_to(self._origins, self._app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        api = scope["type"] == "http" and scope["path"].startswith(API)
        app = self._api if api else self._app
        if scope["type"] == "http" and scope["method"] not in SAFE:
            app = self._refusal(Request(scope), self._origins if api else ()) or app
        await app(scope, receive, send)

    def _refusal(self, request: Request, allowed: Collection[str]) -> ASGIApp | None:
        """None: a program asks, or a page of ours or of a site that may."""
        origin = request.headers.get("origin", "")
        if not origin or from_our_page(request) or "*" in allowed or origin in allowed:
            return None
        page = self._error_page(request, HTTPStatus.FORBIDDEN, FOREIGN_FORM)
        return page or refusal(HTTPStatus.FORBIDDEN, FOREIGN, foreign(origin))


def _open_to(origins: Sequence[str], app: ASGIApp) -> ASGIApp:
    if not origins:
        return app
    return CORSMiddleware(
        app,
        allow_origins=origins,
        allow_methods=METHODS,
        allow_headers=HEADERS,
        expose_headers=("location",),
        max_age=REMEMBERED_S,
    )
