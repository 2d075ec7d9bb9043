"""Refusals of the API as JSON: ``{"error": code, "message": text}`` with a fitting status.

Not here: what is refused. Codes are lower case words joined by underscores, one for each cause.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gateway.server.registrar import Forbidden
from protocols.core.errors import Refused, Why

Answer = Callable[[Request], Awaitable[Response]]

STATUS: Final = {
    Why.UNKNOWN_GAME: HTTPStatus.NOT_FOUND,
    Why.OVERLOAD: HTTPStatus.SERVICE_UNAVAILABLE,
    Why.BAD_TICKET: HTTPStatus.UNAUTHORIZED,
    Why.NAME_TAKEN: HTTPStatus.CONFLICT,
    Why.TABLE_FULL: HTTPStatus.CONFLICT,
    Why.TOO_FAST: HTTPStatus.TOO_MANY_REQUESTS,
    Why.BANNED: HTTPStatus.FORBIDDEN,
}
"""The status of a cause; every other is the request's own fault."""

CHALLENGE: Final = {"www-authenticate": 'Basic realm="Boardgate", charset="UTF-8"'}


class BadRequest(Exception):
    """The request cannot be served as it is. ``text`` says what is wrong, ``code`` is for programs."""

    def __init__(self, status: HTTPStatus, code: str, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.code = code


def refusal(status: int, code: str, text: str) -> JSONResponse:
    headers = CHALLENGE if status == HTTPStatus.UNAUTHORIZED else None
    return JSONResponse({"error": code, "message": text}, status_code=status, headers=headers)


def refusing(answer: Answer) -> Answer:
    """``answer``, with what it refuses told to the peer."""

    @wraps(answer)
    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except BadRequest as bad:
            return refusal(bad.status, bad.code, str(bad))
        except Forbidden as forbidden:
            if forbidden.known:
                return refusal(HTTPStatus.FORBIDDEN, "forbidden", forbidden.text)
            return refusal(HTTPStatus.UNAUTHORIZED, "unauthorized", forbidden.text)
        except Refused as refused:
            status = STATUS.get(refused.why, HTTPStatus.BAD_REQUEST)
            return refusal(status, refused.why.value.replace(" ", "_"), refused.text)

    return answered
