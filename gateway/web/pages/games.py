"""The games of this server, each with its rules in a person's words, pictures, who can play it and who waits.

GET /games        every game
GET /games/NAME   one of them
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import islice
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway import registry
from gateway.games.base import Game, Variant
from gateway.games.parts import Chance
from gateway.lobby.join_options import BOT
from gateway.web.board.svg import figures_of
from gateway.web.pages.addresses import FRIEND, play_address
from gateway.web.pages.cards import Cards, looks_of
from gateway.web.pages.examples import Example, beginning, examples
from gateway.web.pages.frame import Frame
from gateway.web.pages.open_tables import Running, open_tables
from gateway.web.pages.selection import of_game

ROWS: Final = 20
"""Open tables on the page of a game; the lobby has them all."""

BOARDS: Final = 6


@dataclass(frozen=True, slots=True)
class RuleSetShown:
    """A rule set on the page of its game. ``text`` are paragraphs, ``size`` is its board, ``start`` how it begins."""

    title: str
    text: tuple[str, ...]
    size: str
    anybody: str
    bot: str
    friend: str
    start: Example | None


class Games:
    """Reads the running ``tables``. ``bots`` names the house bots of a game."""

    def __init__(
        self,
        frame: Frame,
        cards: Cards,
        tables: Mapping[int, Running],
        bots: Callable[[str], Sequence[str]],
    ) -> None:
        self._frame = frame
        self._cards = cards
        self._tables = tables
        self._bots = bots

    def routes(self) -> list[Route]:
        return [Route("/games", self.all, methods=["GET"]), Route("/games/{game}", self.one, methods=["GET"])]

    async def all(self, request: Request) -> Response:
        games = list(registry.games().values())
        pictures = await examples(games)
        playing = self._cards.by_game()
        return self._frame.page(
            request,
            "games.html",
            games=games,
            pictures=pictures,
            playing=playing,
            figures=figures_of(*(picture.look for picture in pictures.values())),
        )

    async def one(self, request: Request) -> Response:
        game = registry.games().get(request.path_params["game"])
        if game is None:
            text = "This server has no such game. The page of games says what there is."
            return self._frame.error(request, HTTPStatus.NOT_FOUND, "No such game", text)
        selected = of_game(game.name)
        cards = await self._cards.playing(BOARDS, selected)
        rules = [self._rules(game, variant) for variant in game.variants] if game.judged else []
        picture = (await examples([game]))[game.name]
        starts = [shown.start for shown in rules if shown.start is not None]
        wanted = (table for table in self._tables.values() if table.state.game.name == game.name)
        return self._frame.page(
            request,
            "game.html",
            game=game,
            picture=picture,
            rules=rules,
            names=[game.guide.title(variant.name) for variant in game.variants],
            seats=seats_words(game),
            dice=isinstance(game, Chance),
            bot=game.judged and bool(self._bots(game.name)),
            dialects=programs(game),
            rows=list(islice(open_tables(wanted, self._cards.ratings.words), ROWS)),
            cards=cards,
            figures=figures_of(picture.look, *(start.look for start in starts), *looks_of(cards)),
        )

    def _rules(self, game: Game[Any], variant: Variant) -> RuleSetShown:
        declared = game.guide.rules.get(variant.name)
        text = declared.text if declared and declared.text else (variant.text,)
        name = "" if variant is game.variants[0] else variant.name
        start = beginning(game.name, variant.name)
        return RuleSetShown(
            game.guide.title(variant.name),
            text,
            f"{variant.width}x{variant.height}",
            play_address(game.name, {"variant": name}),
            play_address(game.name, {"variant": name, "against": BOT}),
            play_address(game.name, {"variant": name, "against": FRIEND}),
            start if start.board else None,
        )


def programs(game: Game[Any]) -> list[tuple[str, str]]:
    """The dialects that people connect programs by and that can play it: name and title."""
    found = registry.dialects_for(game).items()
    return [(name, dialect.connecting.title) for name, dialect in found if dialect.connecting is not None]


def seats_words(game: Game[Any]) -> str:
    """The numbers of players: "2 players", "2 to 4 players"."""
    counts = sorted({count for variant in game.variants for count in variant.seats})
    return f"{counts[0]} players" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} players"
