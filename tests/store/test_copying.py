"""A database is copied into an empty one and compared; nothing is copied where a check fails."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import migrations
from gateway.store import copying, schema
from gateway.store.accounts import SqlAccounts
from gateway.store.acts import ActLog
from gateway.store.copying import Break, CannotCopy, NotTheSame, copy
from gateway.store.engine import DatabaseInUse, FileLock
from gateway.store.log import SqlLog
from gateway.store.nodes import SqlNodes
from gateway.store.records import SeatRow, TicketRow
from gateway.store.schema import LASTING
from tests import peers
from tests.store.conftest import Desk, connected, hosted
from tests.store.steps import later, opening, words
from tests.store.test_pairs import registering

EVENTS = 2 * copying.PAGE + 7


def nobody(what: str, done: int, of: int) -> None:
    """Discard progress."""


@pytest.fixture
def source(tmp_path: Path) -> str:
    """An SQLite database with a long record, a registered pair, seats, tickets, and accounts that do not sort alike."""
    url = f"sqlite:///{tmp_path / 'old.db'}"
    migrations.upgrade(url)
    desk = Desk(lambda deliver: SqlLog(url, deliver))
    first = opening(1, *map(str, range(EVENTS)), seats=[SeatRow(0, 3, "ann", "192.0.2.1")])
    second = later(first, "é", status="over", tickets=[TicketRow(b"t" * 32, 1, 0)])
    assert set(desk.store(first, second, registering(2))) == {None}
    desk.log.close()
    accounts = SqlAccounts(url)
    for name in ("Zoë", "ann", "Ann-Marie", "ÅSA", "a_b", "a b"):
        accounts.add(name, f"the hash of {name}", "root")
    accounts.close()
    return url


@pytest.fixture
def copied(source: str, url: str) -> tuple[str, copying.Copied]:
    return url, copy(source, url, nobody)


def contents(url: str) -> dict[str, set[tuple[object, ...]]]:
    """All rows by table, but for the one that says that they were copied, and those of what runs now."""
    with connected(url) as connection:
        found = {table.name: connection.execute(table.select()).all() for table in LASTING}
    found["acts"] = [row for row in found["acts"] if row.act != "database.copied"]
    return {name: {tuple(row) for row in rows} for name, rows in found.items()}


def test_every_row_of_every_table_is_there(copied: tuple[str, copying.Copied], source: str) -> None:
    url, found = copied
    assert contents(url) == contents(source)
    assert found.rows["events"] == EVENTS + 2
    assert (found.rows["accounts"], found.rows["acts"], found.rows["tickets"]) == (6, 6, 1)
    assert set(found.rows) == {table.name for table in LASTING}
    assert found.broken == ()


def test_that_it_was_copied_is_noted_in_the_copy_alone(source: str, url: str) -> None:
    rows = copy(source, url, nobody, "carl").rows
    with closing(ActLog(source)) as before, closing(ActLog(url)) as after:
        *found, last = after.acts()
        assert found == list(before.acts())
    assert (last.by, last.act, last.object) == ("carl", "database.copied", source)
    assert last.detail == f'{{"rows":{sum(rows.values())}}}'


def test_the_record_goes_on_where_it_was_copied(copied: tuple[str, copying.Copied]) -> None:
    url, _ = copied
    desk = Desk(lambda deliver: SqlLog(url, deliver))
    assert desk.log.last_table() == 2
    assert [(row.table, row.epoch) for row in desk.log.claim()] == [(2, 2)]
    assert desk.store(later(registering(2), "on", epoch=2)) == [None]
    assert words(desk.log.read(2))[1:] == ["on"]
    desk.log.close()


def test_what_the_database_counts_itself_goes_on_behind_what_was_copied(copied: tuple[str, copying.Copied]) -> None:
    accounts = SqlAccounts(copied[0])
    accounts.add("new", "hash", "root")
    assert [change.name for change in accounts.changes()][-1] == "new"
    accounts.close()


@peers.needed
def test_numbers_of_tables_go_on_behind_those_that_were_copied(source: str, request: pytest.FixtureRequest) -> None:
    with hosted(request) as hosting:
        copy(source, hosting, nobody)
        with closing(SqlNodes(hosting)) as nodes:
            assert nodes.table_numbers() == range(3, 103)


@peers.needed
def test_nodes_are_not_copied_and_no_table_of_the_copy_has_one(request: pytest.FixtureRequest, url: str) -> None:
    """Their numbers mean others there: a table would be nobody's that could claim it."""
    with hosted(request) as hosting:
        with closing(SqlNodes(hosting)) as nodes:
            me = nodes.join("a", "1")
            nodes.take_role(me, "lobby")
            desk = Desk(lambda deliver: SqlLog(hosting, deliver))
            first = opening(1, "a")
            assert first.opened is not None
            first.opened = replace(first.opened, node=me)
            assert desk.store(first) == [None]
            desk.log.close()
        before = contents(hosting)
        copy(hosting, url, nobody)
    (old,), (row,) = before["tables"], contents(url)["tables"]
    node = list(schema.tables.columns).index(schema.tables.c.node)
    assert row == (*old[:node], None, *old[node + 1 :])
    with connected(url) as connection:
        assert connection.execute(schema.nodes.select()).all() == []
        assert sorted(connection.execute(schema.roles.select()).all()) == [
            (role, None, 0) for role in sorted(schema.ROLES)
        ]


@peers.needed
def test_a_database_in_which_a_node_lives_is_not_copied(request: pytest.FixtureRequest, url: str) -> None:
    with hosted(request) as hosting, closing(SqlNodes(hosting)) as nodes:
        nodes.renew(nodes.join("a", "1"), 0)
        with pytest.raises(DatabaseInUse, match="is in use by another server"):
            copy(hosting, url, nobody)


def test_it_can_be_copied_back(copied: tuple[str, copying.Copied], source: str, tmp_path: Path) -> None:
    back = f"sqlite:///{tmp_path / 'back.db'}"
    migrations.upgrade(back)
    copy(copied[0], back, nobody)
    assert contents(back) == contents(source)


def test_progress_is_told_to_its_end(source: str, url: str) -> None:
    told: list[tuple[str, int, int]] = []
    copy(source, url, lambda *step: told.append(step))
    assert ("events copied", EVENTS + 2, EVENTS + 2) in told
    assert told[-1] == ("hash chains", EVENTS + 2, EVENTS + 2)
    pages = [done for what, done, _ in told if what == "events copied"]
    assert pages == [0, copying.PAGE, 2 * copying.PAGE, EVENTS + 2], "never more than a page at once"


def test_a_database_that_holds_anything_is_not_copied_into(source: str, url: str) -> None:
    accounts = SqlAccounts(url)
    accounts.add("somebody", "hash", "root")
    accounts.close()
    before = contents(url)
    with pytest.raises(CannotCopy, match="not empty: accounts has 1 rows"):
        copy(source, url, nobody)
    assert contents(url) == before


def test_a_source_that_a_server_has_open_is_not_copied(source: str, url: str) -> None:
    log = SqlLog(source, lambda batch: None)
    with pytest.raises(DatabaseInUse, match=r"old\.db is in use"):
        copy(source, url, nobody)
    log.close()
    assert copy(source, url, nobody).rows["tables"] == 2


def test_a_target_that_a_server_has_open_is_not_copied_into(source: str, url: str) -> None:
    log = SqlLog(url, lambda batch: None)
    with pytest.raises(DatabaseInUse, match="is in use by another server"):
        copy(source, url, nobody)
    log.close()
    assert copy(source, url, nobody).rows["tables"] == 2


def test_a_database_is_not_copied_into_itself(source: str) -> None:
    with pytest.raises(CannotCopy, match="into itself"):
        copy(source, source, nobody)


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path, url: str) -> None:
    with pytest.raises(CannotCopy, match="there is no database"):
        copy(f"sqlite:///{tmp_path / 'nothing.db'}", url, nobody)
    assert not (tmp_path / "nothing.db").exists()


def test_what_was_interrupted_leaves_nothing(source: str, url: str) -> None:
    def interrupted(what: str, done: int, of: int) -> None:
        if done == 2 * copying.PAGE:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy(source, url, interrupted)
    assert not any(contents(url).values())
    FileLock(source.removeprefix("sqlite:///")).release()
    assert copy(source, url, nobody).rows["events"] == EVENTS + 2


def test_what_was_written_wrong_is_found_and_not_kept(source: str, url: str) -> None:
    """A trigger stands for a database that does not store what it is given."""
    with connected(url) as connection, connection.begin():
        for statement in SPOILED[connection.dialect.name]:
            connection.exec_driver_sql(statement)
    with pytest.raises(NotTheSame, match="events: what was written is not what was read"):
        copy(source, url, nobody)
    assert not any(contents(url).values())


SPOILED = {
    "sqlite": ["CREATE TRIGGER spoil AFTER INSERT ON events BEGIN UPDATE events SET at = at + 1 WHERE seq = 3; END"],
    "postgresql": [
        "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN IF NEW.seq = 3 THEN NEW.at = NEW.at + 1; END IF; RETURN NEW; END $$",
        "CREATE TRIGGER spoil BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION spoil()",
    ],
}


def test_a_record_that_is_not_whole_is_copied_and_named(source: str, url: str) -> None:
    with connected(source) as connection, connection.begin():
        connection.exec_driver_sql("UPDATE events SET body = '{}' WHERE table_id = 1 AND seq = 1500")
        connection.exec_driver_sql("DELETE FROM events WHERE table_id = 2")
    assert copy(source, url, nobody).broken == (Break(1, 1500), Break(2, 1))
    assert contents(url) == contents(source)
