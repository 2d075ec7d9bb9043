"""The page that takes a seat by its ticket, ``/seat#TICKET``, and what its script asks: the seat's game, a QR code.

A ticket stands behind ``#`` only, which browsers send to no server: no log and no referrer has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec
import segno
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway import registry
from gateway.record.exported import forms
from gateway.store.views import TableView
from gateway.table.state import Status
from gateway.tables.directory import Tables
from gateway.web.board.description import described
from gateway.web.pages import shown_table as shown
from gateway.web.pages.frame import Frame
from gateway.web.pages.seats import WORDS, seat_shown
from gateway.web.pages.table import place_of
from gateway.web.reading import Reading
from gateway.web.refusals import BadRequest, body_of, check_type, decoded, refusing
from protocols.core.model import Seat

LONGEST_TEXT: Final = 400
"""Characters of a QR code: an address with a ticket has 100; a code of so many can still be read from a screen."""

BODY_BYTES: Final = 2048
"""The longest request for a QR code: its text, each character escaped."""

NO_STORE: Final = {"cache-control": "no-store"}


NOTHING: Final[Mapping[str, Any]] = {
    "heading": "",
    "settings_line": "",
    "beside": (),
    "around": {"near": (), "far": ()},
    "players": 0,
    "board": "",
    "standing": "",
    "rounds": (),
    "example": "",
    "formats": (),
    "over": False,
    "again": "",
    "table": None,
    "place": place_of("{}"),
    "card": None,
}
"""The values of the table that its script fills."""


class Coded(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request for a QR code."""

    text: str


class SeatPage:
    def __init__(self, frame: Frame, reading: Reading, tables: Tables) -> None:
        self._frame = frame
        self._reading = reading
        self._tables = tables

    def routes(self) -> list[Route]:
        return [
            Route("/seat", self.page, methods=["GET"]),
            Route("/api/seat", refusing(self.seat), methods=["GET"]),
            Route("/api/qr", refusing(self.code), methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        data = shown.page_data(page="seat", live=True, words=WORDS)
        return self._frame.page(request, "seat.html", data=data, **NOTHING)

    async def seat(self, request: Request) -> Response:
        """The seat that the presented ticket stands for: its table, its game, the key of its look."""
        asker = await self._reading.askers.of(request)
        destination = asker.destination
        table = destination.table if destination is not None else None
        if destination is None or table is None:
            raise BadRequest(HTTPStatus.UNAUTHORIZED, "unauthorized", "present the ticket of a seat")
        view = await self._reading.do(self._reading.views.table, table)
        if view is not None and destination.seat is None:
            watched = view.watched or not view.private
            return JSONResponse({"table": table, "state": "used", "watched": watched}, headers=NO_STORE)
        running = await self._tables.find(table)
        if view is not None and view.status == Status.OVER:
            return JSONResponse({"table": table, "state": view.status}, headers=NO_STORE)
        if view is None or running is None:
            raise BadRequest(HTTPStatus.NOT_FOUND, "no_such_table", f"table {table} is closed")
        return JSONResponse(_seat(view, running.state.settings, destination.seat), headers=NO_STORE)

    async def code(self, request: Request) -> Response:
        """A text as QR code: the side in modules, and the dark ones as the path of an SVG."""
        check_type(request)
        asked = decoded(await body_of(request, BODY_BYTES), Coded)
        if not 0 < len(asked.text) <= LONGEST_TEXT:
            raise BadRequest(HTTPStatus.BAD_REQUEST, "bad_request", f"a text of 1 to {LONGEST_TEXT} characters")
        return JSONResponse(await self._reading.do(qr_code, asked.text), headers=NO_STORE)


def _seat(view: TableView, settings: Any, seat: int | None) -> dict[str, Any]:
    game = registry.game_of_record(view.game)
    look = described(game, settings)
    return {
        "table": view.table,
        "seat": seat,
        "side": look.sides[seat] if seat is not None else None,
        "state": view.status,
        "private": view.private,
        "game": view.game,
        "title": game.title,
        "settings": shown.settings_line(settings),
        "timed": settings.time is not None,
        "names": [held.name for held in view.seats],
        "seats": msgspec.to_builtins([seat_shown(look, Seat(held.seat, held.kind, held.name)) for held in view.seats]),
        "look": look.key,
        "position": shown.position_shown(game, game.start(settings)),
        "formats": forms(view.game),
        "again": shown.again(settings),
        "dialects": shown.ticket_words(view.game),
    }


def qr_code(text: str) -> dict[str, Any]:
    """``size`` in modules with the quiet zone of 4, ``path`` of unit squares, one rectangle for each run of them."""
    code = segno.make_qr(text, error="m")
    rows = [[bool(module) for module in row] for row in code.matrix]
    parts = []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            run = x
            while run < len(row) and row[run]:
                run += 1
            if run > x:
                parts.append(f"M{x + 4} {y + 4}h{run - x}v1H{x + 4}z")
            x = run + 1
    return {"size": len(rows) + 8, "path": "".join(parts)}
