"""Who is banned, in a database: networks and names, for how long and why, and who changed that when.

Not here: what a ban means to a connection (gateway.server.barred), and which targets make sense (gateway.lobby.banned).
Every change adds a row to ban_changes in the same transaction. Reading and writing block.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal, Protocol

from sqlalchemy import Connection, delete, insert, or_, select

from gateway.store.engine import reader_engine, writer_engine
from gateway.store.schema import ban_changes, bans
from protocols.core.errors import BoardgateError

Kind = Literal["network", "name"]


@dataclass(frozen=True, slots=True)
class Ban:
    """``target`` is a network ("192.0.2.0/24") or a name; ``ends_at`` is Unix time in seconds, None: never."""

    kind: Kind
    target: str
    reason: str
    ends_at: float | None = None


@dataclass(frozen=True, slots=True)
class BanChange:
    """``change`` is "added" or "removed", with the ban as it stood then; ``by`` is who did it."""

    at: float
    ban: Ban
    change: str
    by: str


class NoBan(BoardgateError):
    """This is not banned."""


class Bans(Protocol):
    """What a server and the command line need of bans. The SQL one and the twin in memory both offer it."""

    def add(self, ban: Ban, by: str) -> None:
        """A ban, in place of an older one of the same target."""

    def remove(self, kind: Kind, target: str, by: str) -> None:
        """NoBan: there is none of this target, ended ones included."""

    def current(self, now: float) -> list[Ban]:
        """Those that have not ended, by target."""

    def changes(self) -> list[BanChange]:
        """Everything that was ever done, the oldest first."""

    def close(self) -> None:
        """Idempotent."""


class SqlBans:
    """Bans over SQLite or PostgreSQL; several processes may use them at once."""

    def __init__(self, url: str) -> None:
        self._writing = writer_engine(url)
        self._reading = reader_engine(url)

    def add(self, ban: Ban, by: str) -> None:
        now = time.time()
        row = {"kind": ban.kind, "target": ban.target, "reason": ban.reason, "ends_at": ban.ends_at}
        with self._writing.begin() as connection:
            _delete(connection, ban.kind, ban.target)
            connection.execute(insert(bans).values(**row, created_at=now))
            connection.execute(insert(ban_changes).values(**row, at=now, change="added", by=by))

    def remove(self, kind: Kind, target: str, by: str) -> None:
        columns = (bans.c.kind, bans.c.target, bans.c.reason, bans.c.ends_at)
        with self._writing.begin() as connection:
            found = connection.execute(select(*columns).where(bans.c.kind == kind, bans.c.target == target)).first()
            if found is None:
                raise NoBan(f"{target} is not banned")
            _delete(connection, kind, target)
            connection.execute(insert(ban_changes).values(**found._mapping, at=time.time(), change="removed", by=by))

    def current(self, now: float) -> list[Ban]:
        columns = (bans.c.kind, bans.c.target, bans.c.reason, bans.c.ends_at)
        lasting = or_(bans.c.ends_at.is_(None), bans.c.ends_at > now)
        with self._reading.connect() as connection:
            found = connection.execute(select(*columns).where(lasting).order_by(bans.c.kind, bans.c.target))
            return [Ban(*row) for row in found]

    def changes(self) -> list[BanChange]:
        wanted = select(ban_changes).order_by(ban_changes.c.id)
        with self._reading.connect() as connection:
            return [
                BanChange(row.at, Ban(row.kind, row.target, row.reason, row.ends_at), row.change, row.by)
                for row in connection.execute(wanted)
            ]

    def close(self) -> None:
        self._reading.dispose()
        self._writing.dispose()


class MemoryBans:
    """The twin of SqlBans: for servers of tests, and for nothing that must survive."""

    def __init__(self) -> None:
        self._bans: dict[tuple[str, str], Ban] = {}
        self._changes: list[BanChange] = []

    def add(self, ban: Ban, by: str) -> None:
        self._bans[ban.kind, ban.target] = ban
        self._changes.append(BanChange(time.time(), ban, "added", by))

    def remove(self, kind: Kind, target: str, by: str) -> None:
        ban = self._bans.pop((kind, target), None)
        if ban is None:
            raise NoBan(f"{target} is not banned")
        self._changes.append(BanChange(time.time(), ban, "removed", by))

    def current(self, now: float) -> list[Ban]:
        lasting = (ban for ban in self._bans.values() if ban.ends_at is None or ban.ends_at > now)
        return sorted(lasting, key=lambda ban: (ban.kind, ban.target))

    def changes(self) -> list[BanChange]:
        return list(self._changes)

    def close(self) -> None:
        """Nothing is held."""


def _delete(connection: Connection, kind: Kind, target: str) -> None:
    connection.execute(delete(bans).where(bans.c.kind == kind, bans.c.target == target))
