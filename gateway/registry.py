"""Finds installed games and dialects by name, from the entry points boardgate.games and boardgate.dialects.

A plug-in is one file and one line in some distribution's entry points. After adding a line, install again: entry
points are read from installed metadata.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from gateway.games.base import Game
from gateway.games.parts import Chance
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused, Why


@cache
def games() -> dict[str, Game[Any]]:
    """Every installed game by name, sorted."""
    found = {point.name: point.load()() for point in entry_points(group="boardgate.games")}
    return dict(sorted(found.items()))


@cache
def dialects() -> dict[str, type[Dialect]]:
    """Every installed dialect's class by name, sorted."""
    found = {point.name: point.load() for point in entry_points(group="boardgate.dialects")}
    return dict(sorted(found.items()))


def dialects_for(game: Game[Any]) -> dict[str, type[Dialect]]:
    """The dialects whose players can play it: those with listeners, and those that come over HTTP."""
    return {
        name: found
        for name, found in dialects().items()
        if (found.public or found.by_name or found.websocket)
        and found.can_play(game.name)
        and (found.dice or not isinstance(game, Chance))
    }


def game(name: str) -> Game[Any]:
    """The game called ``name`` in any letter case, "-" or "_" alike. Refused (UNKNOWN_GAME) lists what there is."""
    found = games().get(name.strip().lower().replace("-", "_"))
    if found is None:
        raise Refused(Why.UNKNOWN_GAME, f"no game {name!r}; there are {', '.join(games())}")
    return found
