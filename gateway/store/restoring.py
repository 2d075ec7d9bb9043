"""Puts a backup in the place of a database that nobody uses, and keeps what was there until the next time.

The backup becomes a database of its own beside the one that is there. That one is touched last, by a change of names;
whatever fails before leaves it as it was. SQLite's file is kept as ``NAME.before``, PostgreSQL's database as
``NAME_before``.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Connection, Engine, make_url, text

from gateway.store.dumps import HELD, NoBackup, Programs
from gateway.store.engine import DatabaseInUse, writer_engine
from gateway.store.living import living_servers
from gateway.store.sqlite_copies import NotWhole, Progress, check, copy_database, kept, reading, remove, size
from protocols.core.errors import BoardgateError

MAINTENANCE: Final = "postgres"
"""The database that one connects to in order to rename another."""

LONGEST: Final = 63
"""Bytes of a name in PostgreSQL."""

Prepare = Callable[[str], None]
"""Given the URL of the new database before it takes its place; an error of it leaves everything as it was."""


class CannotRestore(BoardgateError):
    """Nothing was touched; says why, and what to do."""


class Found(NamedTuple):
    """A backup of SQLite: its schema, and the bytes that its database has."""

    revision: str
    size: int


def look_at_file(file: Path, progress: Progress) -> Found:
    """Read a backup of SQLite through. NoBackup: it is none, or damaged. OSError."""
    try:
        with reading(file) as connection:
            progress("backup checked", 0, 1)
            check(connection, file)
            names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            if not names >= HELD:
                raise NoBackup(f"{file} is no backup of Boardgate")
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            if row is None:
                raise NoBackup(f"{file} is of a database of Boardgate that was empty")
            progress("backup checked", 1, 1)
            return Found(str(row[0]), size(connection))
    except NotWhole as error:
        raise NoBackup(f"this is no backup that can be read: {error}") from error


def replace_file(file: Path, database: Path, prepare: Prepare, progress: Progress) -> None:
    """Put a backup in the place of an SQLite ``database`` whose lock the caller holds. NotWhole, NoRoom, OSError."""
    fresh = database.with_name(f"{database.name}.restoring")
    remove(fresh)
    try:
        copy_database(file, fresh, progress)
        prepare(f"sqlite:///{fresh}")
        _owned_like(database, fresh)
        _swap(fresh, database)
    finally:
        remove(fresh)
        Path(f"{fresh}.lock").unlink(missing_ok=True)


def _owned_like(database: Path, fresh: Path) -> None:
    """Give the new file to the owner of the old one, or of the folder: where root restores, that is somebody else."""
    if database.exists():
        shutil.copymode(database, fresh)
    if os.geteuid() == 0:
        owner = (database if database.exists() else database.parent).stat()
        for path in (fresh, Path(f"{database}.lock")):
            os.chown(path, owner.st_uid, owner.st_gid)


def _swap(fresh: Path, database: Path) -> None:
    """Keep the old file, with what was not yet written into it: that would be taken for the new one's."""
    before = database.with_name(f"{database.name}.before")
    if database.exists():
        remove(before)
        os.link(database, before)
        for part in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                Path(f"{database}{part}").rename(f"{before}{part}")
    fresh.replace(database)
    kept(database.parent)


class Hosted:
    """A PostgreSQL database, ``name``, that can be replaced: nobody uses it, and its user may rename it."""

    def __init__(self, url: str, engine: Engine, name: str) -> None:
        self._url = url
        self._engine = engine
        self._create = ""
        self.name = name

    def require_fit(self) -> None:
        """CannotRestore, DatabaseInUse, SQLAlchemyError; changes nothing."""
        if len(f"{self.name}_restored".encode()) > LONGEST:
            raise CannotRestore(f"the name {self.name} is too long to keep a second database beside it")
        with self._engine.connect() as connection:
            _require_rights(connection, self.name)
            self._create = _like(connection, self.name)
            _require_nobody(connection, self.name)

    def replace(self, file: Path, programs: Programs, prepare: Prepare, progress: Progress) -> str:
        """Put a dump in its place; the name under which what was there is kept. CannotDump, SQLAlchemyError."""
        fresh, before = f"{self.name}_restored", f"{self.name}_before"
        with self._engine.connect() as connection:
            _drop(connection, fresh)  # of a run that was interrupted
            connection.exec_driver_sql(f"CREATE DATABASE {_named(connection, fresh)} {self._create}")
            try:
                programs.load(file, fresh, progress)
                prepare(make_url(self._url).set(database=fresh).render_as_string(hide_password=False))
                _require_nobody(connection, self.name)
                _drop(connection, before)
                self._rename((self.name, before), (fresh, self.name))
            except BaseException:
                _drop(connection, fresh)
                raise
        return before

    def _rename(self, *pairs: tuple[str, str]) -> None:
        """All in one transaction."""
        with self._engine.execution_options(isolation_level="READ COMMITTED").begin() as connection:
            for old, new in pairs:
                connection.exec_driver_sql(
                    f"ALTER DATABASE {_named(connection, old)} RENAME TO {_named(connection, new)}"
                )


@contextmanager
def hosted(url: str) -> Iterator[Hosted]:
    """The PostgreSQL database at this URL. DatabaseInUse where servers live on it; SQLAlchemyError."""
    inside = writer_engine(url)
    try:
        with inside.connect() as connection:
            name: str = connection.execute(text("SELECT current_database()")).scalar_one()
            if servers := living_servers(connection):
                raise DatabaseInUse(f"servers run on it: {', '.join(servers)}; stop them, then restore")
    finally:
        inside.dispose()
    outside = make_url(url).set(database=MAINTENANCE).render_as_string(hide_password=False)
    engine = writer_engine(outside)
    try:
        yield Hosted(url, engine.execution_options(isolation_level="AUTOCOMMIT"), name)
    finally:
        engine.dispose()


def _require_rights(connection: Connection, name: str) -> None:
    """CannotRestore: the user may not make or rename databases."""
    asked = text("SELECT rolname, rolcreatedb OR rolsuper AS makes FROM pg_roles WHERE rolname = current_user")
    user = connection.execute(asked).one()
    role = _named(connection, user.rolname)
    if not user.makes:
        raise CannotRestore(
            f"PostgreSQL's user {user.rolname} may not make databases, and a backup is put into a new one: as a"
            f" superuser run ALTER ROLE {role} CREATEDB, then this again, then ALTER ROLE {role} NOCREATEDB"
        )
    owned = text("SELECT pg_has_role(datdba, 'USAGE') FROM pg_database WHERE datname = :name")
    if not connection.execute(owned, {"name": name}).scalar_one():
        raise CannotRestore(
            f"PostgreSQL's user {user.rolname} does not own the database {name}, so it may not rename it: as a"
            f" superuser run ALTER DATABASE {_named(connection, name)} OWNER TO {role}"
        )


def _like(connection: Connection, name: str) -> str:
    """Options of CREATE DATABASE for an empty one that sorts and encodes as this one does."""
    asked = text(
        "SELECT pg_encoding_to_char(encoding) AS encoding, datcollate, datctype FROM pg_database WHERE datname = :name"
    )
    found = connection.execute(asked, {"name": name}).one()
    words = (f"'{word}'" for word in (found.encoding, found.datcollate, found.datctype))
    return "TEMPLATE template0 ENCODING {} LC_COLLATE {} LC_CTYPE {}".format(*words)


def _require_nobody(connection: Connection, name: str) -> None:
    """DatabaseInUse: a command, or another program, has the database open."""
    asked = text(
        "SELECT coalesce(nullif(application_name, ''), usename) FROM pg_stat_activity"
        " WHERE datname = :name AND backend_type = 'client backend'"  # PostgreSQL ends its own, such as autovacuum's
    )
    if users := sorted({str(user) for user in connection.execute(asked, {"name": name}).scalars()}):
        raise DatabaseInUse(f"{name} is in use by {', '.join(users)}: end that, then restore")


def _drop(connection: Connection, name: str) -> None:
    connection.exec_driver_sql(f"DROP DATABASE IF EXISTS {_named(connection, name)} WITH (FORCE)")


def _named(connection: Connection, name: str) -> str:
    return connection.dialect.identifier_preparer.quote(name)
