"""Questions to the current version of the ratings: pools, players by rating, the steps of one, remarks for the host.

Deviations are aged to the time that is asked for; what is stored is as of each player's last game.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, func, select, tuple_

from gateway.ratings.book import is_provisional, is_ranked, shown
from gateway.ratings.glicko2 import Rating
from gateway.ratings.pools import Player
from gateway.store import rating_rows
from gateway.store.engine import Reads
from gateway.store.rating_schema import rating_standings, rating_steps, rating_versions, results

MOST: Final = 1000
"""Rows of one answer."""


class Pool(NamedTuple):
    """A pool with the number of its players, and when its last game ended, in Unix time."""

    name: str
    players: int
    last_at: float


class Rated(NamedTuple):
    """A player's rating in a pool, aged to now. ``ranked``: sure enough for a place in a list; ``provisional``: not
    even sure enough to be compared."""

    pool: str
    player: Player
    rating: float
    rd: float
    games: int
    at: float
    provisional: bool
    ranked: bool


class Change(NamedTuple):
    """A step of the player of ``seat``: the game that it is of, and the rating before and after.

    ``why`` it does not count, or "".
    """

    table: int
    number: int
    seat: int
    at: float
    pool: str
    player: Player
    before: Rating
    after: Rating
    weight: float
    why: str
    flags: str


class RatingViews(Reads):
    """The ratings of one database, for reading."""

    def version(self) -> rating_rows.Version | None:
        """The current version; None where nothing was ever rated."""
        with self._reading.connect() as connection:
            return rating_rows.current(connection)

    def pools(self) -> list[Pool]:
        """All pools, by name."""
        wanted = select(rating_standings.c.pool, func.count(), func.max(rating_standings.c.at)).where(_IN_CURRENT)
        wanted = wanted.group_by(rating_standings.c.pool).order_by(rating_standings.c.pool)
        with self._reading.connect() as connection:
            return [Pool(*row) for row in connection.execute(wanted)]

    def best(self, pool: str, now: float, most: int = MOST) -> list[Rated]:
        """The players of a pool by rating, the best first."""
        mine = select(rating_standings).where(_IN_CURRENT, rating_standings.c.pool == pool)
        return self._rated(mine.order_by(rating_standings.c.rating.desc()).limit(most), now)

    def of(self, account: str, now: float) -> list[Rated]:
        """The ratings of an account and of its programs, by pool."""
        key = (rating_standings.c.pool, rating_standings.c.engine)
        mine = select(rating_standings).where(_IN_CURRENT, rating_standings.c.account == account.casefold())
        return self._rated(mine.order_by(*key).limit(MOST), now)

    def changes(self, account: str, most: int = MOST) -> list[Change]:
        """The newest games of an account that were played for a rating, the newest first."""
        return self._changes(rating_steps.c.account == account.casefold(), most)

    def flagged(self, most: int = MOST) -> list[Change]:
        """The newest games with a remark for the host, the newest first: one step for each player."""
        return self._changes(rating_steps.c.flags != "", most)

    def of_games(self, games: Collection[tuple[int, int]]) -> list[Change]:
        """The steps of these games, (table, number) each, by game and seat; none of those that are not rated yet."""
        return sorted(self._changes(tuple_(results.c.table_id, results.c.number).in_(games), MOST))

    def _rated(self, wanted: Select[Any], now: float) -> list[Rated]:
        found = []
        with self._reading.connect() as connection:
            for row in connection.execute(wanted):
                rating = shown(row.pool, Rating(row.rating, row.rd, row.sigma), now - row.at)
                sure = (is_provisional(row.pool, rating.rd), is_ranked(row.pool, rating.rd))
                player = Player(row.account, row.engine)
                found.append(Rated(row.pool, player, rating.rating, rating.rd, row.games, row.at, *sure))
        return found

    def _changes(self, which: ColumnElement[bool], most: int) -> list[Change]:
        step = rating_steps.c
        wanted = select(rating_steps, results.c.table_id, results.c.number, results.c.at.label("ended_at"))
        wanted = wanted.join(results, results.c.ordinal == step.ordinal).where(_STEPS_IN_CURRENT, which)
        with self._reading.connect() as connection:
            rows = connection.execute(wanted.order_by(step.ordinal.desc(), step.seat).limit(most)).all()
        return [
            Change(
                *(row.table_id, row.number, row.seat, row.ended_at, row.pool, Player(row.account, row.engine)),
                Rating(row.rating_before, row.rd_before, row.sigma_before),
                Rating(row.rating, row.rd, row.sigma),
                *(row.weight, row.why, row.flags),
            )
            for row in rows
        ]


_CURRENT = select(rating_versions.c.version).where(rating_versions.c.current).scalar_subquery()
_IN_CURRENT: Final = rating_standings.c.version == _CURRENT
_STEPS_IN_CURRENT: Final = rating_steps.c.version == _CURRENT
