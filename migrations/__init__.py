"""The schema's history: brings a database to the one gateway/store/schema.py describes.

Alembic is configured in code; there is no ini file. It is imported only when there is
something to do, for it costs more start-up time than the rest of the record together.

A revision is called by its number, "0009", or, if its step only adds what an older version need not know, by its number
and the oldest schema whose servers can use it: "0010_0009". So a server sees by the name alone that it can go on, and
several are upgraded one after another. docs/decisions/store.md says what such a step may do.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from sqlalchemy import Column, Connection, MetaData, String, Table, inspect, make_url, select

from gateway.store import acts
from gateway.store.engine import DatabaseInUse, FileLock, database_path, is_sqlite, reader_engine, writer_engine
from gateway.store.living import living_servers
from gateway.store.schema import LASTING
from gateway.store.sqlite_copies import NoRoom, copy_aside, drop_older
from protocols.core.errors import BoardgateError

HEAD: Final = "0025_0010"
"""The newest revision, so that a server can see that it is current without loading Alembic."""

_version = Table("alembic_version", MetaData(), Column("version_num", String(32)))


class NotUsable(BoardgateError):
    """The database is not there, or of another version; the text says which, and what to do."""


class TooNew(NotUsable):
    """A newer version of Boardgate has changed the database. To start again does not help."""

    exit_status = 78
    """EX_CONFIG of sysexits.h: service managers start nothing again that has ended so."""


def is_usable(url: str) -> bool:
    """Whether this version can use the database: its schema is HEAD, or newer by additions only. Changes nothing."""
    found = revision(url)
    return found is not None and can_use(found)


def require_usable(url: str) -> None:
    """NotUsable: this version cannot use the database. Changes nothing, creates nothing."""
    found = revision(url)
    if found is None or not can_use(found):
        raise why_not(url, found)


def why_not(url: str, found: str | None) -> NotUsable:
    """The reason why this version cannot use a database with schema ``found``, None: with none."""
    shown = make_url(url).render_as_string(hide_password=True)
    if found is None and is_sqlite(url) and not (file := Path(database_path(url)).absolute()).exists():
        return NotUsable(
            f"there is no database at {file}: say where the server's is (--data, --config); boardgate serve makes one"
        )
    if found is None:
        return NotUsable(f"database {shown} is empty, schema {HEAD} is needed; run: boardgate migrate")
    if _number(found) > _number(HEAD):
        return TooNew(
            f"database {shown} has schema {found} of a newer version of Boardgate, and this version knows {HEAD}: "
            "start the newer version, or restore a backup from before it"
        )
    return NotUsable(f"database {shown} has schema {found}, {HEAD} is needed; run: boardgate migrate")


def can_use(found: str) -> bool:
    """Whether this version can use a database of that revision."""
    return oldest(found) <= _number(HEAD) <= _number(found)


def is_too_new(found: str) -> bool:
    """Whether a newer version of Boardgate has changed a database of that revision so that this one cannot use it."""
    return _number(found) > _number(HEAD) and not can_use(found)


def oldest(found: str) -> str:
    """The number of the oldest schema whose servers can use that revision."""
    return found.partition("_")[2] or found


def _number(found: str) -> str:
    return found.partition("_")[0]


def is_current(url: str) -> bool:
    """Whether the database has exactly this version's schema; False for an empty or missing one. Changes nothing."""
    return revision(url) == HEAD


def revision(url: str) -> str | None:
    """The schema the database has; None for an empty or missing one. Changes nothing."""
    if is_sqlite(url) and not Path(database_path(url)).exists():
        return None
    engine = reader_engine(url)
    try:
        with engine.connect() as connection:
            return _revision(connection)
    finally:
        engine.dispose()


def upgrade(
    url: str,
    tell: Callable[[str], None] | None = None,
    by: str = acts.SERVER,
    copied: Callable[[str], None] | None = None,
    *,
    copy: bool = True,
) -> None:
    """Bring the database to HEAD, creating it if there is none; ``tell`` gets one line a step that was made.

    An SQLite file that has a schema is copied beside itself before, and ``copied`` gets the copy's name; not where
    ``copy`` is false. The copies of before go when the steps are made.

    Idempotent. All steps are one transaction: a failure leaves the database as it was. That it was done, and ``by``
    whom, is noted in a database that holds anything: one that is empty stays so, and can be copied into. A newer one
    that this version can use stays as it is.
    DatabaseInUse while a server has the SQLite file, or servers live on PostgreSQL that could not use HEAD;
    TooNew for a database that a newer version has changed. NoRoom, NotWhole: the file cannot be copied.
    """
    found = revision(url)
    if found is not None and found != HEAD and can_use(found):
        return
    if found is not None and _number(found) > _number(HEAD):
        raise why_not(url, found)
    from alembic import command  # half a second that a current database does not need
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    lock = FileLock(database_path(url)) if is_sqlite(url) else None
    engine = writer_engine(url)
    try:
        aside = _copied_aside(url) if copy and lock is not None else None
        if aside is not None:
            (copied or _nobody)(str(aside))
        with engine.begin() as connection:
            before = _revision(connection)
            if lock is None and before is not None and before < oldest(HEAD):
                _require_no_servers(connection)
            config.attributes.update(connection=connection, tell=tell or _nobody)
            command.upgrade(config, "head")
            if before not in (None, HEAD) and _holds_anything(connection):
                acts.note(connection, acts.made(time.time(), by, "schema.migrated", f"schema {HEAD}", before=before))
        if aside is not None:
            drop_older(aside)
    finally:
        engine.dispose()
        if lock is not None:
            lock.release()


def _copied_aside(url: str) -> Path | None:
    """The copy of an SQLite file whose schema is not HEAD, made now; None: there is nothing to copy."""
    found = revision(url)
    if found in (None, HEAD):
        return None
    try:
        return copy_aside(Path(database_path(url)), str(found))
    except NoRoom as error:
        text = f"the database is copied before its schema changes: {error}; boardgate migrate --no-copy copies nothing"
        raise NoRoom(text) from None


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table(_version.name):
        return None
    return connection.execute(select(_version.c.version_num)).scalars().first()


def _require_no_servers(connection: Connection) -> None:
    """DatabaseInUse: servers live on this PostgreSQL, and do not know what the coming steps change."""
    if names := living_servers(connection):
        text = f"these servers cannot go on with schema {HEAD}: {', '.join(names)}; stop them, then migrate"
        raise DatabaseInUse(text)


def _holds_anything(connection: Connection) -> bool:
    return any(connection.execute(select(table).limit(1)).first() for table in LASTING)


def _nobody(line: str) -> None:
    """Takes the progress, or the copy's name, when nobody asked for it."""
