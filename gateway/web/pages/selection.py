"""The games that a wall shows: read from its address, and written into it.

``?game=go&variant=chess.atomic``: all of Go, and of chess Atomic alone. ``game`` and ``variant`` may stand several
times; a rule set is GAME.NAME, for several games may have one of the same name. Without either it is all games.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request

from gateway import registry
from gateway.table.state import State


@dataclass(frozen=True, slots=True)
class Selection:
    """``games`` by name; ``rules`` are pairs of a game and a rule set, which are all that is shown of that game."""

    games: frozenset[str] = frozenset()
    rules: frozenset[tuple[str, str]] = frozenset()

    def has(self, state: State) -> bool:
        """True for a table that is shown."""
        if not (self.games or self.rules):
            return True
        game, rules = state.game.name, state.settings.variant
        if any(game == each for each, _ in self.rules):
            return (game, rules) in self.rules
        return game in self.games

    @property
    def query(self) -> str:
        """The selection as it stands in an address; "" for all games."""
        rules = sorted(self.rules)
        named = [("game", game) for game in sorted(self.games - {game for game, _ in rules})]
        return urlencode([*named, *(("variant", f"{game}.{name}") for game, name in rules)])

    @property
    def words(self) -> str:
        """The games that are shown: "Chess (Atomic, Horde), Go"; "" for all games."""
        return ", ".join(self._words())

    def _words(self) -> Iterator[str]:
        for name, game in registry.games().items():
            rules = [game.guide.title(each.name) for each in game.variants if (name, each.name) in self.rules]
            if rules:
                yield f"{game.title} ({', '.join(rules)})"
            elif name in self.games:
                yield game.title


ALL: Final = Selection()


def of_game(name: str) -> Selection:
    """All that is played of one game."""
    return Selection(games=frozenset({name}))


def selection(request: Request) -> Selection:
    """The selection of an address. HTTPException (404): there is no such game or rule set."""
    games = [name for name in request.query_params.getlist("game") if name]
    named = [name.partition(".") for name in request.query_params.getlist("variant") if name]
    rules = [(game, name) for game, _, name in named]
    known = registry.games()
    if any(name not in known for name in (*games, *(game for game, _ in rules))):
        raise HTTPException(HTTPStatus.NOT_FOUND)
    if any(name not in {each.name for each in known[game].variants} for game, name in rules):
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return Selection(frozenset(games), frozenset(rules))
