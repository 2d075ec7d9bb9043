"""Reads the JSON body of a request into a type: bounded in bytes, and without an object that names a key twice."""

from __future__ import annotations

import json
from contextlib import aclosing
from http import HTTPStatus
from typing import TypeVar

import msgspec
from starlette.requests import Request

from gateway.web.refusals import BadRequest

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
