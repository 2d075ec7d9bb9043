"""Reads JSON bodies of the API's requests, and refuses: ``{"error": code, "message": text}`` with a fitting status.

Codes are lower case words joined by underscores, one for each cause.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from functools import wraps
from http import HTTPStatus
from typing import Final, Literal, TypeVar, get_args

import msgspec
import structlog
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gateway.seating.registrar import Forbidden
from gateway.web.sessions import from_our_page
from protocols.core.errors import Refused, Why

Answer = Callable[[Request], Awaitable[Response]]

Code = Literal[
    "bad_request",
    "unauthorized",
    "forbidden",
    "foreign_origin",
    "not_found",
    "no_such_line",
    "no_such_node",
    "no_such_player",
    "no_such_table",
    "method_not_allowed",
    "too_long",
    "no_json",
    "upgrade_required",
    "internal_error",
    # of the relay
    "no_relay",
    "draining",
    "full",
    "no_answer",
    "no_port",
    "no_recordings",
    "too_many",
    "unknown_dialect",
]
"""The codes of the API beside the causes of a table's refusals."""

PageCode = Literal["no_form", "not_logged_in", "not_signed_in"]
"""The causes that only our own pages are told."""

STATUS: Final = {
    Why.UNKNOWN_GAME: HTTPStatus.NOT_FOUND,
    Why.NOT_INSTALLED: HTTPStatus.NOT_IMPLEMENTED,
    Why.OVERLOAD: HTTPStatus.SERVICE_UNAVAILABLE,
    Why.BAD_TICKET: HTTPStatus.UNAUTHORIZED,
    Why.NAME_TAKEN: HTTPStatus.CONFLICT,
    Why.TABLE_FULL: HTTPStatus.CONFLICT,
    Why.TOO_FAST: HTTPStatus.TOO_MANY_REQUESTS,
    Why.BANNED: HTTPStatus.FORBIDDEN,
    Why.NOT_PLAYING: HTTPStatus.CONFLICT,
    Why.NOT_YOUR_TURN: HTTPStatus.CONFLICT,
    Why.WRONG_PLY: HTTPStatus.CONFLICT,
    Why.NOT_NOW: HTTPStatus.CONFLICT,
}
"""The status of a cause; every other is the request's own fault."""

CHALLENGE: Final = 'Basic realm="Boardgate", charset="UTF-8"'
QUIET_CHALLENGE: Final = 'Bearer realm="Boardgate"'
"""Challenges of a 401 for programs and for pages: a browser puts a dialog before a page that is asked for Basic."""

NOT_NOW: Final = "the server cannot read or store just now, try again in a moment"

_log = structlog.get_logger()


class BadRequest(Exception):
    """The request cannot be served as it is. ``text`` says what is wrong, ``code`` is for programs."""

    def __init__(self, status: HTTPStatus, code: Code | PageCode, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.code = code


def refusal(status: int, code: str, text: str) -> JSONResponse:
    return JSONResponse({"error": code, "message": text}, status_code=status)


def code_of(why: Why) -> str:
    """The code of a cause."""
    return why.value.replace(" ", "_")


def status_of(why: Why) -> HTTPStatus:
    """The status of a cause."""
    return STATUS.get(why, HTTPStatus.BAD_REQUEST)


def codes() -> list[str]:
    """Every code that the API answers with."""
    return sorted({*get_args(Code), *map(code_of, Why)})


def not_now(path: str, error: SQLAlchemyError) -> Refused:
    """The refusal of a request while the database is in trouble; the log says why."""
    log_trouble(path, error)
    return Refused(Why.OVERLOAD, NOT_NOW)


def log_trouble(path: str, error: SQLAlchemyError) -> None:
    """Write what the database said to the request for ``path``."""
    _log.warning("a request cannot read or store", path=path, error=str(error))


def _challenge(request: Request) -> str:
    """Bearer for our pages, and where a ticket, a token or the key of a line was presented; else Basic."""
    presented = request.headers.get("authorization", "").partition(" ")[0].lower()
    return QUIET_CHALLENGE if from_our_page(request) or presented not in ("", "basic") else CHALLENGE


def refusing(answer: Answer) -> Answer:
    """``answer``, with what it refuses told to the peer; a database in trouble refuses, too."""

    @wraps(answer)
    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except BadRequest as bad:
            status, text = bad.status, str(bad)
            code: str = bad.code
        except Forbidden as forbidden:
            status, code, text = HTTPStatus.UNAUTHORIZED, "unauthorized", forbidden.text
            if forbidden.known:
                status, code = HTTPStatus.FORBIDDEN, "forbidden"
        except (Refused, SQLAlchemyError) as error:
            refused = error if isinstance(error, Refused) else not_now(request.url.path, error)
            status = status_of(refused.why)
            code, text = code_of(refused.why), refused.text
        told = refusal(status, code, text)
        if status == HTTPStatus.UNAUTHORIZED:
            told.headers["www-authenticate"] = _challenge(request)
        return told

    return answered


T = TypeVar("T")


async def body_of(request: Request, longest: int) -> bytes:
    """The whole body. BadRequest: it has more than ``longest`` bytes."""
    body = b""
    async with aclosing(request.stream()) as parts:
        async for part in parts:
            body += part
            if len(body) > longest:
                text = f"the body of this request has at most {longest} bytes"
                raise BadRequest(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_long", text)
    return body


def check_type(request: Request) -> None:
    """BadRequest: the body is not said to be JSON. A page of another site can make a browser send other types
    without asking first."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise BadRequest(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "no_json", "send application/json")


def decoded(body: bytes, kind: type[T]) -> T:
    """BadRequest says what is wrong, and where.

    A key that stands twice is refused: of its two values one program reads the first, another the last.
    """
    try:
        found = msgspec.json.decode(body, type=kind)
        json.loads(body, object_pairs_hook=_unique)
        return found
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise BadRequest(HTTPStatus.BAD_REQUEST, "bad_request", str(error)) from None


def _unique(pairs: list[tuple[str, object]]) -> None:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise ValueError(f"the key {key[:40]!r} stands twice in one object")
        seen.add(key)
