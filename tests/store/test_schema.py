"""Head is the declared schema to the last detail, on both databases, and both can be walked up and down to it.

Alembic compares tables, columns, types, indexes and keys; here also checks, conditions of indexes, names, and what a
database counts by itself. What only SQLite or only an upgrade has is in test_migrations.py.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DBAPIError

import migrations
from gateway.store.schema import metadata
from tests.store.conftest import connected, unmigrated

FOLDER = Path(migrations.__file__).parent


@pytest.fixture(params=["sqlite", "postgresql"])
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database without anything in it."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'a.db'}"
        return
    with unmigrated(request) as url:
        yield url


def described(connection: Connection) -> dict[str, Any]:
    """Everything a database says of its tables, but for Alembic's own."""
    seen = inspect(connection)
    return {
        name: {
            "columns": {column["name"]: _column(column) for column in seen.get_columns(name)},
            "primary key": seen.get_pk_constraint(name),
            "foreign keys": _sorted(seen.get_foreign_keys(name)),
            "unique": _sorted(seen.get_unique_constraints(name)),
            "checks": _sorted(seen.get_check_constraints(name)),
            "indexes": _sorted(seen.get_indexes(name)),
        }
        for name in seen.get_table_names()
        if name != "alembic_version"
    }


def _column(column: Any) -> dict[str, str]:
    return {key: re.sub(r"\s+", " ", str(value)) for key, value in column.items() if key != "comment"}


def _sorted(found: Any) -> list[str]:
    return sorted(re.sub(r"[\s()]+", " ", json.dumps(one, sort_keys=True, default=str)) for one in found)


def run(url: str, what: Any, *arguments: str, folder: Path = FOLDER) -> None:
    """An Alembic command in a transaction, as ``migrations.upgrade`` runs it."""
    config = Config()
    config.set_main_option("script_location", str(folder))
    with connected(url) as connection, connection.begin():
        config.attributes.update(connection=connection, tell=lambda line: None)
        what(config, *arguments)


def revisions() -> list[str]:
    """The oldest first."""
    return [script.revision for script in ScriptDirectory(str(FOLDER)).walk_revisions()][::-1]


def test_head_is_the_declared_schema_to_the_last_detail(fresh: str, request: pytest.FixtureRequest) -> None:
    with connected(fresh) as connection, connection.begin() as transaction:
        metadata.create_all(connection)
        declared = described(connection)
        transaction.rollback()
    migrations.upgrade(fresh)
    with connected(fresh) as connection:
        migrated = described(connection)
    assert set(migrated) == set(metadata.tables)
    for name in metadata.tables:
        assert migrated[name] == declared[name], name


def test_the_description_sees_what_alembic_does_not(fresh: str) -> None:
    """That the test above could fail."""
    with connected(fresh) as connection, connection.begin():
        metadata.create_all(connection)
        found = described(connection)
    assert "'open'" in found["tables"]["checks"][0]
    assert any("pair IS NOT NULL" in index for index in found["tables"]["indexes"])
    assert found["tables"]["primary key"]["name"] == "pk_tables"


def test_every_step_can_be_taken_down_and_up_again(fresh: str) -> None:
    shapes: dict[str, dict[str, Any]] = {}
    for revision in revisions():
        run(fresh, command.upgrade, revision)
        with connected(fresh) as connection:
            shapes[revision] = described(connection)
    assert list(shapes)[-1] == migrations.HEAD
    for before, after in zip(revisions()[-2::-1], revisions()[:0:-1], strict=True):
        run(fresh, command.downgrade, before)
        with connected(fresh) as connection:
            assert described(connection) == shapes[before], f"down from {after}"
    run(fresh, command.downgrade, "base")
    with connected(fresh) as connection:
        assert described(connection) == {}
    migrations.upgrade(fresh)
    with connected(fresh) as connection:
        assert described(connection) == shapes[migrations.HEAD]


def test_an_upgrade_makes_a_database_current_and_a_second_one_changes_nothing(fresh: str) -> None:
    told: list[str] = []
    assert not migrations.is_current(fresh)
    migrations.upgrade(fresh, told.append)
    assert migrations.is_current(fresh)
    assert [line.split()[0] for line in told] == revisions()
    migrations.upgrade(fresh, told.append)
    assert len(told) == len(revisions())


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
    shutil.copytree(FOLDER, copy)
    (copy / "versions" / "9999_broken.py").write_text(
        "import sqlalchemy as sa\nfrom alembic import op\n\n"
        f"revision = '9999'\ndown_revision = '{migrations.HEAD}'\n\n\n"
        "def upgrade():\n    op.create_table('half', sa.Column('x', sa.Integer))\n    op.drop_table('missing')\n"
    )
    monkeypatch.setattr("migrations.__file__", str(copy / "__init__.py"))
    with pytest.raises(DBAPIError, match="missing"):
        migrations.upgrade(fresh)
    with connected(fresh) as connection:
        assert inspect(connection).get_table_names() == []
