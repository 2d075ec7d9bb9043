"""The application of HTTP listeners: /healthz, /readyz and given routes, errors as JSON or pages, bans."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.web.refusals import refusal

ErrorPage = Callable[[Request, int, str], Response | None]
"""A page about an error for this request: its status, and a text, "" for the usual one. None: it asks for no page."""

WhyNot = Callable[[], list[str]]
"""The reasons why the server cannot take players just now; empty when it can."""


def no_page(request: Request, status: int, text: str) -> None:
    """For a server without pages."""


def make_app(ready: WhyNot, routes: Sequence[BaseRoute] = (), error_page: ErrorPage = no_page) -> Starlette:
    """The application, with these further ``routes``. ``ready`` is asked for each /readyz and must not block."""
    app = Starlette(
        routes=[Route("/healthz", healthz), Route("/readyz", _readyz(ready)), *routes],
        exception_handlers={HTTPException: _refused(error_page), Exception: _defect(error_page)},
    )
    app.router.redirect_slashes = False  # its redirects would name any host that the request claims
    return app


async def healthz(request: Request) -> JSONResponse:
    """200 as long as the process answers at all."""
    return JSONResponse({"status": "ok"}, headers={"cache-control": "no-store"})


def _readyz(ready: WhyNot) -> Callable[[Request], Awaitable[JSONResponse]]:
    async def readyz(request: Request) -> JSONResponse:
        """200 while players can sit down, otherwise 503 and why not."""
        reasons = ready()
        shown = {"status": "not ready", "reasons": reasons} if reasons else {"status": "ready"}
        return JSONResponse(shown, status_code=503 if reasons else 200, headers={"cache-control": "no-store"})

    return readyz


def _refused(error_page: ErrorPage) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def refused(request: Request, error: Exception) -> Response:
        """404, 405 and the like, with the code other errors of the API have: lower case words joined by underscores."""
        status = error.status_code if isinstance(error, HTTPException) else 500
        headers = error.headers if isinstance(error, HTTPException) else None
        if status == HTTPStatus.METHOD_NOT_ALLOWED:
            headers = {"allow": ", ".join(sorted(_methods(request)))}
        if (page := error_page(request, status, "")) is not None:
            page.headers.update(headers or {})
            return page
        phrase = HTTPStatus(status).phrase
        message = f"{phrase}: {request.method} {request.url.path}"
        return JSONResponse({"error": _code(phrase), "message": message}, status_code=status, headers=headers)

    return refused


def _methods(request: Request) -> set[str]:
    """The methods of all routes of the path: Starlette names those of the first."""
    routes = (route for route in request.app.routes if isinstance(route, Route))
    return {
        method
        for route in routes
        if route.matches(request.scope)[0] is not Match.NONE
        for method in route.methods or ()
    }


def _defect(error_page: ErrorPage) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def broken(request: Request, error: Exception) -> Response:
        """A defect of ours: the log has it, the peer gets no text of it."""
        shown = {"error": "internal_error", "message": "the server made a mistake"}
        return error_page(request, 500, "") or JSONResponse(shown, status_code=500)

    return broken


def _code(phrase: str) -> str:
    return phrase.lower().replace(" ", "_").replace("-", "_")


class CountedRequests:
    """``count`` is called with the address and the number 1, for each request."""

    def __init__(self, app: ASGIApp, count: Callable[[str, int], None]) -> None:
        self._app = app
        self._count = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (client := scope.get("client")) and client[0]:
            self._count(client[0], 1)
        await self._app(scope, receive, send)


class Unbanned:
    """``banned`` says why an address is not served, "" when it is."""

    def __init__(self, app: ASGIApp, banned: Callable[[str], str], error_page: ErrorPage = no_page) -> None:
        self._app = app
        self._banned = banned
        self._error_page = error_page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app, client = self._app, scope.get("client")
        if client and (why := self._banned(client[0])):
            page = self._error_page(Request(scope), HTTPStatus.FORBIDDEN, why) if scope["type"] == "http" else None
            app = page or refusal(HTTPStatus.FORBIDDEN, "banned", why)
        await app(scope, receive, send)
