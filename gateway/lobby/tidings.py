"""Keeps what is new of public games and of people who are here, until those who want to hear of it have been told.

Pure state plus methods.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Final

from msgspec.structs import replace

from gateway.lobby.notices import nothing_changed
from gateway.table.state import State, Status
from protocols.core.model import Outcome, SeatKind
from protocols.core.notifications import Change, GameNews

CROWD: Final = 1000
"""Tables with news that waits; beyond so many, a game that has begun and ended meanwhile is told to nobody."""


@dataclass(frozen=True, slots=True)
class News:
    """News to be told next: of games in their order, and the names of those who have come and who have gone."""

    games: tuple[GameNews, ...] = ()
    came: tuple[str, ...] = ()
    went: tuple[str, ...] = ()


class TidingsBoard:
    """``changed`` is called after every change. A game of a private table is no news, nor is who sits there alone."""

    def __init__(self, changed: Callable[[], None] = nothing_changed) -> None:
        self._changed = changed
        self._playing: dict[int, GameNews] = {}  # table -> its game, as it began or went on last
        self._adjourned: set[int] = set()
        self._sitting: dict[int, tuple[str, ...]] = {}  # table -> the players who are there
        self._here: Counter[str] = Counter()  # folded name -> clients that have entered under it, and its seats
        self._games: dict[int, tuple[GameNews, ...]] = {}  # table -> what is to be told
        self._people: dict[str, str] = {}  # folded name -> the name of somebody who is to be told to have come, or gone

    def report(self, state: State) -> None:
        """A table's seats or status changed."""
        if state.house.private:
            return
        match state.status:
            case Status.PLAYING:
                self._begins(state)
            case Status.ADJOURNED:
                self._stops(state.table, "waits", None)
                self._adjourned.add(state.table)
            case Status.OPEN | Status.OVER | Status.CLOSED:
                self._stops(state.table, "ends", state.outcome)
        there = () if state.status is Status.CLOSED else state.seats
        self._sits(state.table, tuple(seat.name for seat in there if seat.kind is SeatKind.PLAYER))

    def dropped(self, table: int) -> None:
        """A table is gone, or nothing is known of it any more."""
        self._stops(table, "ends", None)
        self._sits(table, ())

    def _begins(self, state: State) -> None:
        if state.table in self._playing:
            return
        change: Change = "goes on" if state.table in self._adjourned or state.ply else "begins"
        self._adjourned.discard(state.table)
        names = tuple(seat.name for seat in state.seats)
        game = self._playing[state.table] = GameNews(state.table, state.settings, names, change)
        self._note(game)

    def _stops(self, table: int, change: Change, outcome: Outcome | None) -> None:
        """A game that was played there is told by the names with which it began."""
        self._adjourned.discard(table)
        if (game := self._playing.pop(table, None)) is not None:
            self._note(replace(game, change=change, outcome=outcome))

    def _note(self, game: GameNews) -> None:
        waiting = self._games.pop(game.table, ())
        if waiting and game.table not in self._playing and len(self._games) >= CROWD:
            waiting = waiting[:-1]
        else:
            waiting = (*waiting, game)
        if waiting:
            self._games[game.table] = waiting
        self._changed()

    def _sits(self, table: int, names: tuple[str, ...]) -> None:
        before = self._sitting.pop(table, ())
        if names:
            self._sitting[table] = names
        if names != before:
            for name in names:
                self.came(name)
            for name in before:
                self.went(name)

    def came(self, name: str) -> None:
        """A client has entered under this name, or a player has sat down."""
        folded = name.casefold()
        self._here[folded] += 1
        if self._here[folded] == 1:
            self._turned(folded, name)

    def went(self, name: str) -> None:
        """One that had come has gone."""
        folded = name.casefold()
        self._here[folded] -= 1
        if not self._here[folded]:
            del self._here[folded]
            self._turned(folded, name)

    def _turned(self, folded: str, name: str) -> None:
        """Note that somebody has come or gone. Whoever does both before it is told has done neither."""
        if self._people.pop(folded, None) is None:
            self._people[folded] = name
        self._changed()

    def take(self, most: int) -> News:
        """The oldest news of at most so many tables, and of as many people; they are told with it."""
        games = [game for table in list(islice(self._games, most)) for game in self._games.pop(table)]
        people = [(folded, self._people.pop(folded)) for folded in list(islice(self._people, most))]
        came = tuple(name for folded, name in people if folded in self._here)
        went = tuple(name for folded, name in people if folded not in self._here)
        return News(tuple(games), came, went)

    def forget(self) -> None:
        """Keep no news: nobody listens."""
        self._games.clear()
        self._people.clear()

    def __bool__(self) -> bool:
        """True if something is to be told."""
        return bool(self._games or self._people)
