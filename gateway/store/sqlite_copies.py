"""Copies an SQLite database into one file of its own while others write to the original.

The copy is a state between two commits. It is read through before it gets its name, so a file of that name is whole.
Source: sqlite.org/backup.html; a reader's transaction keeps the pages as they are for as long as the copy takes.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, TypeAlias

from gateway.store.read_only import ReadOnlyRecord
from protocols.core.errors import BoardgateError

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what is being done, how much of it is, and of how much; "of" is 0 where nobody knows."""

STEP: Final = 1000
"""Pages between two words about the progress: four megabytes."""

MIB: Final = 1 << 20

PARTS: Final = ("", "-wal", "-shm", "-journal")
"""Endings of the files that a database has."""


class NotWhole(BoardgateError):
    """A file is no SQLite database, or a damaged one, or it cannot be read; the text names it."""


class NoRoom(BoardgateError):
    """The disk has too little room; nothing was written."""


def silent(_what: str, _done: int, _of: int) -> None:
    """Takes the progress when nobody asked for it."""


def copy_database(source: Path, target: Path, progress: Progress = silent) -> int:
    """Copy the database at ``source`` to ``target``, in place of a file that is there; the copy's size in bytes.

    Nobody but its owner may read it. After any error ``target`` is as it was. NotWhole, NoRoom, OSError.
    """
    part = target.with_name(f"{target.name}.part")
    remove(part)
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(_opened(part)) as writing, reading(source) as found:
            with _named(source):
                require_room(part.parent, size(found))
                found.backup(writing, pages=STEP, progress=lambda _, left, of: progress("pages copied", of - left, of))
            with _named(part):
                writing.execute("PRAGMA journal_mode=DELETE")  # one file, nothing beside it
                progress("copy checked", 0, 1)
                check(writing, part)
                progress("copy checked", 1, 1)
        kept(part)
        part.replace(target)
        kept(target.parent)
    finally:
        remove(part)
    return target.stat().st_size


def copy_aside(database: Path, schema: str) -> Path:
    """Copy a database of this schema to ``NAME.schema-NNNN`` beside it; the copy. NotWhole, NoRoom, OSError."""
    aside = database.with_name(f"{database.name}.schema-{schema.partition('_')[0]}")
    copy_database(database, aside)
    return aside


def drop_older(aside: Path) -> None:
    """Delete the other copies that ``copy_aside`` has made of the same database. OSError."""
    name = re.compile(re.escape(aside.name.rpartition("-")[0]) + r"-\d{4}")
    for other in aside.parent.iterdir():
        if name.fullmatch(other.name) and other.name != aside.name:
            other.unlink()


@contextmanager
def reading(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection that sees one state of a database, however long it reads. NotWhole, OSError; creates nothing."""
    if not file.is_file():
        raise NotWhole(f"there is no file {file}")
    with closing(ReadOnlyRecord(str(file))) as record:
        with _named(file):
            connection = record.connect(isolation_level=None)
        with closing(connection), _named(file):
            connection.execute("PRAGMA query_only=ON")
            connection.execute("BEGIN")
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            yield connection


def check(connection: sqlite3.Connection, file: Path) -> None:
    """Read a database through. NotWhole: ``file`` is damaged."""
    (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if answer != "ok":
        raise NotWhole(f"{file} is not whole: {' '.join(answer.split())}")


def size(connection: sqlite3.Connection) -> int:
    """Bytes of the database that a connection has open."""
    pages, bytes_each = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    return int(pages) * int(bytes_each)


def require_room(folder: Path, needed: int) -> None:
    """NoRoom: fewer than ``needed`` bytes are free on the disk of ``folder``. OSError."""
    free = shutil.disk_usage(folder).free
    if free < needed:
        need, have = (f"{count / MIB:,.1f} MiB" for count in (needed, free))
        raise NoRoom(f"the copy needs {need} on the disk of {folder}, and {have} are free; nothing was changed")


def kept(path: Path) -> None:
    """Have the disk keep a file, or a folder's names, before anything else is done. OSError."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def remove(database: Path) -> None:
    """Delete a database with all files that belong to it; those that are not there are none."""
    for part in PARTS:
        Path(f"{database}{part}").unlink(missing_ok=True)


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, isolation_level=None)


@contextmanager
def _named(file: Path) -> Iterator[None]:
    """NotWhole in place of SQLite's errors, which name no file."""
    try:
        yield
    except sqlite3.Error as error:
        raise NotWhole(f"{file}: {error}") from error
