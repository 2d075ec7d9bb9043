"""Links to finished private games in a database: one for each table, made by a player of its game.

A link is found by its key, which stands in its address. It is kept as it is, so that the players can be shown it again;
whoever reads the database reads the games themselves. Everything here blocks.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, delete, insert, select
from sqlalchemy.exc import IntegrityError

from gateway.store.engine import ReadsAndWrites
from gateway.store.schema import shares


@dataclass(frozen=True, slots=True)
class Share:
    """A link shows the events of a ``table`` up to ``seq``: a game that begins there later is not shown."""

    key: str
    table: int
    seq: int


class Shares(ReadsAndWrites):
    """Links over SQLite or PostgreSQL."""

    def share(self, made: Share, account: str, now: float) -> Share:
        """The table's link: ``made``, in place of one that shows an earlier game; else the one that is there.

        ``account`` is whose player asks, "" a guest's; with it the link ends.
        """
        row = {"key": made.key, "table_id": made.table, "seq": made.seq, "folded": account.casefold(), "made_at": now}
        earlier = (shares.c.table_id == made.table) & (shares.c.seq < made.seq)
        try:
            with self._writing.begin() as connection:
                connection.execute(delete(shares).where(earlier))
                connection.execute(insert(shares).values(**row))
        except IntegrityError:
            return self.of_table(made.table) or self.share(made, account, now)
        return made

    def take_back(self, table: int) -> None:
        """The table has no link any more. Idempotent."""
        with self._writing.begin() as connection:
            connection.execute(delete(shares).where(shares.c.table_id == table))

    def of_table(self, table: int) -> Share | None:
        """The table's link."""
        return self._found(shares.c.table_id == table)

    def find(self, key: str) -> Share | None:
        """The link with this key."""
        return self._found(shares.c.key == key)

    def _found(self, which: ColumnElement[bool]) -> Share | None:
        wanted = select(shares.c.key, shares.c.table_id, shares.c.seq).where(which)
        with self._reading.connect() as connection:
            row = connection.execute(wanted).first()
        return None if row is None else Share(*row)
