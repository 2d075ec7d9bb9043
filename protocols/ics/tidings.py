"""News of games of others, and of who comes and goes: the notes of ``gin`` and ``pin``, for those who have set them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from protocols.core import notifications as ntf
from protocols.ics import writing
from protocols.ics.desk import Desk
from protocols.ics.lists import for_programs_of
from protocols.ics.play import Play
from protocols.ics.watching import Watching

GAMES: Final = "gin"
PEOPLE: Final = "pin"
"""Variables of set; the second is one of iset, too, which asks for lines that programs read."""


class News:
    """News for one connection. Games that it plays, or looks on at, are told at their tables."""

    def __init__(self, desk: Desk, play: Play, watching: Watching) -> None:
        self._desk = desk
        self._play = play
        self._watching = watching

    @property
    def listens(self) -> bool:
        desk = self._desk
        return desk.is_on(GAMES) or desk.is_on(PEOPLE) or desk.has(PEOPLE)

    def told(self, tidings: ntf.Tidings) -> None:
        desk = self._desk
        if desk.is_on(GAMES):
            desk.come(*(line for game in tidings.games for line in self._game(game)))
        if desk.has(PEOPLE):
            desk.come(*(f"<wa> {for_programs_of(desk, one)}" for one in tidings.came if one.name != desk.name))
            desk.come(*(f"<wd> {desk.alias(name)}" for name in tidings.went if name != desk.name))
        elif desk.is_on(PEOPLE):
            desk.come(*(f"[{desk.alias(one.name)} has connected.]" for one in tidings.came if one.name != desk.name))
            desk.come(*(f"[{desk.alias(name)} has disconnected.]" for name in tidings.went if name != desk.name))

    def _game(self, game: ntf.GameNews) -> Iterator[str]:
        if writing.carries(game.settings) and not self._told_there(game):
            white, black = (self._desk.alias(name) for name in game.names)
            yield writing.news(game, white, black)

    def _told_there(self, game: ntf.GameNews) -> bool:
        """True if the peer is told of it at the game's table, or was."""
        desk, own = self._desk, self._play.own
        told = game.change in ("ends", "waits") and game.table in desk.told_over
        desk.told_over = tuple(table for table in desk.told_over if table != game.table)
        return told or self._watching.sees(game.table) or (own is not None and own.number == game.table)
