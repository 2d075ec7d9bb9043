"""Copies of an SQLite database: one state of it while others write, whole or not there."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gateway.store.sqlite_copies import NoRoom, NotWhole, copy_database

ROWS = 20_000
"""More than a step of the copy has pages for."""


def made(path: Path) -> sqlite3.Connection:
    """A database with rows of two tables that are always as many."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.executescript("CREATE TABLE one(x); CREATE TABLE two(x);")
    rows = [(bytes(400),)] * ROWS
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO one VALUES (?)", rows)
    connection.executemany("INSERT INTO two VALUES (?)", rows)
    connection.execute("COMMIT")
    return connection


def counts(path: Path) -> list[int]:
    with closing(sqlite3.connect(path)) as connection:
        return [connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("one", "two")]


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_copy_is_the_state_that_it_began_with_whoever_writes_meanwhile(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with closing(made(tmp_path / "record.db")) as writer:

        def write(what: str, done: int, of: int) -> None:
            told.append((done, of))
            writer.execute("BEGIN")
            writer.execute("INSERT INTO one VALUES (1)")
            writer.execute("INSERT INTO two VALUES (1)")
            writer.execute("COMMIT")

        size = copy_database(tmp_path / "record.db", tmp_path / "copy.db", write)
        assert len(told) > 4
        assert counts(tmp_path / "record.db") == [ROWS + len(told)] * 2
    assert counts(tmp_path / "copy.db") == [ROWS, ROWS]
    assert size == (tmp_path / "copy.db").stat().st_size
    assert names(tmp_path) == {"record.db", "copy.db"}
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600


def test_what_another_process_has_not_checkpointed_is_in_the_copy(tmp_path: Path) -> None:
    with closing(made(tmp_path / "record.db")) as writer:
        writer.execute("PRAGMA wal_autocheckpoint=0")
        writer.execute("INSERT INTO one VALUES (1)")
        copy_database(tmp_path / "record.db", tmp_path / "copy.db")
    assert counts(tmp_path / "copy.db") == [ROWS + 1, ROWS]


@pytest.mark.parametrize("wrong", ["missing", "text", "damaged"])
def test_what_cannot_be_copied_leaves_the_copy_of_before(tmp_path: Path, wrong: str) -> None:
    source, target = tmp_path / "record.db", tmp_path / "copy.db"
    target.write_text("the copy of before")
    if wrong == "text":
        source.write_text("no database")
    elif wrong == "damaged":
        made(source).close()
        with source.open("r+b") as file:
            file.seek(200 * 4096)
            file.write(b"\xff" * 4096)
    with pytest.raises(NotWhole, match=r"record\.db|copy\.db"):
        copy_database(source, target)
    assert target.read_text() == "the copy of before"
    assert names(tmp_path) - {"record.db"} == {"copy.db"}


def test_a_disk_with_too_little_room_is_named_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path / "record.db").close()
    asked = []

    def usage(folder: Path) -> object:
        asked.append(folder)
        return type("Usage", (), {"free": 5 << 20})

    monkeypatch.setattr("shutil.disk_usage", usage)
    with pytest.raises(NoRoom, match=r"the copy needs 1\d\.\d MiB on the disk of .*, and 5\.0 MiB are free; nothing"):
        copy_database(tmp_path / "record.db", tmp_path / "copy.db")
    assert asked == [tmp_path]
    assert names(tmp_path) == {"record.db"}
