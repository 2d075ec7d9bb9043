"""Opens an SQLite record where nothing may be written: an auditor's copy, on a disk that is mounted read-only.

A record in WAL mode is read by way of its index, a file beside it (``-shm``), which a reader makes if it is not there.
Where that cannot be, the file is the whole record, unless ``-wal`` beside it holds more: then both are copied to a
folder where they can be read. Source: sqlite.org/wal.html, "Read-Only Databases".
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

WAL: Final = "-wal"

NO_INDEX: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
"""SQLite's errors, their lowest byte, where a reader may not make the index, or finds none that it can use."""


class ReadOnlyRecord:
    """Connects readers to the record at ``path``; copies, where one is needed, are gone when it is closed."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._copy: tempfile.TemporaryDirectory[str] | None = None

    def connect(self, **options: Any) -> sqlite3.Connection:
        """A connection that has read; sqlite3.Error where there is no record, or none that can be read."""
        connection: sqlite3.Connection = sqlite3.connect(self._path, **options)
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.Error as error:
            connection.close()
            if error.sqlite_errorcode & 0xFF not in NO_INDEX or not Path(self._path).is_file():
                raise
            connection = sqlite3.connect(self._readable(), **options | {"uri": True})
        return connection

    def close(self) -> None:
        """Remove the copy, if one was made."""
        if self._copy is not None:
            self._copy.cleanup()

    def _readable(self) -> str:
        """The URI by which the record, or its copy, can be read without its index."""
        log = Path(f"{self._path}{WAL}")
        if not log.exists() or not log.stat().st_size:
            return f"file:{quote(self._path)}?immutable=1"
        if self._copy is None:
            self._copy = tempfile.TemporaryDirectory(prefix="boardgate-record-")
            for name in (self._path, str(log)):
                shutil.copyfile(name, Path(self._copy.name) / Path(name).name)
        return f"file:{quote(str(Path(self._copy.name) / Path(self._path).name))}"
