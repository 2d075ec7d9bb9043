"""The first page: play now, the tables that wait for players, the boards that are being played, who is here.

GET /           the page; ?game=NAME&page=N narrows the open tables
GET /play       takes the form of "Play now" to the page where that game begins
GET /api/lobby  the open tables and the numbers, for the page's script; 304 while nothing has changed
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from http import HTTPStatus
from itertools import islice
from typing import Final

import msgspec
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gateway import registry
from gateway.config import Config
from gateway.table.state import Status
from gateway.web.board.description import Description
from gateway.web.board.svg import figures_of
from gateway.web.pages.cards import Cards, looks_of
from gateway.web.pages.examples import examples
from gateway.web.pages.frame import Frame
from gateway.web.pages.open_tables import OpenTable, Running, open_tables
from gateway.web.pages.play_form import Filled, NotPlayable, PlayForm
from gateway.web.pages.words import count_words, length_words
from gateway.web.pages.yours import Yours
from protocols.core.errors import Refused

ROWS: Final = 100
"""Open tables of one page."""

MOST_PAGES: Final = 1000

BOARDS: Final = 24
"""Boards on the page at most."""

OWN_BOARDS: Final = 6
OWN_PAST: Final = 3
"""Games of the person's own, and finished ones: on a phone "Play now" is not far below them."""

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
class DrawnForm:
    """The form as it is ``drawn``, and the ``looks`` of its pictures, whose figures the page has."""

    drawn: Markup
    looks: tuple[Description, ...]


class Lobby:
    """Reads the running ``tables``. ``counted`` are all connections, and those that look on; ``form`` is "Play now".

    ``yours`` finds the games of the person that asks.
    """

    def __init__(
        self,
        frame: Frame,
        cards: Cards,
        yours: Yours,
        tables: Mapping[int, Running],
        counted: Counted,
        form: PlayForm,
    ) -> None:
        self._frame = frame
        self._yours = yours
        self._cards = cards
        self._tables = tables
        self._counted = counted
        self._form = form
        self._unfilled: dict[str, DrawnForm] = {}

    def reread(self, config: Config) -> None:
        """Draw the form anew, and say of house bots what these settings say."""
        self._form.reread(config)
        self._unfilled.clear()

    @property
    def _bot_wait(self) -> str:
        wait_s = self._form.bot_after_s
        return "" if wait_s is None else length_words(wait_s)

    def routes(self) -> list[Route]:
        return [
            Route("/", self.page, methods=["GET"]),
            Route("/play", self.play, methods=["GET"]),
            Route("/api/lobby", self.changes, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        game, page = _asked(request)
        return await self._shown(request, game, page, game, Filled())

    async def _shown(
        self, request: Request, game: str, page: int, chosen: str, filled: Filled, status: int = HTTPStatus.OK
    ) -> Response:
        """The page with the open tables of ``game``, and the form as it was ``filled``, with the game ``chosen``."""
        rows, more = self._rows(game, page)
        if await self._cards.ratings.learned():
            rows, more = self._rows(game, page)
        cards = await self._cards.playing(BOARDS)
        own = await self._yours.shown_if_read(request, OWN_BOARDS, OWN_PAST)
        form = await self._form_of(chosen, filled)
        return self._frame.page(
            request,
            "lobby.html",
            status,
            form=form.drawn,
            bot_wait=self._bot_wait,
            rows=rows,
            more=more,
            number=page,
            game=registry.games().get(game),
            cards=cards,
            own=own,
            figures=figures_of(*looks_of([*cards, *own.cards]), *form.looks),
            here=self._here().words(),
        )

    async def _form_of(self, chosen: str, filled: Filled) -> DrawnForm:
        """The form with the game ``chosen``, "" any. One that nobody has filled is drawn once."""
        game = _first_choice(chosen)
        if not filled.values and game in self._unfilled:
            return self._unfilled[game]
        games = self._form.games()
        pictures = await examples(fields.game for fields in games)
        values = {
            "form": self._form,
            "games": games,
            "chosen": game,
            "pictures": pictures,
            "filled": filled,
            "bot_wait": self._bot_wait,
            "any_bot": any(fields.bot for fields in games),
        }
        drawn = Markup(self._frame.render("_play_form.html", values))
        found = DrawnForm(drawn, tuple(picture.look for picture in pictures.values()))
        if not filled.values:
            self._unfilled[game] = found
        return found

    async def play(self, request: Request) -> Response:
        """Turns the choice into an address that can be kept, and sent to others; or shows the form again."""
        asked = dict(request.query_params)
        try:
            game = registry.game(asked.get("game", ""))
        except Refused as refused:
            raise HTTPException(HTTPStatus.NOT_FOUND) from refused
        try:
            address = self._form.address(game, asked)
        except NotPlayable as wrong:
            filled = Filled(asked, wrong.faults)
            return await self._shown(request, "", 1, game.name, filled, HTTPStatus.BAD_REQUEST)
        return RedirectResponse(address, HTTPStatus.SEE_OTHER)

    async def changes(self, request: Request) -> Response:
        game, page = _asked(request)
        rows, more = self._rows(game, page)
        told = {"open": [asdict(row) for row in rows], "more": more, "here": self._here().words()}
        return unless_known(request, msgspec.json.encode(told))

    def _rows(self, game: str, page: int) -> tuple[list[OpenTable], bool]:
        """The rows of a page, and whether there are more behind them."""
        wanted = (table for table in self._tables.values() if game in ("", table.state.game.name))
        found = open_tables(wanted, self._cards.ratings.words)
        rows = list(islice(found, (page - 1) * ROWS, page * ROWS + 1))
        return rows[:ROWS], len(rows) > ROWS

    def _here(self) -> Here:
        states = (table.state for table in self._tables.values())
        games = sum(state.status is Status.PLAYING and not state.house.private for state in states)
        connected, watching = self._counted()
        return Here(connected, games, watching)


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
