"""Tells a browser as a page what is refused: not found, a form that is none, another's seat, a database in trouble.

The API tells programs the same as JSON.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from http import HTTPStatus
from typing import Final

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import Response

from gateway.web.app import ErrorPage
from gateway.web.headers import accepts
from gateway.web.pages.frame import Frame
from gateway.web.refusals import BadRequest, not_now, status_of
from protocols.core.errors import Refused, Why

Page = Callable[[Request], Awaitable[Response]]

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


def as_page(frame: Frame, page: Page) -> Page:
    """``page``, with what it refuses told as a page."""

    @wraps(page)
    async def answered(request: Request) -> Response:
        try:
            return await page(request)
        except BadRequest as bad:
            return frame.error(request, bad.status, bad.status.phrase, str(bad))
        except Refused as refused:
            return frame.error(request, status_of(refused.why), "Not possible", sentence(refused.text))
        except SQLAlchemyError as error:
            text = sentence(not_now(request.url.path, error).text)
            return frame.error(request, HTTPStatus.SERVICE_UNAVAILABLE, "Not just now", text)

    return answered


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


def fault_of(refused: Refused | None) -> tuple[HTTPStatus, str]:
    """The status of a page whose form was refused, and what it says of that; OK and "" where nothing was."""
    if refused is None:
        return HTTPStatus.OK, ""
    # 401 would ask for a header that a form cannot send
    status = HTTPStatus.FORBIDDEN if refused.why is Why.BAD_PASSWORD else status_of(refused.why)
    return status, sentence(refused.text)


def sentence(text: str) -> str:
    """A refusal as a sentence of a page."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}" if text else ""
