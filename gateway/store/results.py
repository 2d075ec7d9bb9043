"""The results of games as facts: one row a game, stored with the event that ended it (batch.py).

Nothing in a row changes but its ordinal, which the node that rates gives it once, and whether the host has annulled it:
that is an act with who and why (acts.py), and can be taken back. Everything here blocks.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, Table, func, insert, null, select, text, true, update

from gateway.store import acts
from gateway.store.engine import ReadsAndWrites
from gateway.store.rating_schema import result_players, results
from gateway.store.records import EventRow, Player, Result
from gateway.store.schema import events, tables
from protocols.core.errors import BoardgateError
from protocols.core.events import GameEnded, GameStarted

RATED: Final = '"rated":true'
"""Text in the event that begins a rated game (codec.py)."""

PAGE: Final = 1000
"""Rows read at once, as in views.py."""


class NoResult(BoardgateError):
    """No such game has ended, or it is annulled already, or is not."""


_players = msgspec.json.Decoder(tuple[Player, ...])
_places = msgspec.json.Decoder(tuple[int, ...])
_json = msgspec.json.Encoder().encode


def placed(result: Result, end: EventRow, started_at: float) -> Result:
    """The result with its place in the record: ``end`` is the event that ended the game."""
    return replace(result, seq=end.seq, at=end.at, digest=end.digest, started_at=started_at)


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


def has_rated(connection: Connection, name: str) -> bool:
    """True if a rated game of this account has ended."""
    game = (result_players.c.table_id == results.c.table_id) & (result_players.c.number == results.c.number)
    mine = select(results.c.table_id).join(result_players, game)
    mine = mine.where(result_players.c.player == name.casefold(), results.c.rated)
    return connection.execute(mine.limit(1)).first() is not None


def read(row: Sequence[Any]) -> Result:
    """The result of a whole row, its columns in the schema's order. ValueError when a list in it is none."""
    values = [*row]
    values[11:13] = _players.decode(row[11]), _places.decode(row[12])
    return Result(*values)


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

    def newest(self, game: str, width: int, most: int, among: int) -> list[Result]:
        """The newest games of this game on boards of this width, 0 any, by falling (table, number).

        Older ones than the newest ``among`` of all games are not looked at: that bounds what is read.
        """
        order = results.c.table_id.desc(), results.c.number.desc()
        newest = select(results.c.table_id, results.c.number).order_by(*order).limit(among).subquery()
        same = (newest.c.table_id == results.c.table_id) & (newest.c.number == results.c.number)
        wanted = select(results).join(newest, same).where(results.c.game == game)
        if width:
            wanted = wanted.where(results.c.width == width)
        with self._reading.connect() as connection:
            return _all(connection, wanted.order_by(*order).limit(most))

    def tables(self, after: int, most: int) -> list[int]:
        """The next tables behind ``after``, by rising id."""
        wanted = select(tables.c.id).where(tables.c.id > after).order_by(tables.c.id).limit(most)
        with self._reading.connect() as connection:
            return list(connection.execute(wanted).scalars())

    def lacking(self, numbers: Sequence[int]) -> list[int]:
        """The tables, of these, where a rated game was played, and games have ended that have no row; by rising id."""
        rated = (events.c.kind == GameStarted.__name__) & events.c.body.contains(RATED, autoescape=True)
        ended = events.c.kind == GameEnded.__name__
        with self._reading.connect() as connection:
            of_rated = select(events.c.table_id).distinct().where(events.c.table_id.in_(numbers), rated)
            found = list(connection.execute(of_rated.order_by(events.c.table_id)).scalars())
            games = _counted(connection, events, found, ended)
            kept = _counted(connection, results, found, true())
        return [table for table in found if games.get(table, 0) > kept.get(table, 0)]

    def keep(self, made: Sequence[Result]) -> int:
        """Add the rows of these games that have none; their number."""
        count = 0
        with self._writing.begin() as connection:
            for each in made:
                names = [column.name for column in results.columns]
                if connection.execute(_KEEP, dict(zip(names, columns(each), strict=True))).rowcount:
                    count += 1
                    for player in players_of(each):
                        connection.execute(
                            insert(result_players).values(player=player, table_id=each.table, number=each.number)
                        )
        return count

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


_KEEP: Final = text(
    f"INSERT INTO results ({', '.join(column.name for column in results.columns)})"
    f" VALUES ({', '.join(f':{column.name}' for column in results.columns)}) ON CONFLICT DO NOTHING"
)


def _counted(
    connection: Connection, table: Table, numbers: Sequence[int], those: ColumnElement[bool]
) -> dict[int, int]:
    """By table the number of rows, of those."""
    wanted = select(table.c.table_id, func.count()).where(table.c.table_id.in_(numbers), those)
    return {int(number): count for number, count in connection.execute(wanted.group_by(table.c.table_id))}


def _one(connection: Connection, table: int, number: int) -> Result | None:
    row = connection.execute(select(results).where(results.c.table_id == table, results.c.number == number)).first()
    return None if row is None else read(row)


def _why_not(found: Result | None, table: int, number: int) -> str:
    if found is None:
        return f"there is no finished game {number} of table {table}"
    return (
        f"game {number} of table {table} is {'annulled already' if found.annulled_at is not None else 'not annulled'}"
    )
