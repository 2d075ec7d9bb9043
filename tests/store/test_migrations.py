"""The schema's history is applied and extended; test_schema.py tests its steps."""

from __future__ import annotations

import re
import shutil
import sqlite3
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

import migrations
from gateway.store.engine import DatabaseInUse, FileLock
from gateway.store.schema import metadata
from tests.store.conftest import connected


@pytest.fixture
def fresh(tmp_path: Path) -> str:
    """A path without a database."""
    return f"sqlite:///{tmp_path / 'a.db'}"


def test_the_migrated_schema_is_the_declared_one(url: str) -> None:
    with connected(url) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []


def test_every_constraint_bears_its_name(fresh: str, tmp_path: Path) -> None:
    migrations.upgrade(fresh)
    connection = sqlite3.connect(tmp_path / "a.db")
    texts = [row[0] for row in connection.execute("SELECT sql FROM sqlite_master WHERE sql LIKE 'CREATE TABLE%'")]
    connection.close()
    clauses = [line.strip() for text in texts for line in text.splitlines() if re.search("KEY|CHECK", line)]
    assert len(clauses) == 48
    assert [clause for clause in clauses if not clause.startswith("CONSTRAINT ")] == []


def test_a_database_is_current_once_it_is_upgraded(empty: str) -> None:
    assert not migrations.is_current(empty)
    migrations.upgrade(empty)
    assert migrations.is_current(empty)


def test_asking_does_not_create_a_database(fresh: str, tmp_path: Path) -> None:
    migrations.is_current(fresh)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_is_not_current(fresh: str, tmp_path: Path) -> None:
    (tmp_path / "a.db").touch()
    assert not migrations.is_current(fresh)


def test_an_upgrade_tells_its_steps_and_a_second_one_has_none(empty: str) -> None:
    told: list[str] = []
    migrations.upgrade(empty, told.append)
    migrations.upgrade(empty, told.append)
    steps = ["0001 tables, seats, tickets, events", "0002 registered pairs, accounts", "0003 bans", "0004 acts"]
    people = "0007 sessions of browsers, preferences, invitations, former names, reports, players of tables"
    assert told == [
        *(*steps, "0005 account tokens", "0006 moves without their texts", people),
        "0008 nodes, roles, owners of tables",
        "0009_0008 registrants, events without a foreign key",
        "0010 the id of the command that led to a step",
        "0011_0010 links for new passwords",
        "0012_0010 analyses of finished games",
        "0013_0010 notices, and browsers that are told while no page is open",
        "0014_0010 links to finished private games",
        "0015_0010 seats that accounts have kept from their time as guests",
        "0016_0010 mail addresses of accounts, and messages that wait for the mail server",
        "0017_0010 what each person has won, lost and drawn at each table",
        "0018_0010 addresses that programs of accounts are told at",
        "0019_0010 results of games, which outlive the deletion of old ones",
        "0020_0010 ratings by steps and standings, pins, and the role of who counts them",
        "0021_0010 until when ratings have a place in lists",
        "0022_0010 whom accounts follow, and whom they have blocked",
        "0023_0010 offers to one account that stand for longer than an hour",
        "0024_0010 tokens with names, scopes and a day of last use; accounts of programs",
        "0025_0010 people of an OpenID Connect provider, and the accounts that they log in to",
    ]


def test_the_head_that_is_asked_for_is_alembics() -> None:
    folder = Path(migrations.__file__).parent
    assert ScriptDirectory(str(folder)).get_heads() == [migrations.HEAD]


def test_an_upgrade_waits_for_no_running_server(fresh: str, tmp_path: Path) -> None:
    lock = FileLock(str(tmp_path / "a.db"))
    with pytest.raises(DatabaseInUse):
        migrations.upgrade(fresh)
    lock.release()
    migrations.upgrade(fresh)
    assert migrations.is_current(fresh)


def test_a_revision_can_be_written_from_the_template(fresh: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(Path(migrations.__file__).parent, copy)
    migrations.upgrade(fresh)
    config = Config()
    config.set_main_option("script_location", str(copy))
    with connected(fresh) as connection, connection.begin():
        config.attributes.update(connection=connection, tell=lambda line: None)
        command.revision(config, "nothing new", rev_id="9999", autogenerate=True)
    text = (copy / "versions" / "9999_nothing_new.py").read_text()
    assert f'down_revision = "{migrations.HEAD}"' in text.replace("'", '"')
    compile(text, "9999", "exec")
