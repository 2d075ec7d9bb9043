"""The games that people have won, lost and drawn, by table: counted once from the record, and summed up in a query.

A row is derived: it is made for whoever asks first, and made anew when its table has gone on, the name has become an
account's, or a seat was kept. So a row that is missing, or cannot be written, is no loss. Everything here blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, delete, false, func, insert, select, union
from sqlalchemy.exc import IntegrityError

from gateway.store.batch import CLOSED
from gateway.store.engine import ReadsAndWrites
from gateway.store.schema import OVER, events, guest_seats, players, scores, tables

PAGE: Final = 1000
"""Tables that are looked at in one query."""

AT_ONCE: Final = 100
"""Rows of one transaction: moves wait for it on SQLite, some 3 ms."""


class Games(NamedTuple):
    """Numbers of games."""

    won: int
    lost: int
    drawn: int


@dataclass(frozen=True, slots=True)
class TableScore:
    """The games of a person at a ``table`` up to its event ``seq``: those against people, and those against house bots
    alone (``programs``). ``closed``: nothing more can happen there."""

    table: int
    seq: int
    closed: bool
    game: str
    private: bool
    people: Games
    programs: Games


class Uncounted(NamedTuple):
    """A table that is over and not counted yet up to its last event, ``seq``, with which it is ``closed`` or not."""

    table: int
    seq: int
    closed: bool


@dataclass(frozen=True, slots=True)
class Sums:
    """The games of a person by game: those against people, those against house bots alone."""

    people: dict[str, Games]
    programs: dict[str, Games]


class Scores(ReadsAndWrites):
    """Scores over SQLite or PostgreSQL. ``since`` is when the account of a name was made, Unix time; 0.0 a guest's."""

    def of(self, name: str, since: float, *, private: bool) -> Sums:
        """The sums of what is counted of this person, of private tables too with ``private``."""
        mine = (scores.c.folded == name.casefold()) & (scores.c.since == since)
        wanted = select(scores.c.game, *map(func.sum, _NUMBERS)).where(mine).group_by(scores.c.game)
        if not private:
            wanted = wanted.where(scores.c.private == false())
        with self._reading.connect() as connection:
            rows = sorted((game, [int(number) for number in numbers]) for game, *numbers in connection.execute(wanted))
        people, programs = ({game: Games(*numbers[at : at + 3]) for game, numbers in rows} for at in (0, 3))
        return Sums(people, programs)

    def uncounted(self, name: str, since: float, most: int) -> list[Uncounted]:
        """The newest tables of this person that are over and not counted yet."""
        found: list[Uncounted] = []
        with self._reading.connect() as connection:
            left = list(connection.execute(_not_final(name, since)).scalars())
            for at in range(0, len(left), PAGE):
                rows = connection.execute(_behind(name, since, left[at : at + PAGE]))
                found += [Uncounted(table, seq, kind == CLOSED) for table, seq, kind in rows]
                if len(found) >= most:
                    break
        return found[:most]

    def keep(self, name: str, since: float, counted: Sequence[TableScore]) -> None:
        """Keep these scores of the person, in place of older ones of the same tables."""
        folded = name.casefold()
        for at in range(0, len(counted), AT_ONCE):
            rows = [_row(folded, since, each) for each in counted[at : at + AT_ONCE]]
            same = (scores.c.folded == folded) & scores.c.table_id.in_([row["table_id"] for row in rows])
            with suppress(IntegrityError), self._writing.begin() as connection:  # another request has counted them
                connection.execute(delete(scores).where(same))
                connection.execute(insert(scores), rows)


_NUMBERS: Final = (
    *(scores.c.won, scores.c.lost, scores.c.drawn),
    *(scores.c.won_of_programs, scores.c.lost_to_programs, scores.c.drawn_with_programs),
)
"""The columns of the games against people, then of those against programs, each in the order of Games."""


def _not_final(name: str, since: float) -> Select[Any]:
    """All tables of the person, the newest first, but those that were counted when they were closed.

    No row of ``tables`` is looked at: PostgreSQL would read them all.
    """
    folded = name.casefold()
    sat = union(*(select(each.c.table_id).where(each.c.folded == folded) for each in (players, guest_seats))).subquery()
    counted = (scores.c.folded == folded) & (scores.c.table_id == sat.c.table_id) & (scores.c.since == since)
    joined = sat.outerjoin(scores, counted & scores.c.closed)
    return select(sat.c.table_id).select_from(joined).where(scores.c.seq.is_(None)).order_by(sat.c.table_id.desc())


def _behind(name: str, since: float, numbers: Sequence[int]) -> Select[Any]:
    """Tables, of these, that are over and have gone on since they were counted, with their last event's kind."""
    counted = (scores.c.folded == name.casefold()) & (scores.c.table_id == tables.c.id) & (scores.c.since == since)
    last = (events.c.table_id == tables.c.id) & (events.c.seq == tables.c.last_seq)
    joined = tables.join(events, last).outerjoin(scores, counted & (scores.c.seq == tables.c.last_seq))
    wanted = select(tables.c.id, tables.c.last_seq, events.c.kind).select_from(joined)
    wanted = wanted.where(tables.c.id.in_(numbers), tables.c.status == OVER, scores.c.seq.is_(None))
    return wanted.order_by(tables.c.id.desc())


def _row(folded: str, since: float, score: TableScore) -> dict[str, Any]:
    numbers = zip(_NUMBERS, (*score.people, *score.programs), strict=True)
    about = {
        "table_id": score.table,
        "seq": score.seq,
        "game": score.game,
        "private": score.private,
        "closed": score.closed,
    }
    return {"folded": folded, "since": since} | about | {column.name: number for column, number in numbers}
