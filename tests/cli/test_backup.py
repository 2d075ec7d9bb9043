"""``boardgate backup`` and ``boardgate restore``, on both databases."""

from __future__ import annotations

import getpass
import json
import os
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from alembic import command
from click.testing import Result
from sqlalchemy import create_engine, make_url

import migrations
from bench.postgresql import run_outside
from gateway.store.dumps import dump
from gateway.store.engine import FileLock
from gateway.store.nodes import SqlNodes
from tests import peers
from tests.cli.playing import moves, record, run, store
from tests.store.conftest import EACH, connected, postgresql, unmigrated
from tests.store.test_newer_schema import Newer, next_number
from tests.store.test_schema import run as step
from tests.terminals import terminal

__all__ = ["postgresql"]

GAME = "tic_tac_toe"


@dataclass
class Place:
    """A server's database with one table, and where its backups go."""

    url: str
    copies: Path
    data: Path

    def run(self, *words: str | Path) -> Result:
        return run(*words, data=self.data)

    def backup(self, *words: str) -> Path:
        result = self.run("backup", self.copies, *words)
        assert result.exit_code == 0, result.output
        return Path(result.stdout.splitlines()[-1])

    def tables(self) -> int:
        return len(json.loads(self.run("tables", "--json").stdout))

    def log(self) -> list[tuple[str, str, dict[str, Any]]]:
        acts = json.loads(self.run("log", "--act", "backup", "--json").stdout)
        assert {act["by"] for act in acts} <= {getpass.getuser()}
        return [(act["act"], act["object"], act["detail"]) for act in acts]


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    data = tmp_path / "data"
    if request.param == "sqlite":
        url = record(data)
        store(url, GAME, moves("b2"))
        yield Place(url, tmp_path / "copies", data)
        return
    with unmigrated(request) as url:
        migrations.upgrade(url)
        store(url, GAME, moves("b2"))
        monkeypatch.setenv("BOARDGATE_SERVER_DATABASE", url)
        yield Place(url, tmp_path / "copies", data)
        for end in ("_before", "_restored"):
            run_outside(beside(url, "postgres"), f"DROP DATABASE IF EXISTS {make_url(url).database}{end}")


def beside(url: str, database: str) -> str:
    return make_url(url).set(database=database).render_as_string(hide_password=False)


EACH_PLACE = pytest.mark.parametrize("place", EACH, indirect=True)
SQLITE = pytest.mark.parametrize("place", ["sqlite"], indirect=True)
POSTGRESQL = pytest.mark.parametrize("place", [pytest.param("postgresql", marks=peers.needed)], indirect=True)


@EACH_PLACE
def test_a_backup_is_restored_and_both_are_noted_with_name_and_size(place: Place) -> None:
    made = place.backup()
    size = made.stat().st_size
    assert re.fullmatch(r"boardgate-\d{8}T\d{6}Z\.(db|dump)", made.name)
    assert made.stat().st_mode & 0o077 == place.copies.stat().st_mode & 0o077 == 0
    assert place.log() == [("backup.made", made.name, {"bytes": size})]
    store(place.url, GAME, moves("b2"), table=2)
    assert place.tables() == 2
    done = place.run("restore", made)
    assert done.exit_code == 0, done.output
    assert "restored 1 table from " in done.output
    assert place.tables() == 1
    assert place.log() == [("backup.restored", made.name, {"bytes": size})]
    assert "the record is whole" in place.run("verify", "1").output
    store(place.url, GAME, moves("b2"), table=2)


@EACH_PLACE
def test_what_was_there_is_kept_until_the_next_time(place: Place) -> None:
    made = place.backup()
    for table in (2, 3):
        store(place.url, GAME, table=table)
        said = place.run("restore", made).output
        kept = re.search(r"what was there is kept as (?:the database )?(\S+) until the next time", said)
        assert kept is not None, said
        before = beside(place.url, kept[1]) if ".db" not in kept[1] else f"sqlite:///{kept[1]}"
        with connected(before) as connection:
            assert connection.exec_driver_sql("SELECT max(id) FROM tables").scalar() == table


@EACH_PLACE
def test_the_newest_backups_stay(place: Place) -> None:
    first, second = place.backup(), place.backup("--keep", "5")
    third = place.backup("--keep", "2")
    assert sorted(path.name for path in place.copies.iterdir()) == [second.name, third.name]
    assert first not in (second, third)


@EACH_PLACE
def test_a_backup_that_another_program_has_made_is_only_noted(place: Place) -> None:
    assert place.run("backup", "--made-elsewhere", "snapshot-7").output == "noted: snapshot-7\n"
    assert place.log() == [("backup.made", "snapshot-7", {})]
    assert not place.copies.exists()
    assert place.run("backup", "--made-elsewhere", "").exit_code == 2
    assert place.run("backup", place.copies, "--made-elsewhere", "snapshot-7").exit_code == 2


@EACH_PLACE
@pytest.mark.parametrize("cut", ["empty", "text", "half", "almost"])
def test_a_file_that_is_no_whole_backup_is_refused_and_nothing_is_touched(
    place: Place, tmp_path: Path, cut: str
) -> None:
    whole = place.backup().read_bytes()
    texts = {"empty": b"", "text": b"no backup", "half": whole[: len(whole) // 2], "almost": whole[:-5000]}
    wrong = tmp_path / "wrong"
    wrong.write_bytes(texts[cut])
    before = place.log()
    said = place.run("restore", wrong)
    assert said.exit_code == 1
    assert re.search(r"^Error: .*wrong.*(?:is empty|no backup that can be read|cannot be read)|no backup that can be "
                     r"read: .*wrong", said.output), said.output  # fmt: skip
    assert place.log() == before
    assert place.tables() == 1


@EACH_PLACE
def test_a_database_of_another_program_is_refused(place: Place, tmp_path: Path) -> None:
    if place.url.startswith("sqlite"):
        wrong = tmp_path / "other.db"
        with closing(sqlite3.connect(wrong)) as other:
            other.execute("CREATE TABLE tables(x)")
    else:
        wrong = other_dump(place, tmp_path)
    said = place.run("restore", wrong)
    assert (said.exit_code, "is no backup of Boardgate" in said.output) == (1, True), said.output


def other_dump(place: Place, folder: Path) -> Path:
    """A dump of a database with a table of the same name as one of ours."""
    name = f"other_{uuid4().hex}"
    run_outside(beside(place.url, "postgres"), f"CREATE DATABASE {name}")
    url = beside(place.url, name)
    run_outside(url, "CREATE TABLE tables(x int)")
    dump(url, folder / "other.dump", lambda *_: None)
    run_outside(beside(place.url, "postgres"), f"DROP DATABASE {name}")
    return folder / "other.dump"


@POSTGRESQL
def test_a_backup_of_the_other_kind_is_named_with_the_way_to_bring_it_over(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dumped = place.backup()
    record(tmp_path / "embedded")
    copied = tmp_path / "embedded" / "boardgate.db"
    assert "boardgate migrate --from copies it" in place.run("restore", copied).output
    monkeypatch.delenv("BOARDGATE_SERVER_DATABASE")
    assert "is of PostgreSQL, and the settings name SQLite" in place.run("restore", dumped).output


@SQLITE
def test_a_running_server_is_named_and_nothing_is_touched(place: Place) -> None:
    made = place.backup()
    lock = FileLock(str(place.data / "boardgate.db"))
    said = place.run("restore", made)
    assert said.exit_code == 1
    assert f"in use by another server (process {os.getpid()})" in said.output
    lock.release()
    assert place.run("restore", made).exit_code == 0


@POSTGRESQL
def test_living_servers_and_open_sessions_are_named_and_nothing_is_touched(place: Place) -> None:
    made = place.backup()
    with closing(SqlNodes(place.url)) as nodes:
        ids = [nodes.join(name, "1") for name in ("gate-1", "gate-2")]
        said = place.run("restore", made)
        assert (said.exit_code, "servers run on it: gate-1, gate-2; stop them" in said.output) == (1, True), said.output
        for each in ids:
            nodes.leave(each)
        said = place.run("restore", made)
        assert (said.exit_code, "is in use by boardgate/" in said.output) == (1, True), said.output
    engine = create_engine(place.url, connect_args={"application_name": "somebody's report"})
    with engine.connect() as connection:
        connection.exec_driver_sql("SELECT 1")
        said = place.run("restore", made)
        assert (said.exit_code, "is in use by somebody's report" in said.output) == (1, True), said.output
    engine.dispose()
    assert place.run("restore", made).exit_code == 0


@EACH_PLACE
def test_a_backup_of_a_newer_version_is_refused_in_words(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connected(place.url) as connection, connection.begin():
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with monkeypatch.context() as newer:
        newer.setattr(migrations, "HEAD", "9999")
        made = place.backup()
    with connected(place.url) as connection, connection.begin():
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{migrations.HEAD}'")
    said = place.run("restore", made)
    assert said.exit_code == 78
    assert f"has schema 9999 of a newer version of Boardgate, and this version knows {migrations.HEAD}" in said.output
    assert place.tables() == 1


@SQLITE
def test_an_older_schema_is_brought_to_this_versions(place: Place, tmp_path: Path) -> None:
    old = tmp_path / "old.db"
    step(f"sqlite:///{old}", command.upgrade, "0008")
    done = place.run("restore", old)
    assert done.exit_code == 0, done.output
    assert migrations.is_current(place.url)
    assert f"applied {migrations.HEAD} " in done.output
    assert {path.name for path in place.data.iterdir()} == {"boardgate.db", "boardgate.db.before", "boardgate.db.lock"}


@EACH_PLACE
def test_a_backup_that_cannot_be_migrated_leaves_the_database_as_it_was(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The version that restores it has a step more, which fails."""
    made = place.backup()
    newer = Newer(tmp_path, monkeypatch)
    newer.write(next_number(), 'op.create_table("hats", sa.Column("id", sa.Integer()))\n    raise OSError("no hats")')
    before = place.log()
    with monkeypatch.context() as failing:
        failing.setattr(migrations, "__file__", str(newer.folder / "__init__.py"))
        failing.setattr(migrations, "HEAD", next_number())
        said = place.run("restore", made)
    assert (said.exit_code, "no hats" in said.output) == (1, True), said.output
    assert place.log() == before
    assert place.tables() == 1
    assert place.run("restore", made).exit_code == 0


@SQLITE
def test_a_restore_takes_what_was_not_yet_written_into_the_old_file_along(place: Place) -> None:
    """A server that was killed leaves a log beside its file, which must not become that of the new one."""
    made = place.backup()
    killed = place.data.parent / "killed"
    with connected(place.url) as connection, connection.begin():
        connection.exec_driver_sql("UPDATE tables SET game = 'killed'")
        connection.commit()
        shutil.copytree(place.data, killed)
    shutil.rmtree(place.data)
    killed.rename(place.data)
    assert (place.data / "boardgate.db-wal").stat().st_size > 0
    assert place.run("restore", made).exit_code == 0
    for url, game in ((place.url, GAME), (f"{place.url}.before", "killed")):
        with connected(url) as connection:
            assert connection.exec_driver_sql("SELECT game FROM tables").scalar() == game


@SQLITE
def test_it_asks_at_a_terminal_and_a_no_changes_nothing(place: Place) -> None:
    made = place.backup()
    store(place.url, GAME, table=2)
    words = [str(Path(sys.executable).with_name("boardgate")), "restore", str(made), "--data", str(place.data)]
    with terminal(words, os.environ) as host:
        host.shows(b"; what is there is kept [y/N]: ")
        host.types(b"n\r")
        assert host.status() == 1
    assert place.tables() == 2
    with terminal([*words, "--yes"], os.environ) as host:
        assert host.status() == 0
    assert place.tables() == 1


@SQLITE
def test_a_machine_without_a_database_gets_the_backups(place: Place) -> None:
    made = place.backup()
    shutil.rmtree(place.data)
    done = place.run("restore", made)
    assert (done.exit_code, "there was nothing before" in done.output) == (0, True)
    assert place.tables() == 1


@SQLITE
def test_nothing_is_backed_up_where_there_is_no_database(place: Place, tmp_path: Path) -> None:
    said = run("backup", place.copies, data=tmp_path / "elsewhere")
    assert (said.exit_code, "there is no database at " in said.output) == (1, True)
    assert not place.copies.exists()


@POSTGRESQL
def test_a_user_who_may_not_make_databases_is_told_what_to_do(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    made = place.backup()
    role, server = f"plain_{uuid4().hex}", beside(place.url, "postgres")
    database = make_url(place.url).database
    run_outside(server, f"CREATE ROLE {role} LOGIN PASSWORD 'secret'")
    plain = make_url(place.url).set(username=role, password="secret").render_as_string(hide_password=False)
    monkeypatch.setenv("BOARDGATE_SERVER_DATABASE", plain)
    try:
        run_outside(place.url, f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}")
        said = place.run("restore", made)
        assert (said.exit_code, f"run ALTER ROLE {role} CREATEDB, then this again" in said.output) == (1, True)
        run_outside(server, f"ALTER ROLE {role} CREATEDB")
        said = place.run("restore", made)
        assert f"run ALTER DATABASE {database} OWNER TO {role}" in said.output
    finally:
        run_outside(place.url, f"DROP OWNED BY {role}")
        run_outside(server, f"DROP ROLE {role}")


PROGRAM = """#!/bin/sh
[ "$1" != --version ] || {{ echo "{name} (PostgreSQL) {version}"; exit; }}
exit 1
"""


@POSTGRESQL
@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("", "pg_dump is not installed here; Debian has it in postgresql-client-"),
        ("9.6.24", "pg_dump here is of PostgreSQL 9, and the server is of "),
        ("99.1", "pg_dump has failed"),
    ],
)
def test_programs_that_are_missing_too_old_or_fail_are_named(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, said: str
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("pg_dump", "pg_restore") if version else ():
        (programs / name).write_text(PROGRAM.format(name=name, version=version))
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    result = place.run("backup", place.copies)
    assert (result.exit_code, said in result.output) == (1, True), result.output
    assert list(place.copies.iterdir()) == []


SPY = """#!/bin/sh
echo "$@" >> '{told}'
cat "$PGSERVICEFILE" >> '{told}'
exec {program} "$@"
"""


@POSTGRESQL
def test_the_password_is_on_no_command_line(place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor in the file that says where the database is. The settings have it from a file of its own."""
    url, told = make_url(place.url), tmp_path / "told"
    (tmp_path / "password").write_text(f"{url.password}\n")
    address = f"postgresql+psycopg://{url.username}@{url.host}:{url.port}/{url.database}"
    monkeypatch.setenv("BOARDGATE_SERVER_DATABASE", address)
    monkeypatch.setenv("BOARDGATE_SERVER_DATABASE_PASSWORD_FILE", str(tmp_path / "password"))
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("pg_dump", "pg_restore"):
        (programs / name).write_text(SPY.format(told=told, program=shutil.which(name)))
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    assert place.run("restore", place.backup()).exit_code == 0
    assert "--format=custom" in told.read_text()
    assert str(url.password) not in told.read_text()
