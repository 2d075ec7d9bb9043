"""The wall of boards that are being played, as large as its page allows; and what the scripts of such pages ask.

    GET /tv          the wall; ?game=NAME&variant=GAME.NAME is what it shows (selection.py), ?table=ID the large board
    GET /api/boards  the same, &most=&known=12:VERSION,13:-: the tables to show, and cards that differ from those known

A page names what it knows, so an answer has only what has changed. A board that is out of sight is known as "-": it is
told when it is seen again. Games that have ended are told once more, with their outcome, to pages that know them.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway import registry
from gateway.web.board.svg import figures_of
from gateway.web.pages.cards import Card, Cards, looks_of
from gateway.web.pages.frame import Frame
from gateway.web.pages.lobby import unless_known
from gateway.web.pages.selection import of_game, selection
from protocols.core.numbers import whole

MOST: Final = 60
"""Boards of a wall: as many as a screen shows, and a browser draws without effort."""

KNOWN_LETTERS: Final = 4096
"""The longest list of known boards: sixty of them, with room for large numbers."""

UNSEEN: Final = "-"


class Wall:
    def __init__(self, frame: Frame, cards: Cards) -> None:
        self._frame = frame
        self._cards = cards

    def routes(self) -> list[Route]:
        return [Route("/tv", self.page, methods=["GET"]), Route("/api/boards", self.changes, methods=["GET"])]

    async def page(self, request: Request) -> Response:
        selected, large = selection(request), _number(request, "table", 0)
        cards = await self._cards.playing(MOST, selected)
        first = self._cards.card(large) if large else None
        if first is not None:
            cards = [first, *(card for card in cards if card is not first)]
        playing = self._cards.by_game()
        return self._frame.page(
            request,
            "wall.html",
            cards=cards,
            figures=figures_of(*looks_of(cards)),
            led=first is not None,
            selected=selected,
            one=of_game,
            games=list(registry.games().values()),
            playing=playing,
            count=sum(playing.values()),
            most=MOST,
        )

    async def changes(self, request: Request) -> Response:
        most = _number(request, "most", MOST)
        if not 1 <= most <= MOST:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        known = _known(request)
        selected = selection(request)
        playing = await self._cards.playing(most, selected)
        order = [card.told.table for card in playing]
        ended = (self._cards.card(table) for table in known if table not in order)
        news = [card for card in (*playing, *ended) if card is not None and _is_news(card, known)]
        body = f'{{"order":{json.dumps(order)},"boards":[{",".join(card.tells() for card in news)}]}}'
        return unless_known(request, body.encode())


def _is_news(card: Card, known: dict[int, str]) -> bool:
    version = known.get(card.told.table, "")
    return version not in (UNSEEN, card.version)


def _number(request: Request, name: str, usual: int) -> int:
    found = whole(request.query_params.get(name, str(usual)))
    if found is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return found


def _known(request: Request) -> dict[int, str]:
    """By table, the version that the page has. HTTPException (404): nonsense, or too much."""
    text = request.query_params.get("known", "")
    pairs = [pair.partition(":") for pair in text.split(",") if pair]
    found = {table: version for name, _, version in pairs if (table := whole(name)) is not None}
    if len(text) > KNOWN_LETTERS or len(found) < len({name for name, _, _ in pairs}):
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return found
