"""Bans in a database: networks and names, with end and reason, and a log of changes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final, Literal, Protocol

import msgspec
from sqlalchemy import Connection, delete, insert, or_, select

from gateway.store import acts
from gateway.store.engine import ReadsAndWrites
from gateway.store.records import Act
from gateway.store.schema import bans
from protocols.core.errors import BoardgateError

Kind = Literal["network", "name"]

LONGEST_REASON: Final = 200
"""Characters of a reason: it is told in one line of any dialect."""


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


_BAN: Final = (bans.c.kind, bans.c.target, bans.c.reason, bans.c.ends_at)
"""The columns of Ban, in its order."""


class NoBan(BoardgateError):
    """No ban is in force for this."""


class Bans(Protocol):
    """Bans as a server and the command line use them: in SQL, or the twin in memory."""

    def add(self, ban: Ban, by: str) -> None:
        """A ban, in place of an older one of the same target."""

    def remove(self, kind: Kind, target: str, by: str) -> None:
        """NoBan: there is none of this target, ended ones included."""

    def current(self, now: float) -> list[Ban]:
        """The bans that have not ended, by target."""

    def changes(self) -> list[BanChange]:
        """Everything that was ever done, the oldest first."""

    def close(self) -> None:
        """Idempotent."""


class SqlBans(ReadsAndWrites):
    """Bans over SQLite or PostgreSQL."""

    def add(self, ban: Ban, by: str) -> None:
        now = time.time()
        row = {"kind": ban.kind, "target": ban.target, "reason": ban.reason, "ends_at": ban.ends_at}
        with self._writing.begin() as connection:
            _delete(connection, ban.kind, ban.target)
            connection.execute(insert(bans).values(**row, created_at=now))
            acts.note(connection, _noted(now, by, "ban.added", ban))

    def remove(self, kind: Kind, target: str, by: str) -> None:
        with self._writing.begin() as connection:
            found = connection.execute(select(*_BAN).where(bans.c.kind == kind, bans.c.target == target)).first()
            if found is None:
                raise NoBan(f"{target} is not banned")
            _delete(connection, kind, target)
            acts.note(connection, _noted(time.time(), by, "ban.removed", Ban(*found)))

    def current(self, now: float) -> list[Ban]:
        lasting = or_(bans.c.ends_at.is_(None), bans.c.ends_at > now)
        with self._reading.connect() as connection:
            found = connection.execute(select(*_BAN).where(lasting).order_by(bans.c.kind, bans.c.target))
            return [Ban(*row) for row in found]

    def changes(self) -> list[BanChange]:
        return [_read(act) for act in acts.all_of(self._reading, "ban")]


class _Detail(msgspec.Struct):
    """The log's detail of a ban beside its target."""

    kind: Kind
    reason: str
    ends_at: float | None = None


def _noted(at: float, by: str, act: acts.Kind, ban: Ban) -> Act:
    return acts.made(at, by, act, ban.target, kind=ban.kind, reason=ban.reason, ends_at=ban.ends_at)


def _read(act: Act) -> BanChange:
    found = msgspec.json.decode(act.detail, type=_Detail)
    ban = Ban(found.kind, act.object, found.reason, found.ends_at)
    return BanChange(act.at, ban, act.act.partition(".")[2], act.by)


def _delete(connection: Connection, kind: Kind, target: str) -> None:
    connection.execute(delete(bans).where(bans.c.kind == kind, bans.c.target == target))
