"""The schema's history: brings a database to the one gateway/store/schema.py describes.

Alembic is configured in code; there is no ini file. It is imported only when there is
something to do, for it costs more start-up time than the rest of the record together.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from sqlalchemy import Column, Connection, MetaData, String, Table, inspect, select

from gateway.store import acts
from gateway.store.engine import FileLock, database_path, is_sqlite, reader_engine, writer_engine
from gateway.store.schema import metadata

HEAD: Final = "0007"
"""The newest revision, so that a server can see that it is current without loading Alembic."""

_version = Table("alembic_version", MetaData(), Column("version_num", String(32)))


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


def upgrade(url: str, tell: Callable[[str], None] | None = None, by: str = acts.SERVER) -> None:
    """Bring the database to HEAD, creating it if there is none; ``tell`` gets one line a step that was made.

    Idempotent. All steps are one transaction: a failure leaves the database as it was. That it was done, and ``by``
    whom, is noted in a database that holds anything: one that is empty stays so, and can be copied into.
    DatabaseInUse while a server has the SQLite file; alembic.util.CommandError for a database that a newer version has
    upgraded.
    """
    from alembic import command  # half a second that a current database does not need
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    lock = FileLock(database_path(url)) if is_sqlite(url) else None
    engine = writer_engine(url)
    try:
        with engine.begin() as connection:
            before = _revision(connection)
            config.attributes.update(connection=connection, tell=tell or _nobody)
            command.upgrade(config, "head")
            if before not in (None, HEAD) and _holds_anything(connection):
                acts.note(connection, acts.made(time.time(), by, "schema.migrated", f"schema {HEAD}", before=before))
    finally:
        engine.dispose()
        if lock is not None:
            lock.release()


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table(_version.name):
        return None
    return connection.execute(select(_version.c.version_num)).scalars().first()


def _holds_anything(connection: Connection) -> bool:
    return any(connection.execute(select(table).limit(1)).first() for table in metadata.sorted_tables)


def _nobody(line: str) -> None:
    """Takes the progress when nobody asked for it."""
