"""The page that asks for a game: ``/play/chess?time=300+5&against=bot``. Its script sits down over the socket.

``against`` is "bot" (or "bot:3", "stockfish:2"), "anyone", or "friend": then the script registers a private table with
two tickets, keeps one, and shows a link with the other. ``watched=yes``: others may look on, if they have its address.
"""

from __future__ import annotations

import json
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway import registry
from gateway.games.base import Game
from gateway.record.exported import forms
from gateway.web.board.description import described
from gateway.web.board.svg import drawn
from gateway.web.pages import shown_table as shown
from gateway.web.pages.frame import Frame
from gateway.web.pages.seats import WORDS, around, seat_shown, tallies
from gateway.web.pages.table import place_of
from protocols.core import time_text
from protocols.core.errors import Refused, Why
from protocols.core.model import Seat, SeatKind, Settings
from protocols.core.numbers import whole

ANYONE, FRIEND = "anyone", "friend"

SEEN: Final = ("watched", "observers_speak")
"""Words about those who look on at a game with a friend or the computer."""

OWN: Final = ("variant", "time", "seats", "against", "side", "start", *SEEN)
"""The words of the query that are this page's."""

WISHES: Final = ("opponent", "rated")
"""Words that go on to the server as they are; all others are options of the rule set."""

MOST_OPTIONS: Final = 16
"""Options of one request: no rule set has more than a few."""


class PlayPage:
    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    async def page(self, request: Request) -> Response:
        try:
            game = registry.game(request.path_params["game"])
        except Refused:
            text = "This server has no such game. The page of games says what there is."
            return self._frame.error(request, HTTPStatus.NOT_FOUND, "No such game", text)
        try:
            values = values_of(game, dict(request.query_params))
        except Refused as refused:
            return self._frame.error(request, HTTPStatus.BAD_REQUEST, "Not possible", refused.text)
        return self._frame.page(request, "table.html", **values)


def play_routes(frame: Frame) -> list[Route]:
    return [Route("/play/{game}", PlayPage(frame).page, methods=["GET"])]


def values_of(game: Game[Any], asked: dict[str, str]) -> dict[str, Any]:
    """The values of the template table.html. Refused: the game has no such settings."""
    wishes = {name: value for name, value in asked.items() if name not in OWN and value}
    options = {name: value for name, value in wishes.items() if name not in WISHES}
    variant, time, count, begins = (asked.get(name, "").strip() for name in ("variant", "time", "seats", "start"))
    settings = settings_of(game, variant, count, begins, options)
    settings = replace(settings, time=time_text.read(time), rated=wishes.get("rated") == "yes")
    against = asked.get("against", ANYONE) or ANYONE
    if against not in (ANYONE, FRIEND) and not game.judged:
        raise Refused(Why.BAD_OPTION, f"the computer does not know the rules of {game.title}: play a person")
    look = described(game, settings)
    start = game.start(settings)
    seats = [seat_shown(look, Seat(seat, SeatKind.OPEN)) for seat in range(settings.seats)]
    kept: dict[str, str] = {name: wishes[name] for name in WISHES if name in wishes}
    if against not in (ANYONE, FRIEND):
        kept |= {name: "yes" for name in SEEN if asked.get(name) == "yes"}
    wish: dict[str, Any] = {
        "game": game.name,
        "variant": settings.variant,
        "time": time_text.spell(settings.time),
        "seats": settings.seats,
        "start": settings.start,
        "options": kept | dict(settings.options),
        "against": against,
        "watched": asked.get("watched", "") == "yes",
        "observers_speak": asked.get("observers_speak", "") == "yes",
        "side": side_of(asked.get("side", ""), look.sides),
    }
    return {
        "title": f"Play {game.title}",
        "heading": game.title,
        "settings_line": shown.settings_line(settings),
        "beside": (),
        "around": around(look, seats),
        "players": len(seats),
        "tallies": tallies(game, look, start),
        "board": drawn(look, game.board(start), title=f"{game.title} board"),
        "standing": "Looking for a game",
        "rounds": [],
        "example": shown.example(game, settings),
        "formats": forms(game.name),
        "over": False,
        "dials": against != FRIEND,
        "again": shown.again(settings),
        "data": shown.page_data(
            page="play",
            look=json.loads(look.json),
            position=shown.position_shown(game, start),
            wish=wish,
            seats=seats,
            words=WORDS,
            dialects=shown.ticket_words(game.name),
            live=True,
        ),
        "table": None,
        "place": place_of("{}"),
        "card": None,
    }


def settings_of(game: Game[Any], variant: str, seats: str, start: str, options: dict[str, str]) -> Settings:
    """Refused (BAD_OPTION): the game has no such rule set, number of seats or option."""
    options = dict(list(options.items())[:MOST_OPTIONS])
    return game.settings(variant.lower(), whole(seats, 2) or 0, start, options or None)


def side_of(text: str, sides: tuple[str, ...]) -> int | None:
    """The seat that is asked for by the name of its side or its number; None: any."""
    if text in sides:
        return sides.index(text)
    return int(text) if text.isascii() and text.isdigit() and int(text) < len(sides) else None
