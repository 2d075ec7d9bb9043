"""``POST /api/tables``: registers a table, answers with its id and a ticket for every seat that is the asker's to give.

``POST /api/tables/ID/ticket`` gives the owner of an account a new ticket for the seat that has the account's name.
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
from gateway.lobby.join_options import BOT
from gateway.lobby.registration import OPEN, Registration, is_bot
from gateway.seating.registrar import Registrar
from gateway.web.askers import Askers
from gateway.web.refusals import body_of, check_type, decoded, refusing
from protocols.core import time_text
from protocols.core.errors import Refused, Why
from protocols.core.numbers import option_text

BODY_BYTES: Final = 16_384
"""The longest request: the text of a set-up position and some names are far shorter."""


class NamedSeat(msgspec.Struct, forbid_unknown_fields=True):
    """A seat of a registration."""

    name: str


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    """The body of the request. ``seats`` are in the order of the game's seats; ``options`` the rule set's own.

    A ``private`` table is in no list, nobody looks on, and each of its open seats has a ticket: an invitation. Where it
    is ``watched``, whoever knows its number may look on. ``observers_speak`` says whether observers may speak to the
    players; None: as at other tables.
    """

    game: str
    seats: list[NamedSeat | str]
    variant: str = ""
    time: str = "none"
    start: str = ""
    rated: bool = False
    private: bool = False
    watched: bool = False
    observers_speak: bool | None = None
    options: dict[str, str | int | float] = {}


class RegisteringApi:
    """Registers tables, and gives new tickets."""

    def __init__(self, registrar: Registrar, askers: Askers) -> None:
        self._registrar = registrar
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
        registered = await self._registrar.register(registration(asked), asker.registrant)
        answer = {"id": registered.table, "tickets": list(registered.tickets)}
        headers = {"location": f"/api/tables/{registered.table}", "cache-control": "no-store"}
        return JSONResponse(answer, status_code=HTTPStatus.CREATED, headers=headers)

    async def ticket(self, request: Request) -> Response:
        """A new ticket for the seat that is registered for the asker's account, instead of the old one."""
        asker = await self._askers.of(request)
        seat, ticket = await self._registrar.reissue(int(request.path_params["table"]), asker.registrant)
        return JSONResponse({"seat": seat, "ticket": ticket}, headers={"cache-control": "no-store"})


def registration(asked: Asked) -> Registration:
    """The request as the registrar takes it. Refused names an unknown part."""
    game = registry.game(asked.game)
    options = {name: option_text(value) for name, value in asked.options.items()}
    settings = game.settings(asked.variant.lower(), len(asked.seats), asked.start, options or None)
    settings = replace(settings, time=time_text.read(asked.time), rated=asked.rated)
    seats = tuple(_seat(seat) for seat in asked.seats)
    return Registration(
        settings, seats, private=asked.private, watched=asked.watched, observers_speak=asked.observers_speak
    )


def _seat(seat: NamedSeat | str) -> str:
    if isinstance(seat, NamedSeat):
        if seat.name.strip().lower() in (OPEN, BOT):
            raise Refused(Why.BAD_OPTION, f"nobody can be called {seat.name!r}")
        return seat.name
    if seat != OPEN and not is_bot(seat):
        words = f'"{OPEN}", "{BOT}", "{BOT}:NAME:LEVEL" or an object with a name'
        raise Refused(Why.BAD_OPTION, f"a seat is {words}, not {seat[:40]!r}")
    return seat
