"""Questions to the current version of the ratings: pools, players by rating, the steps of one, remarks for the host.

Deviations are aged to the time that is asked for; what is stored is as of each player's last game. Players are shown
under the names of their accounts; one whose account is deleted is a former player.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Integer, Select, case, cast, func, literal, select, tuple_

from gateway.ratings.book import Book, Stake, Standing, is_provisional, shown
from gateway.ratings.glicko2 import Rating
from gateway.ratings.known import Key
from gateway.ratings.pools import Player
from gateway.store import rating_rows
from gateway.store.engine import Reads
from gateway.store.rating_schema import rating_standings, rating_steps, rating_versions, results
from gateway.store.records import FORMER, Result
from gateway.store.schema import accounts

MOST: Final = 1000
"""Rows of one answer."""

FEW: Final = 1000
"""Players with a place, or without, that are read at once; of more of them some are soon found by rating."""

LATE: Final = 10
"""A player's newest games, which say who is due to begin."""

BAR: Final = 50
"""Points of a rating that are one bar of a distribution."""


class Pool(NamedTuple):
    """A pool with the number of its players, and when its last game ended, in Unix time."""

    name: str
    players: int
    last_at: float


class Rated(NamedTuple):
    """A player's rating in a pool, aged to now. ``ranked``: sure enough for a place in a list; ``provisional``: not
    even sure enough to be compared. ``name`` is the account's, or the engine's."""

    pool: str
    player: Player
    name: str
    rating: float
    rd: float
    games: int
    at: float
    provisional: bool
    ranked: bool


class Last(NamedTuple):
    """The last player of a page of a list, behind whom the next page goes on, and that player's place, 0 none."""

    place: int
    rating: float
    account: str
    engine: str


class Bar(NamedTuple):
    """Players of a pool with ratings from ``low`` on, up to the next bar: those with a place, and those without."""

    low: int
    ranked: int
    others: int


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
    ordinal: int


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

    def listed(
        self, pool: str, now: float, *, ranked: bool, most: int = MOST, after: Last | None = None
    ) -> list[Rated]:
        """The players of a pool by rating, the best first: those with a place (``ranked``), or those without."""
        until, in_pool = rating_standings.c.ranked_until, (_IN_CURRENT, rating_standings.c.pool == pool)
        wanted = (*in_pool, until > now if ranked else until <= now)
        some = select(literal(1)).where(*wanted).limit(FEW).subquery()
        with self._reading.connect() as connection:
            few = connection.execute(select(func.count()).select_from(some)).scalar_one() < FEW
        if few:  # among many others they would be looked for by rating until the end
            found = sorted(self._rated(select(rating_standings).where(*wanted), now), key=_place, reverse=True)
            return [each for each in found if after is None or _place(each) < after[1:]][:most]
        walked = until + 0.0  # no index has it: SQLite would rather sort all that have a place
        mine = select(rating_standings).where(*in_pool, walked > now if ranked else walked <= now)
        if after is not None:
            mine = mine.where(tuple_(*_ORDER) < tuple_(*after[1:]))
        return self._rated(mine.order_by(*(column.desc() for column in _ORDER)).limit(most), now)

    def distribution(self, pool: str, now: float) -> list[Bar]:
        """The players of a pool by their rounded ratings, from the lowest bar to the highest, without empty ones."""
        low = (cast(func.round(rating_standings.c.rating), Integer) // BAR).label("low")
        placed = func.sum(case((_is_ranked(now), 1), else_=0))
        wanted = select(low, placed, func.count()).where(_IN_CURRENT, rating_standings.c.pool == pool)
        with self._reading.connect() as connection:
            rows = connection.execute(wanted.group_by(low).order_by(low)).all()
        return [Bar(low * BAR, int(ranked), whole - int(ranked)) for low, ranked, whole in rows]

    def of(self, account: str, now: float) -> list[Rated]:
        """The ratings of an account and of its programs, by pool."""
        key = (rating_standings.c.pool, rating_standings.c.engine)
        mine = select(rating_standings).where(_IN_CURRENT, rating_standings.c.account == account.casefold())
        return self._rated(mine.order_by(*key).limit(MOST), now)

    def changes(self, account: str, most: int = MOST) -> list[Change]:
        """The newest games of an account that were played for a rating, the newest first."""
        return self._changes(rating_steps.c.account == account.casefold(), most)

    def steps(self, pool: str, player: Player, most: int = MOST, before: int | None = None) -> list[Change]:
        """The newest games of a player in a pool, the newest first; those ``before`` this ordinal for the next page."""
        step = rating_steps.c
        mine = (step.pool == pool) & (step.account == player.account) & (step.engine == player.engine)
        return self._changes(mine if before is None else mine & (step.ordinal < before), most)

    def side(self, pool: str, one: Player, other: Player) -> int | None:
        """The seat that is due to ``one`` against ``other``: not the one of their last game, else the first for whoever
        had it less often in its last games; None: nothing tells them apart."""
        mine, theirs = self.steps(pool, one, LATE), self.steps(pool, other, LATE)
        met = {each.ordinal for each in theirs}
        last = next((each.seat for each in mine if each.ordinal in met), None)
        if last is not None:
            return 1 - last
        more = _firsts(mine) - _firsts(theirs)
        return None if not more else int(more > 0)

    def others(self, ordinals: Sequence[int]) -> dict[int, list[Change]]:
        """The steps of all players of these results, by ordinal."""
        found: dict[int, list[Change]] = {}
        for part in rating_rows.parts(ordinals):
            for change in self._changes(rating_steps.c.ordinal.in_(part), MOST):
                found.setdefault(change.ordinal, []).append(change)
        return found

    def changed(self, since: tuple[int, int]) -> tuple[tuple[int, int], list[Key] | None]:
        """The version and the ordinal that the ratings have come to, and who was rated ``since`` other ones.

        None: too many, or ratings of another version.
        """
        with self._reading.connect() as connection:
            version = rating_rows.current(connection)
            if version is None:
                return (0, 0), []
            seen, step = (version.version, version.ordinal), rating_steps.c
            if seen == since:
                return seen, []
            if seen[0] != since[0]:
                return seen, None
            behind = (step.version == version.version, step.ordinal > since[1])
            wanted = select(step.pool, step.account, step.engine).where(*behind).limit(MOST)
            found = [(pool, Player(*player)) for pool, *player in connection.execute(wanted)]
        return seen, found if len(found) < MOST else None

    def standings(self, keys: Sequence[Key]) -> dict[Key, Standing]:
        """The standings of these players, of those who have one."""
        with self._reading.connect() as connection:
            version = rating_rows.current(connection)
            return {} if version is None else rating_rows.standings(connection, version.version, keys)

    def last_pools(self, players: Sequence[Player]) -> dict[Player, str]:
        """The pools in which these have played for a rating last, of those who have."""
        found: dict[Player, str] = {}
        step = rating_steps.c
        key = tuple_(step.account, step.engine)
        with self._reading.connect() as connection:
            for part in rating_rows.parts(sorted(players)):
                mine = (_STEPS_IN_CURRENT, key.in_(part))
                last = select(func.max(step.ordinal).label("ordinal"), step.account, step.engine).where(*mine)
                newest = last.group_by(step.account, step.engine).subquery()
                same = (step.ordinal == newest.c.ordinal) & (step.account == newest.c.account)
                joined = rating_steps.join(newest, same & (step.engine == newest.c.engine))
                wanted = select(step.account, step.engine, step.pool).select_from(joined).where(_STEPS_IN_CURRENT)
                found |= {Player(row.account, row.engine): row.pool for row in connection.execute(wanted)}
        return found

    def names(self, players: Iterable[Player]) -> Mapping[Player, str]:
        """The names of these players as they are shown; the engines of accounts are not in them."""
        asked = set(players)
        with self._reading.connect() as connection:
            known: dict[str, str] = {}
            for part in rating_rows.parts(sorted({player.account for player in asked} - {""})):
                wanted = select(accounts.c.folded, accounts.c.name).where(accounts.c.folded.in_(part))
                known |= dict(map(tuple, connection.execute(wanted)))
        return {each: known.get(each.account, FORMER) if each.account else each.engine for each in asked}

    def flagged(self, most: int = MOST) -> list[Change]:
        """The newest games with a remark for the host, the newest first: one step for each player."""
        return self._changes(rating_steps.c.flags != "", most)

    def of_games(self, games: Collection[tuple[int, int]]) -> list[Change]:
        """The steps of these games, (table, number) each, by game and seat; none of those that are not rated yet."""
        return sorted(self._changes(tuple_(results.c.table_id, results.c.number).in_(games), MOST))

    def stakes(self, games: Sequence[Result]) -> list[list[Stake]]:
        """By game, the changes that games which have begun may make."""
        with self._reading.connect() as connection:
            version, pins = rating_rows.current(connection), rating_rows.pins(connection)
            book = Book(pins) if version is None else rating_rows.book_for(connection, version.version, pins, games)
        return [book.stakes(game) for game in games]

    def _rated(self, wanted: Select[Any], now: float) -> list[Rated]:
        with self._reading.connect() as connection:
            rows = connection.execute(wanted).all()
        names = self.names(Player(row.account, row.engine) for row in rows)
        found = []
        for row in rows:
            rating = shown(row.pool, Rating(row.rating, row.rd, row.sigma), now - row.at)
            player, sure = (
                Player(row.account, row.engine),
                (is_provisional(row.pool, rating.rd), row.ranked_until > now),
            )
            found.append(Rated(row.pool, player, names[player], rating.rating, rating.rd, row.games, row.at, *sure))
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
                *(row.weight, row.why, row.flags, row.ordinal),
            )
            for row in rows
        ]


_CURRENT = select(rating_versions.c.version).where(rating_versions.c.current).scalar_subquery()
_IN_CURRENT: Final = rating_standings.c.version == _CURRENT
_STEPS_IN_CURRENT: Final = rating_steps.c.version == _CURRENT
_ORDER: Final = (rating_standings.c.rating, rating_standings.c.account, rating_standings.c.engine)
"""The order of lists: two of one rating stand by their names."""


def _place(rated: Rated) -> tuple[float, str, str]:
    return rated.rating, rated.player.account, rated.player.engine


def _firsts(games: Iterable[Change]) -> int:
    """How many more of these games a player began than the other did."""
    return sum(1 if each.seat == 0 else -1 for each in games)


def _is_ranked(now: float) -> ColumnElement[bool]:
    """True of players who have a place in lists at this time."""
    return rating_standings.c.ranked_until > now
