"""The schema's history leads to the schema."""

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
from alembic.util import CommandError
from sqlalchemy.exc import OperationalError

import migrations
from gateway.store.engine import DatabaseInUse, FileLock
from gateway.store.schema import metadata
from tests.store.conftest import connected


@pytest.fixture
def fresh(tmp_path: Path) -> str:
    """Where no database is yet."""
    return f"sqlite:///{tmp_path / 'a.db'}"


def test_the_migrated_schema_is_the_declared_one(url: str) -> None:
    with connected(url) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []


def test_the_migrated_checks_are_the_declared_ones(url: str) -> None:
    """Alembic does not compare CHECK constraints."""
    with connected(url) as connection:
        assert connection.dialect.has_table(connection, "tables")
        found = {
            (name, check["name"])
            for name in metadata.tables
            for check in connection.dialect.get_check_constraints(connection, name)
        }
    assert found == {("tables", "ck_tables_status")}


def test_every_constraint_bears_its_name(fresh: str, tmp_path: Path) -> None:
    migrations.upgrade(fresh)
    connection = sqlite3.connect(tmp_path / "a.db")
    texts = [row[0] for row in connection.execute("SELECT sql FROM sqlite_master WHERE sql LIKE 'CREATE TABLE%'")]
    connection.close()
    clauses = [line.strip() for text in texts for line in text.splitlines() if re.search("KEY|CHECK", line)]
    assert len(clauses) == 9
    assert [clause for clause in clauses if not clause.startswith("CONSTRAINT ")] == []


def test_a_database_is_current_once_it_is_upgraded(fresh: str) -> None:
    assert not migrations.is_current(fresh)
    migrations.upgrade(fresh)
    assert migrations.is_current(fresh)


def test_asking_does_not_create_a_database(fresh: str, tmp_path: Path) -> None:
    migrations.is_current(fresh)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_is_not_current(fresh: str, tmp_path: Path) -> None:
    (tmp_path / "a.db").touch()
    assert not migrations.is_current(fresh)


def test_an_upgrade_tells_its_steps_and_a_second_one_has_none(fresh: str) -> None:
    told: list[str] = []
    migrations.upgrade(fresh, told.append)
    migrations.upgrade(fresh, told.append)
    assert told == ["0001 tables, seats, tickets, events"]


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


def test_a_database_of_a_newer_version_is_refused(fresh: str) -> None:
    migrations.upgrade(fresh)
    with connected(fresh) as connection, connection.begin():
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    assert not migrations.is_current(fresh)
    with pytest.raises(CommandError, match="9999"):
        migrations.upgrade(fresh)


def test_a_step_that_fails_leaves_the_database_as_it_was(
    fresh: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(Path(migrations.__file__).parent, copy)
    (copy / "versions" / "0002_broken.py").write_text(
        "import sqlalchemy as sa\nfrom alembic import op\n\nrevision = '0002'\ndown_revision = '0001'\n\n\n"
        "def upgrade():\n    op.create_table('half', sa.Column('x', sa.Integer))\n    op.drop_table('missing')\n"
    )
    monkeypatch.setattr("migrations.__file__", str(copy / "__init__.py"))
    with pytest.raises(OperationalError, match="no such table: missing"):
        migrations.upgrade(fresh)
    connection = sqlite3.connect(tmp_path / "a.db")
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []
    connection.close()


def test_the_history_can_be_walked_back(fresh: str) -> None:
    migrations.upgrade(fresh)
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    with connected(fresh) as connection, connection.begin():
        config.attributes.update(connection=connection, tell=lambda line: None)
        command.downgrade(config, "base")
    assert not migrations.is_current(fresh)
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
        command.revision(config, "nothing new", rev_id="0002", autogenerate=True)
    text = (copy / "versions" / "0002_nothing_new.py").read_text()
    assert 'down_revision = "0001"' in text.replace("'", '"')
    compile(text, "0002", "exec")
