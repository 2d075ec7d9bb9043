"""Names, rotation and notes of backups, whatever database they are of.

A backup is one file, ``boardgate-TIME.db`` of SQLite or ``boardgate-TIME.dump`` of PostgreSQL; TIME is UTC. That it was
made is an act of the log in the database itself, so every server of that database knows the last one.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from sqlalchemy import Connection, func, select

from gateway.store import acts
from gateway.store.engine import writer_engine
from gateway.store.schema import tables

NAME: Final = re.compile(r"boardgate-(\d{8}T\d{6}Z)\.(?:db|dump)")

FORM: Final = "boardgate-%Y%m%dT%H%M%SZ"

SECOND_S: Final = 1.0

Suffix = Literal[".db", ".dump"]


def fresh_name(folder: Path, at: float, suffix: Suffix) -> Path:
    """A name in ``folder`` that no file has, of the moment ``at`` (Unix time in seconds) or of the next free second."""
    while (file := folder / f"{time.strftime(FORM, time.gmtime(at))}{suffix}").exists():
        at += SECOND_S
    return file


def rotate(folder: Path, keep: int, made: Path) -> list[Path]:
    """Delete all backups of ``folder`` but the newest ``keep``; those that went. OSError.

    Only files of exactly such names go, and never ``made``, though the clock was set back before it.
    """
    found = [path for path in folder.iterdir() if NAME.fullmatch(path.name) and path.is_file()]
    newest_first = sorted(found, key=lambda path: (path.name.partition(".")[0], path.name), reverse=True)
    old = [path for path in newest_first[keep:] if path.name != made.name]
    for path in old:
        path.unlink()
    return old


def note_made(url: str, by: str, name: str, size: int | None = None) -> None:
    """Note a backup in the database's log; ``size`` in bytes, None where nobody knows it. SQLAlchemyError."""
    with _writing(url) as connection:
        acts.note(connection, acts.made(time.time(), by, "backup.made", name, bytes=size))


def note_restored(url: str, by: str, name: str, size: int) -> int:
    """Note in a database that it comes from the backup of this name and size in bytes; the number of its tables.

    SQLAlchemyError.
    """
    with _writing(url) as connection:
        acts.note(connection, acts.made(time.time(), by, "backup.restored", name, bytes=size))
        return int(connection.execute(select(func.count()).select_from(tables)).scalar_one())


@contextmanager
def _writing(url: str) -> Iterator[Connection]:
    engine = writer_engine(url)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()
