"""The rows of ratings: versions, steps, standings, pins, and what a fold needs of them. Each function is part of the
caller's transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from operator import itemgetter
from typing import Final, NamedTuple, TypeVar

from sqlalchemy import Connection, delete, func, insert, select, tuple_, update

from gateway.ratings.book import (
    ALGORITHM,
    BY_PAST,
    REMEMBERED,
    Book,
    Company,
    Past,
    Pins,
    Standing,
    Step,
    past_of,
    ranked_until,
)
from gateway.ratings.known import Key
from gateway.ratings.pools import Player, players_of, pool_of
from gateway.store.rating_schema import rating_pins, rating_standings, rating_steps, rating_versions, results
from gateway.store.records import Result
from gateway.store.results import by_ordinal as by_ordinal
from gateway.store.results import read, without_ordinal

T = TypeVar("T")

StepRow = tuple[object, ...]
"""A row of ``rating_steps``, in the order of its columns."""

PART: Final = 200
"""Rows, or keys, of one statement."""


PLACE: Final = ("pool", "account", "engine", "ordinal")
"""The order in which steps are added and deleted: neighbours lie together in two of their indexes."""


class Version(NamedTuple):
    """A version of all ratings. They follow from the results up to ``ordinal``, and from what ``basis`` stands for."""

    version: int
    made_at: float
    basis: str
    ordinal: int


def current(connection: Connection) -> Version | None:
    """The version that is shown; None where nothing was ever rated."""
    columns = (rating_versions.c[name] for name in Version._fields)
    row = connection.execute(select(*columns).where(rating_versions.c.current)).first()
    return None if row is None else Version(*row)


def pin(connection: Connection, pool: str, engine: str, rating: float | None) -> None:
    """Pin an engine of the house in a pool; with None it is pinned no more."""
    same = (rating_pins.c.pool == pool, rating_pins.c.engine == engine)
    connection.execute(delete(rating_pins).where(*same))
    if rating is not None:
        connection.execute(insert(rating_pins).values(pool=pool, engine=engine, rating=rating))


def pins(connection: Connection) -> Pins:
    """The pinned engines, by pool and name."""
    found = connection.execute(select(rating_pins.c.pool, rating_pins.c.engine, rating_pins.c.rating))
    return {(pool, engine): rating for pool, engine, rating in found}


def annulled(connection: Connection, last: int) -> list[int]:
    """The ordinals, up to the ``last``, of the results that are annulled."""
    wanted = select(results.c.ordinal).where(results.c.annulled_at.is_not(None), results.c.ordinal <= last)
    return sorted(connection.execute(wanted).scalars())


def basis(pinned: Pins, without: Sequence[int]) -> str:
    """Stand for all that ratings follow from, besides the results: formulas, pins, annulments."""
    said = repr((ALGORITHM, sorted(pinned.items()), sorted(without)))
    return sha256(said.encode()).hexdigest()


def waits(connection: Connection) -> bool:
    """True if a result has no ordinal yet."""
    return connection.execute(select(results.c.number).where(results.c.ordinal.is_(None)).limit(1)).first() is not None


def put_in_order(connection: Connection, most: int) -> list[Result]:
    """Give up to so many results that have none the next ordinals, by time, table and number; the results with them."""
    first = (connection.execute(select(func.max(results.c.ordinal))).scalar() or 0) + 1
    found = without_ordinal(connection, most)
    ordered = [replace(result, ordinal=ordinal) for ordinal, result in enumerate(found, first)]
    for result in ordered:
        same = (results.c.table_id == result.table, results.c.number == result.number)
        connection.execute(update(results).where(*same).values(ordinal=result.ordinal))
    return ordered


def fold(connection: Connection, version: int, book: Book, found: Sequence[Result]) -> int:
    """Enter these results, which have ordinals, and store their steps; the last ordinal."""
    add_steps(connection, step_rows(version, book, found))
    return found[-1].ordinal or 0


def step_rows(version: int, book: Book, found: Sequence[Result]) -> list[StepRow]:
    """Enter these results, which have ordinals; the rows of their steps."""
    rows: list[StepRow] = []
    for result in found:
        if steps := book.enter(result.ordinal or 0, result):
            company = _digest(steps[0].pool, steps[0].company)
            rows += [_step_row(version, company, step) for step in steps]
    return rows


def by_player(rows: list[StepRow]) -> list[StepRow]:
    """The rows by ``PLACE``: many of them, stored in this order, change few pages of the database."""
    return sorted(rows, key=_BY_PLAYER)


def add_steps(connection: Connection, rows: list[StepRow]) -> None:
    """Store the rows of steps: as tuples, which costs half of what the same rows do by their columns' names."""
    if rows:
        mark = "?" if connection.dialect.paramstyle == "qmark" else "%s"
        connection.exec_driver_sql(_ADD_STEPS.format(", ".join([mark] * len(rating_steps.c))), rows)


def book_for(connection: Connection, version: int, pinned: Pins, found: Sequence[Result]) -> Book:
    """A book with what these results touch."""
    book = Book(pinned)
    keys, companies = set[Key](), set[tuple[str, Company]]()
    for result in found:
        if result.rated:
            players = players_of(result)
            pool = pool_of(result, players)
            keys |= {(pool, player) for player in players}
            companies.add((pool, tuple(sorted(players))))
    book.standings.update(standings(connection, version, keys))
    for pool, company in sorted(companies):
        book.past[pool, company] = tuple(_past(connection, version, pool, company))
    return book


def standings(connection: Connection, version: int, keys: Collection[Key]) -> dict[Key, Standing]:
    """The standings of these players, of those who have one in this version."""
    found, key = {}, tuple_(rating_standings.c.pool, rating_standings.c.account, rating_standings.c.engine)
    for part in parts([(pool, *player) for pool, player in sorted(keys)]):
        wanted = select(rating_standings).where(rating_standings.c.version == version, key.in_(part))
        for row in connection.execute(wanted):
            standing = Standing(row.rating, row.rd, row.sigma, row.at, row.games)
            found[row.pool, Player(row.account, row.engine)] = standing
    return found


def put_standings(connection: Connection, version: int, book: Book, keys: Collection[Key]) -> None:
    """Store the standings of these players in place of those before."""
    key = tuple_(rating_standings.c.pool, rating_standings.c.account, rating_standings.c.engine)
    for part in parts([(pool, *player) for pool, player in sorted(keys)]):
        connection.execute(delete(rating_standings).where(rating_standings.c.version == version, key.in_(part)))
    add_standings(connection, version, book, keys)


def add_standings(connection: Connection, version: int, book: Book, keys: Collection[Key]) -> None:
    """Store the standings of players who have none in this version."""
    rows = [
        {"version": version, "pool": pool, **player._asdict(), **standing._asdict()}
        | {"ranked_until": ranked_until(pool, standing)}
        for pool, player in sorted(keys)
        for standing in (book.standings[pool, player],)
    ]
    for part in parts(rows):
        connection.execute(insert(rating_standings), part)


def begin(connection: Connection, now: float) -> int:
    """The number of a new version, which is empty and not current."""
    version: int = (connection.execute(select(func.max(rating_versions.c.version))).scalar() or 0) + 1
    row = {"version": version, "made_at": now, "basis": "", "ordinal": 0, "current": False}
    connection.execute(insert(rating_versions).values(row))
    return version


def advance(connection: Connection, version: int, last: int, follows_from: str) -> None:
    """The version holds all results up to the ordinal ``last`` now."""
    row = update(rating_versions).where(rating_versions.c.version == version)
    connection.execute(row.values(ordinal=last, basis=follows_from))


def make_current(connection: Connection, version: int) -> None:
    """Show this version from the commit on, and no other."""
    connection.execute(update(rating_versions).values(current=rating_versions.c.version == version))


def versions_before(connection: Connection, version: int) -> list[int]:
    """Versions that are older, and not current: they are nobody's any more."""
    older = (rating_versions.c.version < version, rating_versions.c.current.is_(False))
    return list(connection.execute(select(rating_versions.c.version).where(*older)).scalars())


def forget(connection: Connection, version: int, most: int) -> bool:
    """Delete so many steps of a version, by player; True if there are more. With the last ones it is gone."""
    of_it, place = rating_steps.c.version == version, [rating_steps.c[name] for name in PLACE]
    next_ones = select(*place).where(of_it).order_by(*place).offset(most).limit(1)
    first_left = connection.execute(next_ones).first()
    if first_left is not None:
        connection.execute(delete(rating_steps).where(of_it, tuple_(*place) < tuple_(*first_left)))
        return True
    connection.execute(delete(rating_steps).where(of_it))
    connection.execute(delete(rating_standings).where(rating_standings.c.version == version))
    connection.execute(delete(rating_versions).where(rating_versions.c.version == version))
    return False


def parts(rows: Sequence[T]) -> Iterator[list[T]]:
    """The rows in parts for one statement each."""
    for at in range(0, len(rows), PART):
        yield list(rows[at : at + PART])


def _past(connection: Connection, version: int, pool: str, company: Company) -> list[Past]:
    """The last games of these players that count with the next one, the oldest first."""
    of_it = (rating_steps.c.version == version, rating_steps.c.company == _digest(pool, company))
    wanted = select(rating_steps.c.ordinal, rating_steps.c.why).where(*of_it, rating_steps.c.why.in_(("", *BY_PAST)))
    wanted = wanted.distinct().order_by(rating_steps.c.ordinal.desc()).limit(REMEMBERED)
    whys = dict(map(tuple, connection.execute(wanted)))
    found = select(results).where(results.c.ordinal.in_(list(whys))).order_by(results.c.ordinal)
    return [past_of(read(row), counted=not whys[row.ordinal]) for row in connection.execute(found)]


def _digest(pool: str, company: Company) -> bytes:
    return sha256(repr((pool, [tuple(player) for player in company])).encode()).digest()[:16]


_ADD_STEPS: Final = f"INSERT INTO rating_steps ({', '.join(rating_steps.c.keys())}) VALUES ({{}})"
_BY_PLAYER: Final = itemgetter(*map(rating_steps.c.keys().index, PLACE))


def _step_row(version: int, company: bytes, step: Step) -> StepRow:
    ordinal, seat, pool, player, _, at, before, after, weight, why, flags = step
    return (version, ordinal, seat, pool, *player, company, at, *before, *after, weight, why, flags)
