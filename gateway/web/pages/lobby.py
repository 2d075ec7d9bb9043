"""The first page: play now, the tables that wait for players, the boards that are being played, who is here.

GET /           the page; ?game=NAME&page=N narrows the open tables
GET /play       takes the form of "Play now" to the page where that game begins
GET /api/lobby  the open tables and the numbers, for the page's script; 304 while nothing has changed
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from http import HTTPStatus
from itertools import islice
from typing import Any, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gateway import registry
from gateway.config import LEVELS
from gateway.games.base import Game
from gateway.lobby.join_options import ANYBODY, BOT
from gateway.table.state import Status
from gateway.web.board.svg import figures_of
from gateway.web.pages.addresses import FRIEND, play_address
from gateway.web.pages.cards import Cards, looks_of
from gateway.web.pages.examples import examples
from gateway.web.pages.frame import Frame
from gateway.web.pages.open_tables import OpenTable, Running, open_tables
from gateway.web.pages.words import count_words, length_words, time_words
from gateway.web.pages.yours import Yours
from protocols.core import time_text
from protocols.core.errors import Refused

ROWS: Final = 100
"""Open tables of one page."""

MOST_PAGES: Final = 1000

BOARDS: Final = 24
"""Boards on the page at most."""

OWN_BOARDS: Final = 6
OWN_PAST: Final = 3
"""Games of the person's own, and finished ones: on a phone "Play now" is not far below them."""

TIMES: Final = ("none", "60", "180+2", "300+3", "600+5", "1800+20", "1d/move", "3d/move", "7d/move")
"""The times that the form offers; /play understands every other one."""

LEVEL_WORDS: Final = dict(zip(LEVELS, ("easy", "medium", "hard"), strict=True))


Counted = Callable[[], tuple[int, int]]
"""The number of connections, and of observers of public tables."""


@dataclass(frozen=True, slots=True)
class Here:
    """The numbers of the page: connections, games that go on and are public, observers of these."""

    connected: int
    games: int
    watching: int

    def words(self) -> str:
        """One line, without what is 0."""
        words = [f"{self.connected:,} connected"] if self.connected else []
        words += [f"{count_words(self.games, 'game')} on"] if self.games else []
        return " · ".join([*words, *([f"{self.watching:,} watching"] if self.watching else [])])


@dataclass(frozen=True, slots=True)
class Choice:
    """A game of the form, with what else is chosen for it."""

    game: Game[Any]
    rules: tuple[tuple[str, str], ...]
    seats: tuple[int, ...]
    bot: bool


class Lobby:
    """Reads the running ``tables``. ``counted`` are all connections, and those that look on; ``bots`` names the house
    bots of a game. ``yours`` finds the games of the person that asks.

    ``bot_after_s`` is how long a player waits for people before a house bot sits down; None: for ever.
    """

    def __init__(
        self,
        frame: Frame,
        cards: Cards,
        yours: Yours,
        tables: Mapping[int, Running],
        counted: Counted,
        bots: Callable[[str], Sequence[str]],
        bot_after_s: float | None,
    ) -> None:
        self._frame = frame
        self._yours = yours
        self._cards = cards
        self._tables = tables
        self._counted = counted
        self._bots = bots
        self._bot_after_s = bot_after_s

    def routes(self) -> list[Route]:
        return [
            Route("/", self.page, methods=["GET"]),
            Route("/play", self.play, methods=["GET"]),
            Route("/api/lobby", self.changes, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        game, page = _asked(request)
        rows, more = self._rows(game, page)
        await self._cards.refresh(BOARDS)
        cards = self._cards.playing(BOARDS)
        own = await self._yours.shown_if_read(request, OWN_BOARDS, OWN_PAST)
        choices = self._choices()
        pictures = await examples(choice.game for choice in choices)
        return self._frame.page(
            request,
            "lobby.html",
            choices=choices,
            chosen=_first_choice(game),
            pictures=pictures,
            times=[(text, time_words(time_text.read(text))) for text in TIMES],
            levels=LEVEL_WORDS,
            bot_wait="" if self._bot_after_s is None else length_words(self._bot_after_s),
            any_bot=any(choice.bot for choice in choices),
            rows=rows,
            more=more,
            number=page,
            game=registry.games().get(game),
            cards=cards,
            own=own,
            figures=figures_of(*looks_of([*cards, *own.cards]), *(picture.look for picture in pictures.values())),
            here=self._here().words(),
        )

    async def play(self, request: Request) -> Response:
        """Turns the choice into an address that can be kept, and sent to others."""
        asked = request.query_params
        try:
            game = registry.game(asked.get("game", ""))
        except Refused as refused:
            raise HTTPException(HTTPStatus.NOT_FOUND) from refused
        against, time = asked.get("against", ANYBODY), asked.get("time", "none")
        if against == BOT and asked.get("level", "") in map(str, LEVELS):
            against = f"{BOT}:{asked['level']}"
        wishes = {
            "variant": asked.get(f"{game.name}.variant", ""),
            "seats": asked.get(f"{game.name}.seats", ""),
            "time": "" if time == "none" else time,
            "against": "" if against == ANYBODY else against,
            "watched": asked.get("watched", "") if against == FRIEND else "",
            "observers_speak": asked.get("observers_speak", "") if against == FRIEND else "",
        }
        return RedirectResponse(play_address(game.name, wishes), HTTPStatus.SEE_OTHER)

    async def changes(self, request: Request) -> Response:
        game, page = _asked(request)
        rows, more = self._rows(game, page)
        told = {"open": [asdict(row) for row in rows], "more": more, "here": self._here().words()}
        return unless_known(request, msgspec.json.encode(told))

    def _rows(self, game: str, page: int) -> tuple[list[OpenTable], bool]:
        """The rows of a page, and whether there are more behind them."""
        wanted = (table for table in self._tables.values() if game in ("", table.state.game.name))
        found = open_tables(wanted)
        rows = list(islice(found, (page - 1) * ROWS, page * ROWS + 1))
        return rows[:ROWS], len(rows) > ROWS

    def _here(self) -> Here:
        states = (table.state for table in self._tables.values())
        games = sum(state.status is Status.PLAYING and not state.house.private for state in states)
        connected, watching = self._counted()
        return Here(connected, games, watching)

    def _choices(self) -> list[Choice]:
        return [_choice(game, bot=game.judged and bool(self._bots(name))) for name, game in registry.games().items()]


def _choice(game: Game[Any], *, bot: bool) -> Choice:
    rules = tuple((rules.name, game.guide.title(rules.name)) for rules in game.variants)
    seats = game.variants[0].seats
    return Choice(game, rules if len(rules) > 1 else (), seats if len(seats) > 1 else (), bot)


def _first_choice(game: str) -> str:
    """The game that the form begins with: the one that is asked for, else the one that most programs can play."""
    return game or max(registry.games().values(), key=lambda each: len(registry.dialects_for(each))).name


def _asked(request: Request) -> tuple[str, int]:
    """The game, "" for all, and the page, from 1. HTTPException (404): there is no such game or page."""
    game, page = request.query_params.get("game", ""), request.query_params.get("page", "1")
    known = game in ("", *registry.games())
    if not (known and page.isascii() and page.isdigit() and len(page) < 5 and 1 <= int(page) <= MOST_PAGES):
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return game, int(page)


def unless_known(request: Request, body: bytes) -> Response:
    """JSON with an entity tag; 304 without a body where the asker has it already."""
    tag = f'"{sha256(body).hexdigest()[:16]}"'
    headers = {"cache-control": "no-cache", "etag": tag}
    known = request.headers.get("if-none-match", "").replace("W/", "").replace(" ", "").split(",")
    if tag in known:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(body, headers=headers, media_type="application/json")
