"""The page of the JSON API: its documents for programs, and every request with a sentence.

GET /api    the page; docs/api.md of the project explains more
GET /docs   leads there: where many servers have such a page
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gateway.release import release
from gateway.web.operations import OPERATIONS
from gateway.web.pages.frame import Frame

PAGE: Final = "/api"

DOCUMENTS: Final = (
    ("/api/openapi.json", "OpenAPI 3.1: every request with its answers; client generators read it"),
    ("/api/web.schema.json", "JSON Schema: the messages of a WebSocket at /ws, both ways; they play live"),
    ("/api/events.schema.json", "JSON Schema: the events of a table, as streams and exports have them"),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A request on the page. ``plain``: a browser can look at its answer."""

    method: str
    path: str
    summary: str
    plain: bool


def requests() -> list[Shown]:
    """Every request of the API, those of one path together."""
    return [
        Shown(one.method.upper(), one.path, one.summary.replace("`", ""), _plain(one.method, one.path))
        for one in OPERATIONS
        if one.path not in dict(DOCUMENTS)
    ]


def _plain(method: str, path: str) -> bool:
    return method == "get" and path in ("/api/games", "/api/tables")


def api_routes_of_pages(frame: Frame) -> list[Route]:
    """The page, and the way to it."""

    async def page(request: Request) -> Response:
        return frame.page(request, "api.html", documents=DOCUMENTS, requests=requests(), release=release())

    async def there(request: Request) -> Response:
        return RedirectResponse(PAGE, HTTPStatus.SEE_OTHER)

    return [Route(PAGE, page, methods=["GET"]), Route("/docs", there, methods=["GET"])]
