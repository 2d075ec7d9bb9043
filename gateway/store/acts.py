"""The log of acts with a host's rights: one table, in which rows are only ever added.

An act is noted in the transaction of what it changes, where that is in the database: what failed leaves no row.

What a row tells is the list of NIST SP 800-53, AU-3: what happened (``act``: a category, a dot, and what became of it,
as audit logs of services write it), when (``at``), whose doing it was and from where (``by``), to which ``object``, and
``detail``. There is no outcome: it would be the same in every row. Everything here blocks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final, Literal, get_args

from sqlalchemy import Connection, Engine, insert, or_, select

from gateway.store.engine import Reads
from gateway.store.records import Act
from gateway.store.schema import acts

Kind = Literal[
    "account.added",
    "account.password",
    "account.disabled",
    "account.enabled",
    "account.revoked",
    "account.deleted",
    "account.invited",
    "account.link",
    "account.token",
    "account.token_ended",
    "account.bot",
    "account.person",
    "account.reset",
    "account.linked",
    "account.unlinked",
    "account.sessions_ended",
    "account.exported",
    "ban.added",
    "ban.removed",
    "games.deleted",
    "table.registered",
    "table.ended",
    "result.annulled",
    "result.unannulled",
    "rating.pinned",
    "rating.unpinned",
    "host.signed_in",
    "report.made",
    "report.closed",
    "drain.begun",
    "drain.ended",
    "backup.made",
    "backup.restored",
    "database.copied",
    "schema.migrated",
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
CATEGORIES: Final = tuple(dict.fromkeys(kind.partition(".")[0] for kind in KINDS))

SERVER: Final = "server"
"""The name under which a server acts by its own settings."""

_ACT: Final = (acts.c.at, acts.c.by, acts.c.act, acts.c.object, acts.c.detail, acts.c.id)
"""The columns of Act, in its order."""

PAGE: Final = 1000
"""Rows read at once, as in views.py."""


def made(at: float, by: str, act: Kind, object_: str, **detail: str | float | None) -> Act:
    """An act to be noted. Of the ``detail`` what is None is left out; names that end in "_at" are of Unix times."""
    told = {name: value for name, value in detail.items() if value is not None}
    return Act(at, by, act, object_, json.dumps(told, ensure_ascii=False, separators=(",", ":")))


def note(connection: Connection, act: Act) -> None:
    """Add a row in the connection's transaction."""
    row = {"at": act.at, "by": act.by, "act": act.act, "object": act.object, "detail": act.detail}
    connection.execute(insert(acts).values(**row))


def note_once(connection: Connection, act: Act) -> None:
    """Note an act unless it is there already: an act is never done twice at the same moment."""
    same = (acts.c.at == act.at, acts.c.by == act.by, acts.c.act == act.act, acts.c.object == act.object)
    if connection.execute(select(acts.c.id).where(*same)).first() is None:
        note(connection, act)


def all_of(engine: Engine, of: str = "", since: float | None = None) -> Iterator[Act]:
    """The oldest first, page by page. ``of`` is a kind or a category ("ban"), "" all; ``since`` is Unix time."""
    wanted = select(*_ACT)
    if of:
        wanted = wanted.where(or_(acts.c.act == of, acts.c.act.startswith(f"{of}.", autoescape=True)))
    if since is not None:
        wanted = wanted.where(acts.c.at >= since)
    wanted, after = wanted.order_by(acts.c.id).limit(PAGE), 0
    while True:
        with engine.connect() as connection:
            page = connection.execute(wanted.where(acts.c.id > after)).all()
        yield from (Act(*row) for row in page)
        if len(page) < PAGE:
            return
        after = page[-1].id


class ActLog(Reads):
    """The acts of one database, for reading."""

    def acts(self, of: str = "", since: float | None = None) -> Iterator[Act]:
        """The acts that ``all_of`` finds."""
        return all_of(self._reading, of, since)

    def last(self, kind: Kind) -> Act | None:
        """The newest act of this kind; None: there is none."""
        found = select(*_ACT).where(acts.c.act == kind).order_by(acts.c.at.desc(), acts.c.id.desc()).limit(1)
        with self._reading.connect() as connection:
            row = connection.execute(found).first()
        return None if row is None else Act(*row)

    def newest(self, limit: int) -> list[Act]:
        """The last acts, the newest first."""
        with self._reading.connect() as connection:
            return [Act(*row) for row in connection.execute(select(*_ACT).order_by(acts.c.id.desc()).limit(limit))]
