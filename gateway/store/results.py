"""The results of games as facts: one row a game, stored with the event that ended it (batch.py).

Nothing in a row changes but its ordinal, which the node that rates gives it once, and whether the host has annulled it:
that is an act with who and why (acts.py), and can be taken back. Everything here blocks.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Row, Select, null, select, update

from gateway.store import acts
from gateway.store.engine import ReadsAndWrites
from gateway.store.rating_schema import result_players, results
from gateway.store.records import Player, Result
from protocols.core.errors import BoardgateError

PAGE: Final = 1000
"""Rows read at once, as in views.py."""


class NoResult(BoardgateError):
    """No such game has ended, or it is annulled already, or is not."""


_players = msgspec.json.Decoder(tuple[Player, ...])
_places = msgspec.json.Decoder(tuple[int, ...])
_json = msgspec.json.Encoder().encode


def columns(result: Result) -> tuple[object, ...]:
    """The result as a row, in the order of the schema's columns."""
    return (
        *(result.table, result.number, result.seq, result.at, result.digest, result.started_at),
        *(result.game, result.variant, result.width, result.rated, result.reason),
        *(_json(result.players).decode(), _json(result.places).decode(), result.plies, result.fewest),
        *(result.opening, result.why, result.related, result.ordinal, result.annulled_at),
    )


def players_of(result: Result) -> list[str]:
    """The accounts and engines that the game is found by: an account's engine is found by the account."""
    return sorted({player.account or player.engine for player in result.players} - {""})


def read(row: Row[Any]) -> Result:
    """The result of a whole row of the table. ValueError when a list in it is none."""
    found = dict(row._mapping)
    players, places = _players.decode(found.pop("players")), _places.decode(found.pop("places"))
    return Result(table=found.pop("table_id"), players=players, places=places, **found)


def without_ordinal(connection: Connection, most: int) -> list[Result]:
    """The games that no ordinal has been given to, by (at, table, number), ``most`` at most."""
    wanted = select(results).where(results.c.ordinal.is_(None))
    return _all(connection, wanted.order_by(results.c.at, results.c.table_id, results.c.number).limit(most))


def by_ordinal(connection: Connection, after: int, most: int) -> list[Result]:
    """The next games behind this ordinal, by rising ordinal, annulled ones included."""
    wanted = select(results).where(results.c.ordinal > after).order_by(results.c.ordinal).limit(most)
    return _all(connection, wanted)


def _all(connection: Connection, wanted: Select[Any]) -> list[Result]:
    return [read(row) for row in connection.execute(wanted)]


class Results(ReadsAndWrites):
    """The results in a database, SQLite or PostgreSQL; may be used from several threads."""

    def one(self, table: int, number: int) -> Result | None:
        """This game of this table; None: it has not ended, or there is none."""
        with self._reading.connect() as connection:
            return _one(connection, table, number)

    def of_table(self, table: int) -> list[Result]:
        """The games of this table that have ended, the first one first."""
        wanted = select(results).where(results.c.table_id == table).order_by(results.c.number)
        with self._reading.connect() as connection:
            return _all(connection, wanted)

    def of_player(self, player: str, most: int, before: tuple[int, int] | None = None) -> list[Result]:
        """The newest games of an account, by its name in any letter case, or of an engine, by (table, number).

        ``before``: those before this one, for the next page.
        """
        mine = result_players.c
        same = (mine.table_id == results.c.table_id) & (mine.number == results.c.number)
        wanted = select(results).join(result_players, same).where(mine.player.in_({player, player.casefold()}))
        if before is not None:
            table, number = before
            wanted = wanted.where((mine.table_id < table) | ((mine.table_id == table) & (mine.number < number)))
        with self._reading.connect() as connection:
            return _all(connection, wanted.order_by(mine.table_id.desc(), mine.number.desc()).limit(most))

    def new(self, most: int = PAGE) -> list[Result]:
        """The games that ``without_ordinal`` finds."""
        with self._reading.connect() as connection:
            return without_ordinal(connection, most)

    def in_order(self, after: int = 0) -> Iterator[Result]:
        """All games that have an ordinal behind this one, by rising ordinal, page by page."""
        while True:
            with self._reading.connect() as connection:
                page = by_ordinal(connection, after, PAGE)
            yield from page
            if len(page) < PAGE or (last := page[-1].ordinal) is None:
                return
            after = last

    def annul(self, table: int, number: int, by: str, reason: str) -> Result:
        """The game counts for nobody from now on; the game as it is then. NoResult: it is annulled, or there is none.

        ``by`` did it for this ``reason``: both are noted.
        """
        return self._set(table, number, "result.annulled", by, reason, time.time())

    def unannul(self, table: int, number: int, by: str, reason: str = "") -> Result:
        """The game counts as before; the game as it is then. NoResult: it is not annulled, or there is none."""
        return self._set(table, number, "result.unannulled", by, reason, None)

    def _set(self, table: int, number: int, act: acts.Kind, by: str, reason: str, at: float | None) -> Result:
        this = (results.c.table_id == table) & (results.c.number == number)
        other = results.c.annulled_at.is_(None) if at is not None else results.c.annulled_at.is_not(None)
        with self._writing.begin() as connection:
            set_ = update(results).where(this, other).values(annulled_at=null() if at is None else at)
            if not connection.execute(set_).rowcount:
                raise NoResult(_why_not(_one(connection, table, number), table, number))
            acts.note(connection, acts.made(time.time(), by, act, f"table {table}/{number}", reason=reason or None))
            found = _one(connection, table, number)
        assert found is not None, "it was changed just now"
        return found


def _one(connection: Connection, table: int, number: int) -> Result | None:
    row = connection.execute(select(results).where(results.c.table_id == table, results.c.number == number)).first()
    return None if row is None else read(row)


def _why_not(found: Result | None, table: int, number: int) -> str:
    if found is None:
        return f"there is no finished game {number} of table {table}"
    return (
        f"game {number} of table {table} is {'annulled already' if found.annulled_at is not None else 'not annulled'}"
    )


def rows_of(made: Sequence[Result]) -> tuple[list[object], list[object]]:
    """The columns of ``results`` and of ``result_players``, each as one flat list (batch.py)."""
    flat = [column for result in made for column in columns(result)]
    found = [(player, result.table, result.number) for result in made for player in players_of(result)]
    return flat, [column for row in found for column in row]
