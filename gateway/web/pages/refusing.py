"""Shows what a page refuses as a page: a form that is none, a seat that is another's, a database in trouble."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from http import HTTPStatus

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import Response

from gateway.web.pages.frame import Frame
from gateway.web.refusals import STATUS, BadRequest, not_now
from protocols.core.errors import Refused

Page = Callable[[Request], Awaitable[Response]]


def as_page(frame: Frame, page: Page) -> Page:
    """``page``, with what it refuses told as a page."""

    @wraps(page)
    async def answered(request: Request) -> Response:
        try:
            return await page(request)
        except BadRequest as bad:
            return frame.error(request, bad.status, bad.status.phrase, str(bad))
        except Refused as refused:
            status = STATUS.get(refused.why, HTTPStatus.BAD_REQUEST)
            return frame.error(request, status, "Not possible", sentence(refused.text))
        except SQLAlchemyError as error:
            text = sentence(not_now(request.url.path, error).text)
            return frame.error(request, HTTPStatus.SERVICE_UNAVAILABLE, "Not just now", text)

    return answered


def sentence(text: str) -> str:
    """A refusal as a sentence of a page."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}" if text else ""


def address_of(request: Request) -> str:
    """The asker's address; "" where a proxy does not say it."""
    return request.client.host if request.client is not None else ""
