"""``POST /api/tables``: registers a table, answers with its id and a ticket for every seat that is the asker's to give.

``POST /api/tables/ID/ticket`` gives the owner of an account a new ticket for the seat that has the account's name. Not
here: whether it may be registered (gateway.server.registrar), and looking at tables (api.py).
"""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway import registry
from gateway.lobby.registration import OPEN, Registration, is_bot
from gateway.lobby.wishes import BOT
from gateway.server.house import House
from gateway.table import time_text
from gateway.web.askers import Askers
from gateway.web.json_body import body_of, decoded
from gateway.web.refusals import BadRequest, refusing
from protocols.core.errors import Refused, Why

BODY_BYTES: Final = 16_384
"""The longest request: the text of a set-up position and some names are far shorter."""


class NamedSeat(msgspec.Struct, forbid_unknown_fields=True):
    """A seat for somebody."""

    name: str


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    """The body of the request. ``seats`` are in the order of the game's seats; ``options`` the rule set's own."""

    game: str
    seats: list[NamedSeat | str]
    variant: str = ""
    time: str = "none"
    start: str = ""
    rated: bool = False
    options: dict[str, str | int | float] = {}


class RegisteringApi:
    """Registers in ``house``."""

    def __init__(self, house: House, askers: Askers) -> None:
        self._house = house
        self._askers = askers

    def routes(self) -> list[Route]:
        return [
            Route("/api/tables", refusing(self.register), methods=["POST"]),
            Route("/api/tables/{table:int}/ticket", refusing(self.ticket), methods=["POST"]),
        ]

    async def register(self, request: Request) -> Response:
        asker = await self._askers.of(request)
        check_type(request)
        asked = decoded(await body_of(request, BODY_BYTES), Asked)
        registered = await self._house.registrar.register(registration(asked), asker.registrant)
        answer = {"id": registered.table, "tickets": list(registered.tickets)}
        headers = {"location": f"/api/tables/{registered.table}", "cache-control": "no-store"}
        return JSONResponse(answer, status_code=HTTPStatus.CREATED, headers=headers)

    async def ticket(self, request: Request) -> Response:
        """A new ticket for the seat that is registered for the asker's account, in place of the old one."""
        asker = await self._askers.of(request)
        seat, ticket = await self._house.registrar.reissue(int(request.path_params["table"]), asker.registrant)
        return JSONResponse({"seat": seat, "ticket": ticket}, headers={"cache-control": "no-store"})


def check_type(request: Request) -> None:
    """BadRequest: the body is not said to be JSON. A page of another site can make a browser send other types
    without asking first."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise BadRequest(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "no_json", "send application/json")


def registration(asked: Asked) -> Registration:
    """What is asked for, as the registrar takes it. Refused names what is unknown."""
    game = registry.game(asked.game)
    options = {name: _text(value) for name, value in asked.options.items()}
    settings = game.settings(asked.variant.lower(), len(asked.seats), asked.start, options or None)
    settings = replace(settings, time=time_text.read(asked.time), rated=asked.rated)
    return Registration(settings, tuple(_seat(seat) for seat in asked.seats))


def _seat(seat: NamedSeat | str) -> str:
    if isinstance(seat, NamedSeat):
        if seat.name.strip().lower() in (OPEN, BOT):
            raise Refused(Why.BAD_OPTION, f"nobody can be called {seat.name!r}")
        return seat.name
    if seat != OPEN and not is_bot(seat):
        words = f'"{OPEN}", "{BOT}", "{BOT}:NAME:LEVEL" or an object with a name'
        raise Refused(Why.BAD_OPTION, f"a seat is {words}, not {seat[:40]!r}")
    return seat


def _text(value: str | float) -> str:
    """An option as games read it: a number the shortest way it can be written."""
    return value if isinstance(value, str) else f"{value:.15g}"
