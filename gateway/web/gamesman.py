"""GAMESMAN over HTTP: POST /GamesmanServlet, everything in headers, each request answered when there is an answer.

The status is 200 whatever happens, bodies are empty and ignored. A request may wait for days; when its connection ends,
it is let go, and the same request may be sent again. Not here: what requests mean (protocols.gamesman), and which game
they are about (gamesman_office.py). Source: the P2P module documentation of GAMESMAN, and how Java's HttpURLConnection
sends and reads headers.
"""

from __future__ import annotations

import base64
import binascii
from contextlib import nullcontext
from dataclasses import replace
from typing import Final

import structlog
import trio
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.server.house import House
from gateway.web.gamesman_office import Asked, Exchange, Office
from gateway.web.guard import PATIENCE
from protocols import gamesman_wire as wire
from protocols.core.errors import Refused
from protocols.gamesman_wire import Fields

PATHS: Final = ("/GamesmanServlet", "/gamesman/GamesmanServlet")

STILL_S: Final = 600.0
"""Seconds after which a player who still waits is noted as present: far below any limit on idleness."""

AUTHORIZATION: Final = "authorization"
SCHEME: Final = b"ticket "

_NAMES: Final = {name.lower().encode(): name for name in wire.SPOKEN}

_log = structlog.get_logger()


class BadHeaders(Exception):
    """The text says what is wrong with a request's headers."""


def gamesman_routes(house: House) -> list[Route]:
    """What to give to ``make_app``."""
    office = Office(house)

    async def serve(request: Request) -> Response:
        try:
            asked = read(request.headers.raw, "" if request.client is None else request.client.host)
            if (login := login_of(request.headers.raw)) is not None:
                asked = replace(asked, account=await house.reception.entry.account(*login, asked.address))
            await office.wake(asked)
        except BadHeaders as error:
            return answer(wire.error(str(error)))
        except Refused as refused:
            return answer(wire.error(refused.text))
        exchange = office.ask(asked)
        await _wait(request, exchange)
        return answer(exchange.answer)

    return [Route(path, serve, methods=["POST"]) for path in PATHS]


async def _wait(request: Request, exchange: Exchange) -> None:
    """Until there is an answer, or nobody to read it."""
    patience = request.scope.get("state", {}).get(PATIENCE, nullcontext)
    with patience():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_watch, request, exchange, nursery.cancel_scope)
            while not exchange.answered.is_set():
                with trio.move_on_after(STILL_S):
                    await exchange.answered.wait()
                if not exchange.answered.is_set() and exchange.player is not None:
                    exchange.player.still_there(exchange)
            nursery.cancel_scope.cancel()


async def _watch(request: Request, exchange: Exchange, waiting: trio.CancelScope) -> None:
    """Read on until the client has closed: what it sends is a body, which means nothing."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    if exchange.player is not None:
        exchange.player.gone(exchange)
    waiting.cancel()


def read(headers: list[tuple[bytes, bytes]], address: str = "") -> Asked:
    """The headers that mean something here, whatever the letter case of their names. BadHeaders says what is wrong."""
    found: dict[str, bytes] = {}
    ticket = ""
    for raw, value in headers:
        if raw.lower() == AUTHORIZATION.encode() and value.lower().startswith(SCHEME):
            ticket = wire.text(value[len(SCHEME) :].strip())
        name = _NAMES.get(raw.lower())
        if name is None:
            continue
        if name in found:
            raise BadHeaders(f"the header {name} is given twice")
        found[name] = _checked(name, value)
    for name in (wire.SRC, wire.DEST):
        if not found.get(name):
            raise BadHeaders(f"the header {name} is missing")
    if len(ticket) > wire.LONGEST_VALUE:
        raise BadHeaders("no ticket is so long")
    fields = tuple((name, found[name]) for name in wire.SPOKEN if name in found)
    return Asked(wire.text(found[wire.SRC]), wire.text(found[wire.DEST]), ticket, fields, address)


def login_of(headers: list[tuple[bytes, bytes]]) -> tuple[str, str] | None:
    """Name and secret of an account: Basic has both, of a Bearer the name is "". None: there is neither.

    BadHeaders: what follows Basic is no such pair.
    """
    value = next((wire.text(value) for raw, value in headers if raw.lower() == AUTHORIZATION.encode()), "")
    scheme, _, secret = value.partition(" ")
    if scheme.lower() == "bearer":
        return "", secret.strip()
    if scheme.lower() != "basic":
        return None
    try:
        name, colon, password = base64.b64decode(secret.strip(), validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        colon = ""
    if not colon:
        raise BadHeaders("Basic is followed by NAME:PASSWORD in base64")
    return name, password


def _checked(name: str, value: bytes) -> bytes:
    if len(value) > wire.LONGEST_VALUE:
        raise BadHeaders(f"the header {name} has {len(value)} bytes, more than {wire.LONGEST_VALUE}")
    if any(byte < 0x20 or byte == 0x7F for byte in value):
        raise BadHeaders(f"the header {name} holds a control character: {value[:40]!r}")
    return value


def answer(fields: Fields) -> Response:
    """An empty body, and these headers; a warning is for the log only."""
    response = Response(headers={"cache-control": "no-store"})
    for name, value in fields:
        if name == wire.WARNING:
            _log.warning("gamesman request ignored", why=wire.text(value))
        else:
            response.raw_headers.append((name.encode(), value))
    return response
