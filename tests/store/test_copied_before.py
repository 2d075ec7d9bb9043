"""An SQLite file is copied before its schema changes: whole, once, and not where there is nothing to change."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic import command
from sqlalchemy.exc import SQLAlchemyError

import migrations
from gateway.store.sqlite_copies import NoRoom
from tests.cli.playing import run
from tests.store.conftest import connected
from tests.store.test_newer_schema import Newer, next_number
from tests.store.test_schema import run as step

OLD = "0004"


@pytest.fixture
def old(tmp_path: Path) -> str:
    """A database of an old schema, with an act in it."""
    url = f"sqlite:///{tmp_path / 'data' / 'boardgate.db'}"
    (tmp_path / "data").mkdir()
    step(url, command.upgrade, OLD)
    with connected(url) as connection, connection.begin():
        connection.exec_driver_sql("INSERT INTO acts VALUES (1, 7.0, 'root', 'ban.added', 'mallory', '{}')")
    return url


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"boardgate.db", "boardgate.db.lock"}


def test_the_copy_has_the_old_schema_and_all_that_was_there(old: str, tmp_path: Path) -> None:
    told: list[str] = []
    migrations.upgrade(old, copied=told.append)
    copy = tmp_path / "data" / f"boardgate.db.schema-{OLD}"
    assert told == [str(copy)]
    assert migrations.is_current(old)
    assert migrations.revision(f"sqlite:///{copy}") == OLD
    with connected(f"sqlite:///{copy}") as connection:
        assert connection.exec_driver_sql("SELECT object FROM acts").scalars().all() == ["mallory"]
    assert copy.stat().st_mode & 0o777 == 0o600


def test_the_newest_copy_stays_and_files_of_other_names_do(old: str, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    others = {"boardgate.db.schema-0003.gz", "boardgate.db.schema-mine", "other.db.schema-0003"}
    for name in ("boardgate.db.schema-0001", "boardgate.db.schema-0003", *others):
        (folder / name).touch()
    migrations.upgrade(old)
    assert names(folder) == {f"boardgate.db.schema-{OLD}", *others}


def test_a_step_that_fails_leaves_file_and_older_copies(
    old: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer, folder = Newer(tmp_path, monkeypatch), tmp_path / "data"
    (folder / "boardgate.db.schema-0003").touch()
    before = (folder / "boardgate.db").read_bytes()
    with pytest.raises(SQLAlchemyError, match="nowhere"):
        newer.upgrade(old, next_number(), 'op.execute("INSERT INTO nowhere VALUES (1)")')
    assert (folder / "boardgate.db").read_bytes() == before
    assert names(folder) == {"boardgate.db.schema-0003", f"boardgate.db.schema-{OLD}"}


def test_nothing_is_copied_where_nothing_changes_or_nothing_is_there(old: str, tmp_path: Path) -> None:
    migrations.upgrade(f"sqlite:///{tmp_path / 'new.db'}")
    migrations.upgrade(old, copy=False)
    migrations.upgrade(old)
    assert names(tmp_path / "data") == set()
    assert {path.name for path in tmp_path.iterdir()} == {"data", "new.db", "new.db.lock"}


def test_without_room_nothing_changes_and_the_host_is_told_what_to_do(
    old: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    with monkeypatch.context() as full:
        full.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 4096}))
        with pytest.raises(
            NoRoom, match=r"MiB are free; nothing was changed; boardgate migrate --no-copy copies nothi"
        ):
            migrations.upgrade(old)
        for words in (("migrate",), ("serve", "--listen", "bogaprot=127.0.0.1:0")):
            said = run(*words, data=data)
            assert (said.exit_code, "boardgate migrate --no-copy" in said.output) == (1, True), said.output
        assert migrations.revision(old) == OLD
        assert run("migrate", "--no-copy", data=data).exit_code == 0
    assert migrations.is_current(old)
    assert names(data) == set()


def test_migrate_names_the_copy(old: str, tmp_path: Path) -> None:
    lines = run("migrate", data=tmp_path / "data").output.splitlines()
    assert lines[0] == f"copied to {tmp_path / 'data' / f'boardgate.db.schema-{OLD}'}"
    assert lines[1].startswith("applied 0005")
