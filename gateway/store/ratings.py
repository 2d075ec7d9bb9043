"""Ratings in the database: results get their ordinals, and steps and standings follow, in one transaction.

The ordinals are the only order: a result that was committed late, or at a node whose clock is wrong, gets a later one,
and keeps it. A rebuild folds the results by their ordinals into a new version, bit by bit the same, which becomes the
current one in one statement. Everything here blocks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final, Literal

from sqlalchemy import Connection, func, select

from gateway.ratings.book import Book, Pins, Standing
from gateway.ratings.known import Key
from gateway.store import acts, rating_rows
from gateway.store.engine import SESSION, Reads, writer_engine
from gateway.store.nodes import Holder
from gateway.store.rating_rows import StepRow, Version
from gateway.store.rating_schema import results
from gateway.store.schema import RATINGS, roles

AT_ONCE: Final = 100
"""Results of one transaction: moves wait for it on SQLite, some milliseconds."""

FOLDED: Final = 200
"""Results that a rebuild folds between two pauses, without a transaction: some 20 ms in which little else is done."""

STORED: Final = 1000
"""Steps of one transaction of a rebuild, some 20 ms."""

SORTED: Final = 40_000
"""Steps that a rebuild stores in the order of players, some 25 MiB: then a transaction changes half as many pages."""

Look = Literal["", "new", "stale"]
"""The work there is: none, results wait, or the ratings do not follow from what there is any more."""

Progress = Callable[[int, int], None]
"""Told how many results are folded, and how many there are."""


class NotHeld(Exception):
    """Another node counts the results now. Nothing was changed."""


class Stale(Exception):
    """No ratings were made yet, or a pin, an annulment or the formula has changed. Nothing was changed: rebuild."""


class SqlRatings(Reads):
    """Ratings over SQLite or PostgreSQL, for whoever counts: the node with the role, or a command."""

    def __init__(self, url: str, session: str = SESSION) -> None:
        """``session`` is the name of the node's sessions: whoever buries the node ends them."""
        super().__init__(url)
        self._writing = writer_engine(url, session)

    def close(self) -> None:
        """Let its connections go. Idempotent."""
        super().close()
        self._writing.dispose()

    def look(self) -> Look:
        """Find the work there is, without a lock."""
        with self._reading.connect() as connection:
            version = rating_rows.current(connection)
            if version is None or version.basis != _basis(connection, version.ordinal):
                return "stale"
            return "new" if rating_rows.waits(connection) else ""

    def count(self, held: Holder | None, most: int = AT_ONCE) -> int:
        """Rate up to so many results that wait; how many there were. NotHeld, Stale.

        ``held`` is the role as this node took it; None: of a command, whoever has the role.
        """
        with self._writing.begin() as connection:
            _hold(connection, held)
            version = rating_rows.current(connection)
            if version is None:
                raise Stale
            pins, annulled = rating_rows.pins(connection), rating_rows.annulled(connection, version.ordinal)
            if version.basis != rating_rows.basis(pins, annulled):
                raise Stale
            found = rating_rows.put_in_order(connection, most)
            if found:
                book = rating_rows.book_for(connection, version.version, pins, found)
                before = dict(book.standings)
                last = rating_rows.fold(connection, version.version, book, found)
                rating_rows.put_standings(connection, version.version, book, _changed(before, book))
                annulled += [result.ordinal or 0 for result in found if result.annulled_at is not None]
                rating_rows.advance(connection, version.version, last, rating_rows.basis(pins, annulled))
            return len(found)

    def pins(self) -> Pins:
        """The pinned engines, by pool and name."""
        with self._reading.connect() as connection:
            return rating_rows.pins(connection)

    def pin(self, pool: str, engine: str, rating: float | None, by: str) -> None:
        """Pin an engine of the house in a pool, which makes all ratings anew; with None it is pinned no more.

        ``by`` did it, and it is noted.
        """
        act: acts.Kind = "rating.unpinned" if rating is None else "rating.pinned"
        with self._writing.begin() as connection:
            rating_rows.pin(connection, pool, engine, rating)
            acts.note(connection, acts.made(time.time(), by, act, f"{engine} in {pool}", rating=rating))

    def rebuild(self, held: Holder | None, now: float, progress: Progress, pause: Callable[[], None]) -> Version:
        """Make all ratings anew from the results that have ordinals; the version that is current then. NotHeld.

        ``pause`` is called between two transactions. What is annulled or pinned meanwhile makes it begin again.
        """
        made = None
        while made is None:
            with self._writing.begin() as connection:
                _hold(connection, held)
                version = rating_rows.begin(connection, now)
            made = self._made(version, held, progress, pause)
        self._forget_before(made.version, pause)
        return made

    def _made(self, version: int, held: Holder | None, progress: Progress, pause: Callable[[], None]) -> Version | None:
        """Fill this version and make it current, unless a newer one is. None: what it follows from has changed."""
        with self._reading.connect() as connection:
            book = Book(pins := rating_rows.pins(connection))
            whole = connection.execute(select(func.count(results.c.ordinal))).scalar_one()
        done, last, more, annulled, rows = 0, 0, True, list[int](), list[StepRow]()
        while more:
            with self._reading.connect() as connection:
                found = rating_rows.by_ordinal(connection, last, FOLDED)
            rows += rating_rows.step_rows(version, book, found)
            annulled += [result.ordinal or 0 for result in found if result.annulled_at is not None]
            done, last, more = done + len(found), found[-1].ordinal or 0 if found else last, len(found) == FOLDED
            progress(done, max(done, whole))
            pause()
            if len(rows) >= SORTED or not more:
                self._add(rating_rows.by_player(rows), pause)
                rows.clear()
        before = dict(book.standings)
        for part in rating_rows.parts(list(before)):
            with self._writing.begin() as connection:
                rating_rows.add_standings(connection, version, book, part)
            pause()
        with self._writing.begin() as connection:
            _hold(connection, held)
            newest = rating_rows.current(connection)
            if newest is not None and newest.version > version:
                return newest
            while found := rating_rows.by_ordinal(connection, last, AT_ONCE):
                last = rating_rows.fold(connection, version, book, found)
                annulled += [result.ordinal or 0 for result in found if result.annulled_at is not None]
            rating_rows.put_standings(connection, version, book, _changed(before, book))
            rating_rows.advance(connection, version, last, follows := rating_rows.basis(pins, annulled))
            if follows != _basis(connection, last):
                return None
            rating_rows.make_current(connection, version)
            return rating_rows.current(connection)

    def _add(self, rows: list[StepRow], pause: Callable[[], None]) -> None:
        for at in range(0, len(rows), STORED):
            with self._writing.begin() as connection:
                rating_rows.add_steps(connection, rows[at : at + STORED])
            pause()

    def _forget_before(self, version: int, pause: Callable[[], None]) -> None:
        """Delete older versions, a few rows at a time."""
        with self._reading.connect() as connection:
            older = rating_rows.versions_before(connection, version)
        for number in older:
            more = True
            while more:
                with self._writing.begin() as connection:
                    more = rating_rows.forget(connection, number, STORED)
                pause()


def _changed(before: Mapping[Key, Standing], book: Book) -> list[Key]:
    return [key for key, standing in book.standings.items() if before.get(key) != standing]


def _basis(connection: Connection, last: int) -> str:
    return rating_rows.basis(rating_rows.pins(connection), rating_rows.annulled(connection, last))


def _hold(connection: Connection, held: Holder | None) -> None:
    """Lock the row of the role until the commit. NotHeld: another has it."""
    row = connection.execute(select(roles.c.node, roles.c.epoch).where(roles.c.role == RATINGS).with_for_update()).one()
    if held is not None and (row.node or 0, row.epoch) != held:
        raise NotHeld
