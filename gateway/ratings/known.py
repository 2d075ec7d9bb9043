"""The ratings that stand beside names, in memory: those of players whom somebody has looked at, so many at most.

A rating that is not known is wanted from then on; gateway/ops/seat_ratings.py reads it, and those that change.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from gateway.ratings.book import Standing, is_provisional, shown
from gateway.ratings.glicko2 import Rating
from gateway.ratings.pools import Player
from protocols.core.notifications import Points

MOST: Final = 20_000
"""Ratings that are kept, some 10 MB: those of all players of a large server's lists."""

Key = tuple[str, Player]
"""A player in a pool."""


class Known:
    """Standings by key. Those that are read longest ago make room for new ones."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._found: dict[Key, Standing | None] = {}
        self._last: dict[Player, str] = {}
        self.wanted: set[Key] = set()
        self.unplaced: set[Player] = set()

    def __len__(self) -> int:
        return len(self._found)

    def points(self, key: Key, now: float) -> Points | None:
        """The rating as it is shown, aged to ``now``, in Unix time. None: there is none, or it is wanted now."""
        if key not in self._found:
            if len(self.wanted) < self._most:
                self.wanted.add(key)
            return None
        standing = self._found[key]
        if standing is None:
            return None
        rating = Rating(standing.rating, standing.rd, standing.sigma)
        return points(key[0], shown(key[0], rating, now - standing.at))

    def last(self, player: Player) -> str:
        """The pool in which a player has played for a rating last; "": there is none, or it is wanted now."""
        if player not in self._last and len(self.unplaced) < self._most:
            self.unplaced.add(player)
        return self._last.get(player, "")

    def changed(self, keys: Collection[Key] | None) -> None:
        """Ratings have changed, with None perhaps all of them: those that are known are wanted anew."""
        self.wanted.update(self._found if keys is None else self._found.keys() & keys)
        self.unplaced.update(self._last if keys is None else self._last.keys() & {player for _, player in keys})

    def learn_last(self, asked: Collection[Player], found: Mapping[Player, str]) -> None:
        """Keep the pools that were found of all players that were asked for; their ratings there are wanted."""
        for player in asked:
            self.unplaced.discard(player)
            self._last.pop(player, None)
            self._last[player] = pool = found.get(player, "")
            if pool and (pool, player) not in self._found:
                self.wanted.add((pool, player))
        while len(self._last) > self._most:
            del self._last[next(iter(self._last))]

    def learn(self, asked: Collection[Key], found: Mapping[Key, Standing]) -> None:
        """Keep what was found of all that was asked for; of the others there is none."""
        for key in asked:
            self.wanted.discard(key)
            self._found.pop(key, None)
            self._found[key] = found.get(key)
        while len(self._found) > self._most:
            del self._found[next(iter(self._found))]


def points(pool: str, rating: Rating) -> Points:
    """A rating as it is shown."""
    return Points(round(rating.rating), is_provisional(pool, rating.rd))


def in_words(found: Points | None) -> str:
    """A rating as it stands behind a name: "(1523?)", "" where there is none."""
    return "" if found is None else f"({found})"
