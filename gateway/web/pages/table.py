"""The page of a table: board, seats, moves and result drawn by the server; scripts play, look on and replay there.

A private table is shown to those whom the API shows it. Anybody else who asks for one, or for a table that never was,
gets a page that says so; its script takes the seat of a browser that holds a ticket of that table.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.games.base import Game
from gateway.lobby.registration import UNFINISHED
from gateway.record.audit import NONSENSE
from gateway.record.exported import forms
from gateway.record.shown import players_of, replayed
from gateway.store import codec
from gateway.store.records import EventRow
from gateway.store.views import TableView
from gateway.table.evolve import played_on, replaying
from gateway.table.state import State
from gateway.table.writing import moves_of
from gateway.tables.directory import Tables
from gateway.web.board.description import described
from gateway.web.board.svg import drawn
from gateway.web.pages import shown_table as shown
from gateway.web.pages.frame import Frame
from gateway.web.pages.refusing import as_page
from gateway.web.reading import Reading, hears
from gateway.web.refusals import BadRequest
from protocols.core.errors import Refused, Why
from protocols.core.events import Event, GameStarted, MoveMade, MovesTakenBack, SeatWithdrawn


@dataclass(frozen=True, slots=True)
class Found:
    """A table as its record and its runner have it. ``live``: more can happen there; ``yours``: the account that asks
    has a seat there."""

    view: TableView
    state: State
    rows: Sequence[EventRow]
    events: Sequence[Event]
    live: bool
    yours: bool


class TablePage:
    """Draws the page of any table."""

    def __init__(self, frame: Frame, reading: Reading, tables: Tables) -> None:
        self._frame = frame
        self._reading = reading
        self._tables = tables

    async def page(self, request: Request) -> Response:
        try:
            view, seat, asker = await self._reading.found(request)
            yours = view.table in await self._reading.account_seats([view], asker)
            values = await self._reading.do(self._values, view, seat, yours)
        except BadRequest:
            return self._gone(request)
        except Refused as refused:
            if refused.why is Why.NOT_INSTALLED:
                raise
            return self._frame.error(request, HTTPStatus.SERVICE_UNAVAILABLE, "Not just now", refused.text)
        except NONSENSE:
            text = "The record of this table cannot be read."
            return self._frame.error(request, HTTPStatus.SERVICE_UNAVAILABLE, "Not just now", text)
        return self._frame.page(request, "table.html", **values)

    def _gone(self, request: Request) -> Response:
        """A page about no table; its script knows whether this browser holds a seat there."""
        table = int(request.path_params["table"])
        data = shown.page_data(page="gone", table=table)
        return self._frame.page(request, "no_table.html", HTTPStatus.NOT_FOUND, table=table, data=data)

    def _values(self, view: TableView, seat: int | None, yours: bool) -> dict[str, Any]:
        running = self._tables.get(view.table)
        rows = [row for row in self._reading.views.rows(view.table) if hears(row, seat)]
        events = [codec.decode(row.kind, row.body) for row in rows]
        state = replayed(view, events) if running is None else running.state
        live = view.status in UNFINISHED or self._tables.unfinished(view.table)
        return values_of(Found(view, state, rows, events, live, live and yours))


def table_routes(frame: Frame, reading: Reading, tables: Tables) -> list[Route]:
    return [Route("/table/{table:int}", as_page(frame, TablePage(frame, reading, tables).page), methods=["GET"])]


def values_of(found: Found) -> dict[str, Any]:
    """The values of the template table.html."""
    view, state, game = found.view, found.state, found.state.game
    look = described(game, state.settings)
    begun = state.position is not None
    position = state.position if begun else game.start(state.settings)
    players = players_of(len(state.seats), found.events)
    line = shown.status_line(look, state)
    last = next((step.move for step in _moves(state)), None)
    squares = tuple(at for at in (last.source, last.target) if at is not None) if last is not None else ()
    board = drawn(
        look, game.board(position), last=squares, alarm=game.alarm(position), title=f"{game.title} board. {line}"
    )
    exports = [(form, f"/api/tables/{view.table}/export?format={form}") for form in forms(view.game)]
    data = shown.page_data(
        page="table",
        table=view.table,
        live=found.live,
        private=view.private and not view.watched,
        yours=found.yours,
        look=json.loads(look.json),
        dialects=shown.ticket_words(view.game),
        events=[] if found.live else list(told(game, found.rows, found.events)),
        position=None if begun else shown.position_shown(game, position),
    )
    return {
        "title": shown.heading(game.title, players),
        "heading": shown.heading(game.title, players),
        "settings_line": shown.settings_line(state.settings),
        "seats": shown.seats_shown(look, state.seats, players, state.turn),
        "board": board,
        "standing": line,
        "rounds": shown.rounds((seat, notation) for seat, _, notation in moves_of(state)) if begun else [],
        "example": shown.example(game, state.settings),
        "exports": exports,
        "data": data,
        "table": view.table,
    }


def _moves(state: State) -> Iterator[Any]:
    """The steps that are moves, newest first."""
    step = state.last
    while step is not None:
        if step.move is not None:
            yield step
        step = step.before


def told(game: Game[Any], rows: Sequence[EventRow], events: Sequence[Event]) -> Iterator[dict[str, Any]]:
    """A finished table's events as the dialect web tells them: moves with notation, hands and the piece in check."""
    before: State | None = None
    states = replaying(0, game, b"", events)
    for row, event, after in zip(rows, events, states, strict=False):
        text: dict[str, Any] = {"seq": row.seq, "kind": row.kind, "body": json.loads(row.body)}
        if isinstance(event, MoveMade) and before is not None:
            text["notation"] = game.notation(played_on(game, before.position), event.move)
        if isinstance(event, GameStarted | MoveMade | MovesTakenBack | SeatWithdrawn):
            text["hands"] = list(game.hands(after.position))
            text["alarm"] = game.alarm(after.position)
        yield text
        before = after
