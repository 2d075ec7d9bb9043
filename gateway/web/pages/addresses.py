"""Writes the addresses of pages: every link to a game, a table or a seat is made here.

``/play/GAME?variant=..&time=..&against=..&opponent=..&seats=..&NAME=VALUE``: the query has the wishes of a handshake
(gateway/lobby/join_options.py), and only those that are not the defaults. ``against`` is "bot", "bot:3", a bot's name,
or "friend": a private table and a link to invite with. ``opponent`` is the name of a waiting player.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, urlencode

from gateway import registry
from protocols.core import time_text
from protocols.core.model import Settings

FRIEND: Final = "friend"


def play_address(game: str, wishes: Mapping[str, str]) -> str:
    """The page where a game begins; wishes that are empty are left out."""
    query = urlencode({name: text for name, text in wishes.items() if text})
    return f"/play/{quote(game)}" + (f"?{query}" if query else "")


def join_address(game: str, settings: Settings | None, opponent: str) -> str:
    """The page that sits down opposite a waiting player, to play what that one proposes; None: any game of these."""
    return play_address(game, wishes_of(settings) | {"opponent": opponent})


def wishes_of(settings: Settings | None) -> dict[str, str]:
    """The wishes that ask for these settings; the defaults of the game are left out."""
    if settings is None:
        return {}
    rules = next(each for each in registry.game(settings.game).variants if each.name == settings.variant)
    return {
        "variant": settings.variant if settings.variant != registry.game(settings.game).variants[0].name else "",
        "seats": str(settings.seats) if settings.seats != rules.seats[0] else "",
        "time": time_text.spell(settings.time) if settings.time else "",
        "start": settings.start,
        "rated": "yes" if settings.rated else "",
        **dict(settings.options),
    }


def table_address(table: int) -> str:
    return f"/table/{table}"
