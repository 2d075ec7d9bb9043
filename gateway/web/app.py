"""The application that HTTP listeners serve: /healthz and /readyz, what else it is given, every error as JSON.

Not here: sockets and their limits (guard.py), and the routes it is given (api.py and its neighbours).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

WhyNot = Callable[[], list[str]]
"""The reasons why the server cannot take players just now; empty when it can."""


def make_app(ready: WhyNot, routes: Sequence[BaseRoute] = ()) -> Starlette:
    """The application, with these further ``routes``. ``ready`` is asked for each /readyz and must not block."""
    app = Starlette(
        routes=[Route("/healthz", healthz), Route("/readyz", _readyz(ready)), *routes],
        exception_handlers={HTTPException: _refusal, Exception: _defect},
    )
    app.router.redirect_slashes = False  # its redirects would name whatever host the request claimed
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


async def _refusal(request: Request, error: Exception) -> JSONResponse:
    """404, 405 and the like, with the code other errors of the API have: lower case words joined by underscores."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = error.headers if isinstance(error, HTTPException) else None
    phrase = HTTPStatus(status).phrase
    message = f"{phrase}: {request.method} {request.url.path}"
    return JSONResponse({"error": _code(phrase), "message": message}, status_code=status, headers=headers)


async def _defect(request: Request, error: Exception) -> JSONResponse:
    """A defect of ours: the log has it, the peer gets no text of it."""
    return JSONResponse({"error": "internal_error", "message": "the server made a mistake"}, status_code=500)


def _code(phrase: str) -> str:
    return phrase.lower().replace(" ", "_").replace("-", "_")
