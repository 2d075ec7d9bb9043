"""POST /api/relays: a code and a one-time port for two who cannot reach each other.

The body is empty or an object: ``dialect`` and ``record`` (true: write the pair's bytes as a transcript of that
dialect), ``port`` (false: for helpers only, without a one-time port).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from gateway.ops.drain import NO_ROOM
from gateway.relay.relay import Relay
from gateway.relay.rendezvous import Refusal
from gateway.web.refusals import body_of, check_type, decoded, refusal, refusing
from gateway.web.sessions import address_of

LONGEST_BODY: Final = 1024
"""Bytes: three short fields, with room for blanks."""

STATUSES: Final = {"too_many": 429, "unknown_dialect": 400, "no_recordings": 403}
"""The status of each refusal; all others pass: 503."""


DRAINING: Final = "draining"
"""Why a server that is emptied opens no room."""


class RelayRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The body of the request."""

    dialect: str = ""
    record: bool = False
    port: bool = True


def routes(relay: Relay | None, draining: Callable[[], bool]) -> list[Route]:
    """The routes for ``make_app``; None: this server has no listener for the relay, and says so. ``draining`` says
    whether it is being emptied."""

    async def open_relay(request: Request) -> JSONResponse:
        if relay is None:
            return refusal(503, "no_relay", "this server is no relay")
        body = await body_of(request, LONGEST_BODY)
        if body.strip():
            check_type(request)
        wanted = decoded(body, RelayRequest) if body.strip() else RelayRequest()
        if draining():
            relay.counters.refusals[DRAINING] += 1
            return refusal(503, DRAINING, NO_ROOM)
        try:
            opened = relay.open(address_of(request), port=wanted.port, dialect=wanted.dialect, record=wanted.record)
        except Refusal as why:
            return refusal(STATUSES.get(why.reason, 503), why.reason, str(why))
        expires = datetime.now(UTC) + timedelta(seconds=opened.expires_in_s)
        answer = {
            "code": opened.code,
            "port": opened.port,
            "expires": expires.isoformat(timespec="seconds"),
            "relay_port": relay.port,
            "relay_tls": relay.tls,
        }
        return JSONResponse(answer, status_code=201, headers={"cache-control": "no-store"})

    return [Route("/api/relays", refusing(open_relay), methods=["POST"])]
