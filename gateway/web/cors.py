"""Lets pages of other sites ask the JSON API, where the host names them (``server.api_origins``).

Never with a visitor's cookies: such a page gives a ticket or a token itself. Source: the WHATWG's Fetch standard,
section 3.2, the CORS protocol.
"""

from __future__ import annotations

from typing import Final

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

API: Final = "/api/"

METHODS: Final = ("GET", "POST", "DELETE")

HEADERS: Final = ("authorization", "content-type", "last-event-id")
"""The headers that a page may send beside those that any page may send anywhere."""

REMEMBERED_S: Final = 600
"""Seconds a browser need not ask again: a setting that is taken back holds soon."""


class AcrossOrigins:
    """``app``, with its API open to pages of these origins: "https://example.org", separated by blanks; "*" all."""

    def __init__(self, app: ASGIApp, origins: str) -> None:
        self._app = app
        self._api = (
            CORSMiddleware(
                app,
                allow_origins=origins.split(),
                allow_methods=METHODS,
                allow_headers=HEADERS,
                expose_headers=("location",),
                max_age=REMEMBERED_S,
            )
            if origins
            else app
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        api = scope["type"] == "http" and scope["path"].startswith(API)
        await (self._api if api else self._app)(scope, receive, send)
