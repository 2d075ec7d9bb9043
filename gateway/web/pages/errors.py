"""Tells a browser as a page what the API tells programs as JSON: not found, wrong method, a defect, a ban."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from gateway.web.app import ErrorPage
from gateway.web.headers import accepts
from gateway.web.pages.frame import Frame

TEXTS: Final = {
    HTTPStatus.NOT_FOUND: ("Not found", "There is no page at this address. The game may be private, or never was."),
    HTTPStatus.METHOD_NOT_ALLOWED: ("Not possible", "This address cannot be used in this way."),
    HTTPStatus.FORBIDDEN: ("Not allowed", "This server does not let you in."),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        "Not just now",
        "The server is busy, starting or stopping. Try again in a moment.",
    ),
}
"""Title and text of the errors that have words of their own."""

DEFECT: Final = ("Something broke", "The server made a mistake. It is noted in its log; games go on.")


def error_pages(frame: Frame) -> ErrorPage:
    """The pages for those who want pages: browsers, outside the API."""

    def page(request: Request, status: int, text: str = "") -> Response | None:
        if not wants_page(request):
            return None
        title, usual = _words(status)
        return frame.error(request, status, title, text or usual)

    return page


def wants_page(request: Request) -> bool:
    """True if a browser asks for something to show; scripts and the API's users want JSON."""
    path = request.url.path
    return accepts(request, "accept", "text/html") and not path.startswith(("/api/", "/static/"))


def _words(status: int) -> tuple[str, str]:
    if status in TEXTS:
        return TEXTS[HTTPStatus(status)]
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return DEFECT
    return HTTPStatus(status).phrase, "The server cannot answer this request as it is."
