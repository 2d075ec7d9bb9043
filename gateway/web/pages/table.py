"""The page of a table: board, seats, moves and result drawn by the server; scripts play, look on and replay there.

A private table is shown to those whom the API shows it. Anybody else who asks for one, or for a table that never was,
gets a page that says so; its script takes the seat of a browser that holds a ticket of that table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import msgspec
import trio
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway import registry
from gateway.games.base import Game
from gateway.games.parts import Points, stopped
from gateway.lobby.registration import UNFINISHED
from gateway.ops.rating_news import told_of
from gateway.ops.seat_ratings import SeatRatings
from gateway.ratings.known import in_words
from gateway.record.audit import NONSENSE
from gateway.record.exported import forms
from gateway.record.shown import players_of, replayed
from gateway.store import codec
from gateway.store.rating_views import RatingViews
from gateway.store.records import EventRow
from gateway.store.views import TableView
from gateway.table.evolve import played_on, replaying
from gateway.table.state import State
from gateway.table.writing import moves_of
from gateway.tables.directory import Tables
from gateway.tables.presence import Presence
from gateway.web.board.description import Description, described
from gateway.web.board.svg import drawn
from gateway.web.pages import shown_table as shown
from gateway.web.pages.cards import clocks_left, last_squares
from gateway.web.pages.frame import Frame, clock_face, origin_of
from gateway.web.pages.refusing import as_page
from gateway.web.pages.seats import WORDS, SeatShown, around, seat_shown, tallies, with_presence
from gateway.web.reading import Reading, bad, hears
from gateway.web.refusals import BadRequest, refusing
from protocols.core.errors import Refused, Why
from protocols.core.events import Event, GameStarted, MoveMade, MovesTakenBack, SeatWithdrawn
from protocols.core.model import Seat
from protocols.core.notifications import Rated
from protocols.core.numbers import whole

LONGEST_CLAIM: Final = 4096
"""Letters of a claim in an address: more than every square of 25x25."""

UNREADABLE: Final = "The record of this table cannot be read."


@dataclass(frozen=True, slots=True)
class Place:
    """The addresses of a table: its ``page``, below which the others are, and its ``record``. ``shared``: they are
    those of a link to it."""

    page: str
    record: str
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A table as its record and its runner have it. ``live``: more can happen there; ``yours``: the account that asks
    has a seat there, ``seat`` is the asker's. ``there`` and ``clocks`` are as its runner has them."""

    view: TableView
    state: State
    rows: Sequence[EventRow]
    events: Sequence[Event]
    live: bool
    yours: bool
    there: Presence
    seat: int | None
    clocks: Sequence[float] | None


class TablePage:
    """Draws the page of any table."""

    def __init__(
        self, frame: Frame, reading: Reading, tables: Tables, ratings: SeatRatings, steps: RatingViews
    ) -> None:
        self._ratings = ratings
        self._steps = steps
        self._frame = frame
        self._reading = reading
        self._tables = tables

    def routes(self) -> list[Route]:
        answers = {
            "": as_page(self._frame, self.page),
            "/seats": refusing(self.seats),
            "/points": refusing(self.points),
            "/proof": as_page(self._frame, self.proof),
            "/bytes": self.wires,
        }
        return [Route(f"/table/{{table:int}}{part}", answer, methods=["GET"]) for part, answer in answers.items()]

    async def page(self, request: Request) -> Response:
        try:
            view, seat, asker = await self._reading.found(request)
            yours = view.table in await self._reading.account_seats([view], asker.registrant.account)
            running, there = self._tables.get(view.table), self._tables.presence_here(view.table)
            clocks = None if running is None else clocks_left(running.state, trio.current_time())
            values = await self._reading.do(self._values, view, seat, yours, there, clocks)
            if await self._ratings.learned():
                values = await self._reading.do(self._values, view, seat, yours, there, clocks)
        except BadRequest:
            return gone(self._frame, request)
        except Refused as refused:
            if refused.why is Why.NOT_INSTALLED:
                raise
            return self._frame.error(request, HTTPStatus.SERVICE_UNAVAILABLE, "Not just now", refused.text)
        except NONSENSE:
            return self._frame.error(request, HTTPStatus.SERVICE_UNAVAILABLE, "Not just now", UNREADABLE)
        card = None if view.hidden else origin_of(request) + place_of(view.table).page
        return self._frame.page(request, "table.html", card=card, **values)

    async def proof(self, request: Request) -> Response:
        """The page whose script proves the record; without scripts it explains the formulas and links the record.

        What it checks comes from the API, by the browser's own ticket where it holds one. 404 where there is no table
        for an asker without a ticket.
        """
        status, table = HTTPStatus.OK, int(request.path_params["table"])
        try:
            await self._reading.found(request)
        except BadRequest as refused:
            status = refused.status
        place = place_of(table)
        data = shown.page_data(table=table, record=place.record)
        return self._frame.page(request, "proof.html", status, table=table, place=place, data=data)

    async def wires(self, request: Request) -> Response:
        """The page whose script shows the wires live: one for every table, so that it says nothing of private ones."""
        table = int(request.path_params["table"])
        origin, data = origin_of(request), shown.page_data(table=table)
        return self._frame.page(request, "bytes.html", table=table, origin=origin, data=data)

    async def seats(self, request: Request) -> Response:
        """The seats as they are now, for the script of the page: events tell it of who sits there, and no more."""
        view, _, _ = await self._reading.found(request)
        there, running = await self._tables.presence(view.table), self._tables.get(view.table)
        settings = view.settings if running is None else running.state.settings
        if settings is None:
            return _json([])
        look = described(registry.game_of_record(view.game), settings)
        held = [Seat(seat.seat, seat.kind, seat.name) for seat in view.seats]
        ratings = self._ratings.of(view.settings, held) if running is None else self._ratings.at(running.state)
        rated = zip(held, map(in_words, ratings), strict=True)
        return _json(with_presence([seat_shown(look, seat, rating=rating) for seat, rating in rated], there))

    async def points(self, request: Request) -> Response:
        """The score by the claim ``squares``, "12,13", where play has stopped to be settled. Refused: elsewhere."""
        view, _, _ = await self._reading.found(request)
        text = request.query_params.get("squares", "")
        claim = [whole(number, 4) for number in text.split(",")] if text else []
        if len(text) > LONGEST_CLAIM or None in claim:
            raise bad("squares: numbers with commas between them")
        return _json(await self._reading.do(self._points, view, claim))

    def _points(self, view: TableView, claim: Sequence[int | None]) -> Points:
        running = self._tables.get(view.table)
        state = replayed(view, self._rows(view, None)[1]) if running is None else running.state
        game = stopped(state.game, state.position) if state.position is not None else None
        if game is None:
            raise Refused(Why.NOT_NOW, "play has not stopped")
        return game.points(state.position, game.claimed(state.position, [at for at in claim if at is not None]))

    def _rows(self, view: TableView, seat: int | None) -> tuple[Sequence[EventRow], Sequence[Event]]:
        """The rows and the events of a table that the holder of ``seat`` hears of."""
        rows = [row for row in self._reading.views.rows(view.table) if hears(row, seat)]
        return rows, [codec.decode(row.kind, row.body) for row in rows]

    def _values(
        self, view: TableView, seat: int | None, yours: bool, there: Presence, clocks: Sequence[float] | None
    ) -> dict[str, Any]:
        running = self._tables.get(view.table)
        rows, events = self._rows(view, seat)
        state = replayed(view, events) if running is None else running.state
        live = view.status in UNFINISHED or self._tables.unfinished(view.table)
        found = Found(view, state, rows, events, live, live and yours, there, seat, clocks)
        rated = None if state.outcome is None or not state.settings.rated else self._rated(found)
        return values_of(found, place_of(view.table), self._ratings.words, rated)

    def _rated(self, found: Found) -> Rated | None:
        """The changes that the last game, which is over, has made; None: it is not rated yet."""
        number = found.state.games
        steps, names = self._steps.of_games([(found.view.table, number)]), [""] * len(found.state.seats)
        called = self._steps.names(step.player for step in steps)
        for step in steps:
            names[step.seat] = called[step.player]
        return told_of(found.view.table, number, names, steps) if steps else None


def gone(frame: Frame, request: Request) -> Response:
    """A page about no table; its script knows whether this browser holds a seat there."""
    table = int(request.path_params["table"])
    data = shown.page_data(page="gone", table=table)
    return frame.page(request, "no_table.html", HTTPStatus.NOT_FOUND, table=table, data=data)


def place_of(table: int | str) -> Place:
    """The addresses of a table; of "{}" until there is one, where the script puts its number."""
    return Place(f"/table/{table}", f"/api/tables/{table}/export")


def values_of(
    found: Found,
    place: Place,
    ratings: Callable[[State, Sequence[str]], Sequence[str]],
    rated: Rated | None = None,
) -> dict[str, Any]:
    """The values of the template table.html. ``ratings`` are those of a table and its last players, by seat; ``rated``
    is what its last game has changed."""
    view, state, game = found.view, found.state, found.state.game
    look = described(game, state.settings)
    begun = state.position is not None
    position = state.position if begun else game.start(state.settings)
    players = players_of(len(state.seats), found.events)
    line = shown.status_line(look, state, players, found.seat)
    won = game.decisive(position) if state.outcome is not None else ()
    title = f"{game.title} board. {line}"
    last, alarm = () if won else last_squares(state), game.alarm(position)
    board = drawn(look, game.board(position), last=last, alarm=alarm, won=won, title=title)
    seats = _seats(look, found, players, ratings(state, players))
    data = shown.page_data(
        page="table",
        table=view.table,
        live=found.live,
        private=view.hidden,
        yours=found.yours,
        seat=found.seat,
        won=won,
        look=json.loads(look.json),
        seats=seats,
        rated=None if rated is None else msgspec.to_builtins(rated),
        words=WORDS,
        dialects=shown.ticket_words(view.game),
        events=[] if found.live else list(told(game, found.rows, found.events)),
        position=None if begun else shown.position_shown(game, position),
    )
    return {
        "title": shown.heading(game.title, players),
        "heading": shown.heading(game.title, players),
        "settings_line": shown.settings_line(state.settings),
        "beside": [] if place.shared else shown.beside(view.table, found.events, state.games),
        "around": around(look, seats),
        "players": len(seats),
        "tallies": tallies(game, look, position),
        "board": board,
        "standing": line,
        "rounds": shown.rounds((seat, notation) for seat, _, notation in moves_of(state)) if begun else [],
        "example": shown.example(game, state.settings),
        "formats": forms(view.game),
        "over": state.outcome is not None,
        "dials": found.live and not found.yours,
        "again": shown.again(state.settings),
        "data": data,
        "table": view.table,
        "place": place,
    }


def _json(value: Sequence[SeatShown] | Points) -> Response:
    return Response(msgspec.json.encode(value), headers={"cache-control": "no-store"}, media_type="application/json")


def _seats(look: Description, found: Found, players: Sequence[str], ratings: Sequence[str]) -> list[SeatShown]:
    state, left = found.state, found.clocks if found.live else None
    seats = [
        seat_shown(look, seat, player=player, rating=rating, turn=state.turn, withdrawn=state.withdrawn)
        for seat, player, rating in zip(state.seats, players, ratings, strict=True)
    ]
    clocks = [""] * len(seats) if left is None else map(clock_face, left)
    return with_presence([replace(shown, clock=clock) for shown, clock in zip(seats, clocks, strict=True)], found.there)


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
            text["tally"] = game.tally(after.position)
        yield text
        before = after
