"""News of others: the notes of ``gin`` and ``pin`` on games and people, and the games of a player who is followed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from protocols.core import notifications as ntf
from protocols.core.commands import Command, Inquire
from protocols.core.desk import unmet
from protocols.ics import writing
from protocols.ics.desk import Desk
from protocols.ics.lists import Lists, for_programs_of
from protocols.ics.play import Play
from protocols.ics.watching import Watching

GAMES: Final = "gin"
PEOPLE: Final = "pin"
"""Variables of set; the second is one of iset, too, which asks for lines that programs read."""


class News:
    """News for one connection. Games that it plays, or looks on at, are told at their tables."""

    def __init__(self, desk: Desk, play: Play, watching: Watching, lists: Lists) -> None:
        self._desk = desk
        self._play = play
        self._watching = watching
        self._lists = lists
        self._follows = ""
        """The player whose games are looked on at."""

    @property
    def listens(self) -> bool:
        desk = self._desk
        return bool(self._follows) or desk.is_on(GAMES) or desk.is_on(PEOPLE) or desk.has(PEOPLE)

    def follow(self, rest: str) -> list[Command]:
        """Look on at each game of a player from now on; of nobody where none is named."""
        desk, before = self._desk, self._follows
        name = self._follows = desk.meant(rest.split()[0]) if rest else ""
        if not name:
            shown = desk.alias(before)
            desk.say(
                f"You will not follow {shown}'s games any more."
                if before
                else "You are not following any player's games."
            )
            return []

        def looked() -> None:
            played = self._lists.playing(name)
            if played is not None and not self._sees(played.table):
                desk.asks.append(self._watching.watch(played.table))

        desk.say(f"You will now be following {unmet(rest.split()[0])}'s games.")
        desk.finish = looked
        return [Inquire("tables")]

    def told(self, tidings: ntf.Tidings) -> None:
        desk = self._desk
        for game in tidings.games if self._follows or desk.is_on(GAMES) else ():
            if writing.carries(game.settings) and not self._told_there(game):
                self._game(game)
        if desk.has(PEOPLE):
            desk.come(*(f"<wa> {for_programs_of(desk, one)}" for one in tidings.came if one.name != desk.name))
            desk.come(*(f"<wd> {desk.alias(name)}" for name in tidings.went if name != desk.name))
        elif desk.is_on(PEOPLE):
            desk.come(*(f"[{desk.alias(one.name)} has connected.]" for one in tidings.came if one.name != desk.name))
            desk.come(*(f"[{desk.alias(name)} has disconnected.]" for name in tidings.went if name != desk.name))

    def _game(self, game: ntf.GameNews) -> None:
        desk, (white, black) = self._desk, map(self._desk.alias, game.names)
        if desk.is_on(GAMES):
            desk.come(writing.news(game, white, black))
        if self._follows and game.change in ("begins", "goes on"):
            self._begins(game.table, game.names, (white, black))

    def _begins(self, table: int, names: Sequence[str], shown: Sequence[str]) -> None:
        """Look on at a game of the player who is followed."""
        folded = [name.casefold() for name in names]
        if self._follows.casefold() in folded:
            seat = folded.index(self._follows.casefold())
            self._desk.come(f"{shown[seat]}, whom you are following, has started a game with {shown[1 - seat]}.")
            self._desk.asks.append(self._watching.watch(table))

    def _told_there(self, game: ntf.GameNews) -> bool:
        """True if the peer is told of it at the game's table, or was."""
        desk = self._desk
        told = game.change in ("ends", "waits") and game.table in desk.told_over
        desk.told_over = tuple(table for table in desk.told_over if table != game.table)
        return told or self._sees(game.table)

    def _sees(self, table: int) -> bool:
        """True if the peer is at this table, or looks on there."""
        own = self._play.own
        return self._watching.sees(table) or (own is not None and own.number == table)
