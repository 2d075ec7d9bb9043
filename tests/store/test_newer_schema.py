"""A server goes on with a newer schema that only adds what it need not know, and with no other.

The newer version is made here: a copy of the migrations with a step more.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from click.testing import CliRunner, Result
from sqlalchemy import Connection, inspect

import migrations
from gateway.cli import main
from gateway.store.engine import DatabaseInUse
from gateway.store.log import SqlLog
from gateway.store.nodes import SqlNodes
from tests import peers
from tests.running import server
from tests.store.conftest import Desk, connected, hosted, sqlite, unmigrated
from tests.store.steps import opening

ADDS: Final = """
    op.add_column("tables", sa.Column("colour", sa.String(), nullable=True))
    op.add_column("seats", sa.Column("hat", sa.Integer(), server_default="0", nullable=False))
    op.create_index("ix_tables_colour", "tables", ["colour"])
    op.create_table("hats", sa.Column("id", sa.Integer(), primary_key=True))
"""
CHANGES: Final = {
    "roles.epoch is gone": 'op.drop_column("roles", "epoch")',
    "tables.colour needs a value": 'op.add_column("tables", sa.Column("colour", sa.String(), nullable=False))',
    "ix_tables_game is unique": 'op.create_index("ix_tables_game", "tables", ["game"], unique=True)',
    "roles is gone": 'op.drop_table("roles")',
    "nodes.name is another": 'op.alter_column("nodes", "name", type_=sa.Integer(), postgresql_using="0")',
}
"""Steps that an older server could not go on with, by what is wrong with each."""

STEP: Final = """'''one step more'''
import sqlalchemy as sa
from alembic import op
revision = "{revision}"
down_revision = "{before}"
branch_labels = depends_on = None
def upgrade() -> None:
    {body}
"""

Schema = dict[str, dict[str, Any]]


class Newer:
    """A version of Boardgate with a step more."""

    def __init__(self, folder: Path, patched: pytest.MonkeyPatch) -> None:
        self.folder = folder / "newer"
        self._patched = patched
        shutil.copytree(Path(migrations.__file__).parent, self.folder)

    def write(self, revision: str, body: str = "pass") -> None:
        """Add the step."""
        text = STEP.format(revision=revision, before=migrations.HEAD, body=body.strip())
        (self.folder / "versions" / "9999.py").write_text(text, encoding="utf-8")

    def make(self, revision: str, connection: Connection) -> None:
        """Make the steps up to this one."""
        config = Config()
        config.set_main_option("script_location", str(self.folder))
        config.attributes.update(connection=connection, tell=lambda line: None)
        command.upgrade(config, revision)

    def upgrade(self, url: str, revision: str, body: str = "pass") -> None:
        """Bring a database to that step, as ``boardgate migrate`` of the newer version does."""
        self.write(revision, body)
        with self._patched.context() as newer:
            newer.setattr(migrations, "__file__", str(self.folder / "__init__.py"))
            newer.setattr(migrations, "HEAD", revision)
            migrations.upgrade(url)


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Newer:
    return Newer(tmp_path, monkeypatch)


@pytest.fixture
def postgres(request: pytest.FixtureRequest) -> Iterator[str]:
    with hosted(request) as url:
        yield url


def next_number() -> str:
    return f"{int(migrations.HEAD[:4]) + 1:04}"


def additive() -> str:
    return f"{next_number()}_{migrations.oldest(migrations.HEAD)}"


def ran(url: str, *words: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, words)], env={"BOARDGATE_SERVER_DATABASE": url, "BOARDGATE_BOT": "none"})


def schema(connection: Connection) -> Schema:
    """What a server relies on: by table, its columns, and what must hold for its rows."""
    found, looked = Schema(), inspect(connection)
    for table in looked.get_table_names():
        columns = {f"{table}.{column['name']}": column for column in looked.get_columns(table)}
        unique = [index["name"] for index in looked.get_indexes(table) if index["unique"]]
        checks = [check["name"] for check in looked.get_check_constraints(table)]
        found[table] = {"columns": columns, "rules": {*unique, *checks}}
    return found


def faults(before: Schema, after: Schema) -> list[str]:
    """What an older server could not go on with."""
    said = [f"{table} is gone" for table in before.keys() - after.keys()]
    for table in before.keys() & after.keys():
        old, new = before[table], after[table]
        said += [f"{name} is gone" for name in old["columns"].keys() - new["columns"].keys()]
        for name, column in new["columns"].items():
            if name in old["columns"]:
                same = [
                    str(each[name][key]) for each in (old["columns"], new["columns"]) for key in ("type", "nullable")
                ]
                said += [f"{name} is another"] if same[:2] != same[2:] else []
            elif not column["nullable"] and column["default"] is None:
                said.append(f"{name} needs a value")
        said += [f"{name} is unique" for name in new["rules"] - old["rules"]]
    return said


@pytest.mark.parametrize(
    ("found", "usable"),
    [
        ("0008", False),
        ("0010", False),
        ("0010_0010", False),
        ("0011_0010", False),
        ("0009_0008", True),
        ("0009_0009", True),
        ("0010_0009", True),
        ("0011_0008", True),
        ("0007_0006", False),
    ],
)
def test_the_name_of_a_schema_says_whether_a_version_can_use_it(
    monkeypatch: pytest.MonkeyPatch, found: str, usable: bool
) -> None:
    """Asked by a version whose own schema is the ninth, itself one that the eighth could use."""
    monkeypatch.setattr(migrations, "HEAD", "0009_0008")
    assert migrations.can_use(found) is usable


def test_no_revision_goes_back_behind_what_one_before_it_needs() -> None:
    """A step that only adds to one that changes needs what that one needs."""
    revisions = list(ScriptDirectory(str(Path(migrations.__file__).parent)).walk_revisions())[::-1]
    needs = [migrations.oldest(one.revision) for one in revisions]
    assert needs == sorted(needs)
    for number, (one, need) in enumerate(zip(revisions, needs, strict=True), 1):
        assert one.revision in (f"{number:04}", f"{number:04}_{need}")


@peers.needed
@pytest.mark.parametrize("wrong", ["", *CHANGES])
def test_the_comparison_of_schemas_notices_every_change_that_is_no_addition(
    newer: Newer, postgres: str, wrong: str
) -> None:
    with connected(postgres) as connection:
        before = schema(connection)
    newer.upgrade(postgres, additive(), CHANGES.get(wrong, ADDS))
    with connected(postgres) as connection:
        assert faults(before, schema(connection)) == ([wrong] if wrong else [])


@peers.needed
def test_every_step_that_says_that_it_only_adds_does(newer: Newer, request: pytest.FixtureRequest) -> None:
    """One after another, as they were made; one of the test's own is behind them."""
    newer.write(additive(), ADDS)
    compared = []
    with unmigrated(request) as url, connected(url) as connection:
        for one in list(ScriptDirectory(str(newer.folder)).walk_revisions())[::-1]:
            with connection.begin():
                before = schema(connection)
                newer.make(one.revision, connection)
                if "_" in one.revision:
                    assert faults(before, schema(connection)) == [], one.revision
                    compared.append(one.revision)
    assert compared[-1] == additive()


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=peers.needed)])
def test_an_older_version_serves_on_and_stores_in_a_newer_database(
    request: pytest.FixtureRequest, newer: Newer, tmp_path: Path, kind: str
) -> None:
    """Its commands work, its check says what it found, and its ``migrate`` leaves the newer schema as it is."""
    url = sqlite(tmp_path) if kind == "sqlite" else request.getfixturevalue("postgres")
    newer.upgrade(url, additive(), ADDS)
    assert (migrations.is_usable(url), migrations.is_current(url)) == (True, False)
    with server(tmp_path, "bogaprot", BOTS_WORKERS="0", SERVER_DATABASE=url) as running:
        assert running.stop() == 0
    desk = Desk(lambda deliver: SqlLog(url, deliver))
    assert desk.store(opening(1)) == [None]
    desk.log.close()
    assert '"table": 1' in ran(url, "tables", "--json").output
    checked = ran(url, "serve", "--check", "--data", tmp_path, "--listen", "bogaprot=127.0.0.1:0")
    assert f"schema {additive()}: newer than {migrations.HEAD}, and this version can use it" in checked.output
    assert checked.exit_code == 0, checked.output
    migrated = ran(url, "migrate")
    assert (migrated.exit_code, f"has schema {additive()}, newer than" in migrated.output) == (0, True)
    assert migrations.revision(url) == additive()


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=peers.needed)])
def test_an_older_version_starts_on_no_database_that_was_changed(
    request: pytest.FixtureRequest, newer: Newer, tmp_path: Path, kind: str
) -> None:
    url = sqlite(tmp_path) if kind == "sqlite" else request.getfixturevalue("postgres")
    newer.upgrade(url, next_number())
    assert not migrations.is_usable(url)
    clear = f"schema {next_number()} of a newer version of Boardgate, and this version knows {migrations.HEAD}: "
    serve = ("serve", "--data", tmp_path, "--listen", "bogaprot=127.0.0.1:0")
    for words in (serve, ("tables",), ("verify", "1"), ("account", "log"), ("log",), ("migrate",)):
        said = ran(url, *words)
        lines = [line for line in said.output.splitlines() if " event=starting " not in line]
        assert (said.exit_code, clear in said.output, len(lines)) == (78, True, 1), (words, said.output)


@peers.needed
def test_a_change_waits_until_no_server_lives_that_could_not_go_on(newer: Newer, postgres: str) -> None:
    """An addition does not wait for them."""
    with closing(SqlNodes(postgres)) as nodes:
        one, two = nodes.join("gate-1", "1"), nodes.join("gate-2", "1")
        nodes.leave(two)
        with pytest.raises(DatabaseInUse, match=r"cannot go on with schema .*: gate-1; stop them"):
            newer.upgrade(postgres, next_number())
        assert migrations.is_current(postgres)
        nodes.leave(one)
        newer.upgrade(postgres, next_number())
        assert not migrations.is_usable(postgres)


@peers.needed
def test_an_addition_is_made_under_living_servers(newer: Newer, postgres: str) -> None:
    with closing(SqlNodes(postgres)) as nodes:
        me = nodes.join("gate-1", "1")
        newer.upgrade(postgres, additive(), ADDS)
        assert nodes.renew(me, 0) is not None
        assert migrations.revision(postgres) == additive()
