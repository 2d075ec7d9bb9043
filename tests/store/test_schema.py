"""Head is the declared schema to the last detail, on both databases, and both can be walked up and down to it.

Alembic compares tables, columns, types, indexes and keys; here also checks, conditions of indexes, names, and what a
database counts by itself. What only SQLite or only an upgrade has is in test_migrations.py.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, MetaData, Table, inspect, text
from sqlalchemy.exc import DBAPIError

import migrations
from gateway.store import acts, batch, schema
from gateway.store.acts import ActLog
from gateway.store.nodes import SqlNodes
from gateway.store.records import Append, TableRow
from gateway.store.schema import metadata
from tests import peers
from tests.store.conftest import connected, unmigrated
from tests.store.games import TABLE, Played, old_rows, rows
from tests.store.steps import AT, SECRET

FOLDER = Path(migrations.__file__).parent


OLD_EVENTS = Table(
    "events", MetaData(), *(Column(column.name, column.type) for column in list(schema.events.columns)[:6])
)
"""The events of schemas before 0010."""


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


def test_head_is_the_declared_schema_to_the_last_detail(empty: str, request: pytest.FixtureRequest) -> None:
    with connected(empty) as connection, connection.begin() as transaction:
        metadata.create_all(connection)
        declared = described(connection)
        transaction.rollback()
    migrations.upgrade(empty)
    with connected(empty) as connection:
        migrated = described(connection)
    assert set(migrated) == set(metadata.tables)
    for name in metadata.tables:
        assert migrated[name] == declared[name], name


def test_the_description_sees_what_alembic_does_not(empty: str) -> None:
    """The test above can fail."""
    with connected(empty) as connection, connection.begin():
        metadata.create_all(connection)
        found = described(connection)
    assert "'open'" in found["tables"]["checks"][0]
    assert any("pair IS NOT NULL" in index for index in found["tables"]["indexes"])
    assert found["tables"]["primary key"]["name"] == "pk_tables"


def test_every_step_can_be_taken_down_and_up_again(empty: str) -> None:
    shapes: dict[str, dict[str, Any]] = {}
    for revision in revisions():
        run(empty, command.upgrade, revision)
        with connected(empty) as connection:
            shapes[revision] = described(connection)
    assert list(shapes)[-1] == migrations.HEAD
    for before, after in zip(revisions()[-2::-1], revisions()[:0:-1], strict=True):
        run(empty, command.downgrade, before)
        with connected(empty) as connection:
            assert described(connection) == shapes[before], f"down from {after}"
    run(empty, command.downgrade, "base")
    with connected(empty) as connection:
        assert described(connection) == {}
    migrations.upgrade(empty)
    with connected(empty) as connection:
        assert described(connection) == shapes[migrations.HEAD]


def test_moves_of_format_2_keep_an_earlier_version_from_the_database(empty: str) -> None:
    """ "Earlier versions cannot read it, and this revision makes them refuse the database." """
    migrations.upgrade(empty)
    table = Played("tic_tac_toe")
    table.play("a3")
    for stored, refused in ((old_rows(table.events), False), (rows(table.events), True)):
        with connected(empty) as connection, connection.begin():
            connection.execute(text("DELETE FROM events"))
            connection.execute(text("DELETE FROM players"))
            connection.execute(text("DELETE FROM tables"))
            opened = TableRow(TABLE, 1, "playing", "tic_tac_toe", "standard", SECRET, AT)
            batch.write(connection, [Append(TABLE, 1, 0, tuple(stored), opened=opened)])
        if refused:
            with pytest.raises(RuntimeError, match="stored in format 2"):
                run(empty, command.downgrade, "0005")
            assert migrations.is_current(empty)
        else:
            run(empty, command.downgrade, "0005")
            migrations.upgrade(empty)


def test_players_are_found_in_the_events_of_tables_that_were_there_before(empty: str) -> None:
    """Once each, people only; what is no event is passed over, and events stay on the way down."""
    run(empty, command.upgrade, "0006")
    taken = [(1, 3, "Anna"), (1, 3, "ANNA"), (1, 4, "bert"), (1, 2, "bot-2"), (2, 3, "anna"), (2, 3, "Åsa")]
    with connected(empty) as connection, connection.begin():
        for table in (1, 2):
            row = (table, 1, 9, "over", "chess", "normal", SECRET, AT, None)
            connection.execute(schema.tables.insert().values(row))
        for seq, (table, kind, name) in enumerate(taken):
            body = json.dumps({"seat": 0, "kind": kind, "name": name, "at": 0.0})
            connection.execute(OLD_EVENTS.insert().values((table, seq, AT, "SeatTaken", body, b"")))
        connection.execute(OLD_EVENTS.insert().values((2, 99, AT, "SeatTaken", "no JSON", b"")))
    run(empty, command.upgrade, "0007")
    with connected(empty) as connection:
        found = {tuple(row) for row in connection.execute(schema.players.select())}
    assert found == {("anna", 1), ("bert", 1), ("anna", 2), ("åsa", 2)}
    run(empty, command.downgrade, "0006")
    with connected(empty) as connection:
        assert len(connection.execute(OLD_EVENTS.select()).all()) == len(taken) + 1


def test_events_lose_their_foreign_key_where_they_lie(empty: str) -> None:
    """A record of 0008 keeps its events through the step; SQLite finds the edited schema sound."""
    run(empty, command.upgrade, "0008")
    stored = [(1, seq, AT, "Said", "{}", b"") for seq in (1, 2)]
    with connected(empty) as connection, connection.begin():
        connection.execute(schema.tables.insert().values((1, 1, 2, "over", "chess", "normal", SECRET, AT, None, None)))
        connection.execute(OLD_EVENTS.insert().values(stored))
    migrations.upgrade(empty)
    with connected(empty) as connection:
        assert inspect(connection).get_foreign_keys("events") == []
        assert [tuple(row) for row in connection.execute(schema.events.select())] == [(*row, 0) for row in stored]
        if connection.dialect.name == "sqlite":
            assert connection.execute(text("PRAGMA integrity_check")).scalar() == "ok"


@peers.needed
def test_numbers_of_tables_begin_behind_those_that_were_there_before(request: pytest.FixtureRequest) -> None:
    """In an upgraded record as in a new one; what a sequence counts is not in the description."""
    with unmigrated(request) as url:
        run(url, command.upgrade, "0007")
        with connected(url) as connection, connection.begin():
            row = {"id": 4711, "epoch": 1, "last_seq": 0, "status": "over", "game": "chess", "variant": "normal"}
            columns = [column for column in schema.tables.columns if column.name != "node"]
            old = Table("tables", MetaData(), *(Column(column.name, column.type) for column in columns))
            connection.execute(old.insert().values(**row, secret=SECRET, opened_at=AT, pair=None))
        migrations.upgrade(url)
        with closing(SqlNodes(url)) as nodes:
            assert [nodes.table_numbers() for _ in range(2)] == [range(4712, 4812), range(4812, 4912)]


def test_there_is_one_row_for_each_role(url: str) -> None:
    with connected(url) as connection:
        assert sorted(connection.execute(schema.roles.select()).all()) == [
            (role, None, 0) for role in sorted(schema.ROLES)
        ]


OF_ACCOUNTS = [
    (1, 10.5, "anna", "added", "root"),
    (2, 30.5, "åsa", "added", "carl"),
    (3, 40.5, "anna", "disabled", "x"),
]
OF_BANS = [
    (1, 20.25, "name", "eve", "added", 'says "no"', 1e9 / 3, "root"),
    (2, 35.5, "network", "192.0.2.0/24", "added", "", None, "carl"),
    (3, 50.5, "name", "eve", "removed", 'says "no"', 1e9 / 3, "root"),
]


def test_the_changes_of_accounts_and_bans_become_acts_and_are_there_again_on_the_way_down(empty: str) -> None:
    run(empty, command.upgrade, "0003")
    with connected(empty) as connection, connection.begin():
        for name in ("Anna", "Åsa"):
            connection.execute(
                text("INSERT INTO accounts VALUES (:f, :n, 'h', 1, NULL)"), {"f": name.lower(), "n": name}
            )
        _fill(connection, "account_changes", OF_ACCOUNTS)
        _fill(connection, "ban_changes", OF_BANS)
    run(empty, command.upgrade, "0004")
    with connected(empty) as connection, connection.begin():
        found = connection.execute(text("SELECT at, by, act, object, detail FROM acts ORDER BY id")).all()
        assert [tuple(row) for row in found] == [
            (10.5, "root", "account.added", "Anna", "{}"),
            (20.25, "root", "ban.added", "eve", '{"kind":"name","reason":"says \\"no\\"","ends_at":333333333.3333333}'),
            (30.5, "carl", "account.added", "Åsa", "{}"),
            (35.5, "carl", "ban.added", "192.0.2.0/24", '{"kind":"network","reason":""}'),
            (40.5, "x", "account.disabled", "Anna", "{}"),
            (
                50.5,
                "root",
                "ban.removed",
                "eve",
                '{"kind":"name","reason":"says \\"no\\"","ends_at":333333333.3333333}',
            ),
        ]
        acts.note(connection, acts.made(60.0, "server", "games.deleted", "finished games", games=2))
    run(empty, command.downgrade, "0003")
    with connected(empty) as connection:
        assert _rows(connection, "account_changes") == OF_ACCOUNTS
        assert _rows(connection, "ban_changes") == OF_BANS


def _fill(connection: Connection, table: str, rows: Sequence[tuple[object, ...]]) -> None:
    """The ids are the database's own, which goes on counting behind them."""
    names = [column["name"] for column in inspect(connection).get_columns(table)][1:]
    parameters = ", ".join(f":{name}" for name in names)
    for row in rows:
        values = dict(zip(names, row[1:], strict=True))
        connection.execute(text(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({parameters})"), values)


def _rows(connection: Connection, table: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in connection.execute(text(f"SELECT * FROM {table} ORDER BY id"))]


def test_an_upgrade_of_a_database_that_holds_something_is_an_act(empty: str) -> None:
    run(empty, command.upgrade, "0003")
    with connected(empty) as connection, connection.begin():
        connection.exec_driver_sql("INSERT INTO accounts VALUES ('anna', 'Anna', 'hash', 1, NULL)")
    migrations.upgrade(empty, by="carl")
    migrations.upgrade(empty, by="carl")
    with closing(ActLog(empty)) as log:
        (act,) = log.acts()
    assert (act.by, act.act, act.object, act.detail) == (
        "carl",
        "schema.migrated",
        f"schema {migrations.HEAD}",
        '{"before":"0003"}',
    )


def test_an_empty_database_stays_empty(empty: str) -> None:
    """Another one can be copied into it."""
    run(empty, command.upgrade, "0003")
    migrations.upgrade(empty)
    with closing(ActLog(empty)) as log:
        assert list(log.acts()) == []


def test_an_upgrade_makes_a_database_current_and_a_second_one_changes_nothing(empty: str) -> None:
    told: list[str] = []
    assert not migrations.is_current(empty)
    migrations.upgrade(empty, told.append)
    assert migrations.is_current(empty)
    assert [line.split()[0] for line in told] == revisions()
    migrations.upgrade(empty, told.append)
    assert len(told) == len(revisions())


def test_a_database_of_a_newer_version_is_refused(empty: str) -> None:
    migrations.upgrade(empty)
    with connected(empty) as connection, connection.begin():
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    assert not migrations.is_current(empty)
    with pytest.raises(migrations.TooNew, match="9999"):
        migrations.upgrade(empty)


def test_a_step_that_fails_leaves_the_database_as_it_was(
    empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
        migrations.upgrade(empty)
    with connected(empty) as connection:
        assert inspect(connection).get_table_names() == []
