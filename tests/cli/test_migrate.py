"""``boardgate migrate`` and ``boardgate settings``."""

from __future__ import annotations

import getpass
import json
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command

from gateway.config import annotated, describe
from gateway.store.accounts import SqlAccounts
from migrations import HEAD, is_current
from tests.cli.playing import run
from tests.store.conftest import connected
from tests.store.test_schema import run as step


def test_migrate_creates_directory_and_database_and_says_what_it_did(tmp_path: Path) -> None:
    data = tmp_path / "new" / "data"
    result = run("migrate", data=data)
    assert result.exit_code == 0, result.output
    assert is_current(f"sqlite:///{data}/boardgate.db")
    first, *_, last = result.output.splitlines()
    assert first.startswith("applied 0001 ")
    assert last == f"sqlite:///{data}/boardgate.db is up to date"


def test_migrating_twice_applies_nothing_the_second_time(tmp_path: Path) -> None:
    run("migrate", data=tmp_path)
    assert "applied" not in run("migrate", data=tmp_path).output


def test_who_has_migrated_and_who_has_copied_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = f"sqlite:///{tmp_path}/boardgate.db"
    step(old, command.upgrade, "0003")
    with connected(old) as connection, connection.begin():
        connection.exec_driver_sql("INSERT INTO accounts VALUES ('anna', 'Anna', 'hash', 1, NULL)")
    run("migrate", data=tmp_path)
    monkeypatch.setenv("BOARDGATE_SERVER_DATABASE", f"sqlite:///{tmp_path}/other.db")
    run("migrate", "--from", old)
    found = json.loads(run("log", "--json").stdout)
    assert [(act["by"], act["act"], act["object"]) for act in found] == [
        (getpass.getuser(), "schema.migrated", f"schema {HEAD}"),
        (getpass.getuser(), "database.copied", old),
    ]
    assert [act["detail"] for act in found] == [{"before": "0003"}, {"rows": 2}]


def test_migrate_takes_the_database_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDGATE_SERVER_DATABASE", f"sqlite:///{tmp_path}/other.db")
    assert run("migrate").exit_code == 0
    assert is_current(f"sqlite:///{tmp_path}/other.db")


def test_migrate_copies_another_database_and_says_what_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("migrate", data=tmp_path)
    with closing(SqlAccounts(f"sqlite:///{tmp_path}/boardgate.db")) as accounts:
        accounts.add("anna", "hash", "root")
    monkeypatch.setenv("BOARDGATE_SERVER_DATABASE", f"sqlite:///{tmp_path}/other.db")
    result = run("migrate", "--from", f"sqlite:///{tmp_path}/boardgate.db")
    assert result.exit_code == 0, result.output
    assert "copied accounts: 1 rows" in result.output
    assert result.output.splitlines()[-1] == "both databases hold the same, and their records are whole"
    again = run("migrate", "--from", f"sqlite:///{tmp_path}/boardgate.db")
    assert again.exit_code == 1
    assert "Error: the database to copy into is not empty" in again.output


def test_migrate_does_not_copy_what_is_no_database_of_this_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOARDGATE_SERVER_DATABASE", f"sqlite:///{tmp_path}/other.db")
    result = run("migrate", "--from", f"sqlite:///{tmp_path}/missing.db")
    assert result.exit_code == 1
    assert f"there is no database at {tmp_path}/missing.db: say where the server's is" in result.output
    assert not (tmp_path / "missing.db").exists()


@pytest.mark.parametrize("source", ["boardgate-data/boardgate.db", "mysql://host/name", "sqlite://"])
def test_migrate_says_how_a_database_is_written(tmp_path: Path, source: str) -> None:
    result = run("migrate", "--from", source, data=tmp_path / "new")
    assert result.exit_code == 2
    assert "a database is written sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME" in " ".join(
        result.output.split()
    )
    assert not (tmp_path / "new").exists()


def test_settings_prints_the_annotated_file() -> None:
    assert run("settings").output == annotated()


def test_settings_for_programs_is_a_list_of_rows() -> None:
    rows = json.loads(run("settings", "--json").output)
    assert [(row["section"], row["key"]) for row in rows] == [(row.section, row.key) for row in describe()]
    assert rows[0]["variable"] == "BOARDGATE_SERVER_NAME"
