"""``boardgate nodes`` shows the servers of a database, and tells one to drain; ``serve --check`` names them."""

from __future__ import annotations

import getpass
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateway.cli import main
from gateway.release import release
from gateway.store.acts import ActLog
from gateway.store.nodes import LEASE_S
from gateway.store.schema import LOBBY
from tests import peers
from tests.cli.playing import record, run
from tests.running import server
from tests.store.clusters import LATE_S, Hosted, on_postgresql
from tests.store.conftest import connected, postgresql

__all__ = ["postgresql"]


@pytest.fixture
def world(request: pytest.FixtureRequest) -> Iterator[Hosted]:
    """A database without a server; the test joins nodes itself."""
    with on_postgresql(request) as hosted:
        yield hosted


def nodes(world: Hosted, *arguments: str) -> Result:
    environment = {"COLUMNS": "200", "BOARDGATE_SERVER_DATABASE": world.url}
    return CliRunner().invoke(main, ["nodes", *arguments], env=environment)


def rows(result: Result) -> list[list[str]]:
    """The lines of the table, below its head, in cells."""
    assert result.exit_code == 0, result.output
    return [line.split() for line in result.stdout.splitlines()[3:] if line.strip()]


@peers.needed
def test_the_nodes_are_listed_with_what_they_do(world: Hosted) -> None:
    """A node is serving, draining, or late; one of them has the lobby, and the buried are not shown."""
    assert nodes(world).stdout == "no nodes: no server runs on this database\n"
    process = world.process()
    late, gone = process.join("late", "1.0"), process.join("gone", "1.0")
    world.passes(LATE_S)
    process.leave(gone)
    first, second = process.join("gate-1", "1.1"), process.join("gate-2", "1.2")
    process.renew(first, 12)
    process.renew(second, 3)
    process.take_role(second, LOBBY)
    process.drain("gate-1", True)
    shown = rows(nodes(world))
    assert [row[:5] for row in shown] == [
        ["late", str(late), "1.0", "late", "0"],
        ["gate-1", str(first), "1.1", "draining", "12"],
        ["gate-2", str(second), "1.2", "serving", "3"],
    ]
    assert [row[6] for row in shown if "lobby" in row] == ["lobby"]
    assert shown[2][6] == "lobby"
    assert [float(row[5]) > 0 for row in shown] == [False, True, True]


@peers.needed
def test_programs_get_the_same_as_json(world: Hosted) -> None:
    process = world.process()
    me = process.join("gate-1", "1.1+0123456789ab")
    process.renew(me, 7)
    (found,) = json.loads(nodes(world, "--json").stdout)
    lease_s, started_at = found.pop("lease_s"), found.pop("started_at")
    assert 0 < lease_s <= LEASE_S
    assert started_at.endswith("Z")
    expected = {
        "name": "gate-1",
        "id": me,
        "version": "1.1",
        "build": "0123456789ab",
        "state": "serving",
        "tables": 7,
        "lobby": False,
    }
    assert found == expected


@peers.needed
def test_a_node_is_told_to_drain_and_to_serve_again_and_who_did_it_is_noted_once(world: Hosted) -> None:
    process = world.process()
    me = process.join("gate-1", "1")
    process.renew(me, 5)
    other = process.join("gate-2", "1")
    for _ in range(2):
        assert (told := nodes(world, "drain", "gate-1")).exit_code == 0
        assert told.stdout == "gate-1: draining\n"
    drains = {node.id: node.draining for node in process.living()}
    assert drains == {me: True, other: False}
    for _ in range(2):
        assert nodes(world, "undrain", "gate-1").stdout == "gate-1: serving again\n"
    assert not any(node.draining for node in process.living())
    with closing(ActLog(world.url)) as log:
        noted = [(act.act, act.object, act.by, json.loads(act.detail)) for act in log.acts("drain")]
    who = getpass.getuser()
    assert noted == [(act, "node gate-1", who, {"tables": 5}) for act in ("drain.begun", "drain.ended")]


@peers.needed
def test_who_drains_the_only_node_is_told_that_no_other_takes_its_games(world: Hosted) -> None:
    world.process().join("gate-1", "1")
    told = nodes(world, "drain", "gate-1").stdout
    assert told == ("gate-1: draining\nno other node serves: its games go on there, and new tables are refused\n")


@peers.needed
@pytest.mark.parametrize("act", ["drain", "undrain"])
def test_an_unknown_name_is_refused_with_the_names_that_live(world: Hosted, act: str) -> None:
    process = world.process()
    assert nodes(world, act, "gate-9").output.endswith("the nodes that live: none\n")
    process.leave(process.join("gate-9", "1"))
    process.join("gate-1", "1")
    process.join("gate-2", "1")
    refused = nodes(world, act, "gate-9")
    expected = "Error: there is no node gate-9; the nodes that live: gate-1, gate-2\n"
    assert (refused.exit_code, refused.output) == (1, expected)
    with closing(ActLog(world.url)) as log:
        assert list(log.acts("drain")) == []


@pytest.mark.parametrize("words", [(), ("--json",), ("drain", "gate-1"), ("undrain", "gate-1")])
def test_a_database_of_one_process_has_no_nodes(tmp_path: Path, words: tuple[str, ...]) -> None:
    record(tmp_path)
    refused = run("nodes", *words, data=tmp_path)
    expected = "Error: there are no nodes: SQLite is used by one process, several servers need PostgreSQL\n"
    assert (refused.exit_code, refused.output) == (1, expected)


@pytest.mark.parametrize("option", [("--json",), ("--data", "elsewhere")])
def test_an_option_that_would_do_nothing_is_refused(option: tuple[str, ...]) -> None:
    refused = run("nodes", *option, "drain", "gate-1")
    assert (refused.exit_code, "write the options behind drain" in refused.output) == (2, True)


@peers.needed
def test_a_check_names_the_nodes_that_live_and_the_one_that_a_start_would_end(tmp_path: Path, world: Hosted) -> None:
    """Another server on the database is no fault, and its sessions are not taken for a server's that must stop."""
    with server(tmp_path, "bogaprot", CLUSTER_NODE="gate-1", SERVER_DATABASE=world.url, BOTS_WORKERS="0"):
        for mine, said in (("gate-1", True), ("gate-2", False)):
            found = _checked(tmp_path, world, mine)
            assert found.exit_code == 0, found.output
            assert f"on this database lives node gate-1, version {release()}, serving, 0 tables" in found.output
            assert ("a start ends that node gate-1" in found.output) is said
            assert "has to stop" not in found.output
    world.process().leave(1)
    with connected(world.url) as connection:
        connection.exec_driver_sql("SELECT 1")
        found = _checked(tmp_path, world, "gate-1")
    assert "lives node" not in found.output, found.output
    assert "commands of Boardgate use this database, and no server (" in found.output


def _checked(data: Path, world: Hosted, node: str) -> Result:
    listener = ("--listen", "bogaprot=127.0.0.1:0")
    settings = {"SERVER_DATABASE": world.url, "CLUSTER_NODE": node, "BOT": "none"}
    environment = {f"BOARDGATE_{name}": value for name, value in settings.items()}
    return CliRunner().invoke(main, ["serve", "--check", "--data", str(data), *listener], env=environment)
