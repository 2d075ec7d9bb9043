"""Messages that wait to be sent: rows of a table, each of which one caller alone gets, also where several nodes ask.

A row has the columns ``tries``, ``due_at``, when to try next, and ``until``, when it is given up. Whoever moves
``due_at`` on may send. Everything here blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Protocol

from sqlalchemy import ColumnElement, Connection, Table, delete, update

from gateway.store.engine import ReadsAndWrites


class Waits(Protocol):
    """A row as it was read; ``key`` are the columns that find it again, until a newer message takes its place."""

    @property
    def key(self) -> Mapping[str, object]: ...

    @property
    def tries(self) -> int: ...

    @property
    def due_at(self) -> float: ...


class Queued(ReadsAndWrites):
    """A store that has such a table."""

    waiting: ClassVar[Table]

    def claim(self, message: Waits, again_at: float) -> bool:
        """True if the caller is the one that sends it now. If it says no more, it is tried again at ``again_at``."""
        wanted = update(self.waiting).where(*self._is(message), self.waiting.c.due_at == message.due_at)
        with self._writing.begin() as connection:
            return connection.execute(wanted.values(due_at=again_at, tries=message.tries + 1)).rowcount == 1

    def put_off(self, message: Waits, until: float) -> None:
        """Try it again then."""
        with self._writing.begin() as connection:
            connection.execute(update(self.waiting).where(*self._is(message)).values(due_at=until))

    def done(self, message: Waits) -> None:
        """Forget a message that was sent, or is given up."""
        with self._writing.begin() as connection:
            connection.execute(delete(self.waiting).where(*self._is(message)))

    def _is(self, message: Waits) -> list[ColumnElement[bool]]:
        return [self.waiting.c[name] == value for name, value in message.key.items()]

    def give_up(self, connection: Connection, now: float) -> None:
        """Forget what was to be sent until now, such as messages of a way that the settings have turned off."""
        connection.execute(delete(self.waiting).where(self.waiting.c.until <= now))
