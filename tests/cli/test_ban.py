"""``boardgate ban``: bans in the database, which a running server obeys, and who made them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateway.admission.ban_enforcer import BANS_S
from gateway.cli import main
from tests.cli.playing import record
from tests.faults.guests import GAME, PATIENCE_S, Guest, seated
from tests.running import server


@pytest.fixture
def data(tmp_path: Path) -> Path:
    record(tmp_path)
    return tmp_path


def ban(data: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["ban", *arguments, "--data", str(data)], env={"COLUMNS": "200"})


def rows(result: Result) -> list[list[str]]:
    """The lines of a table, below its head, in cells."""
    return [line.split() for line in result.stdout.splitlines()[3:] if line.strip()]


def test_a_ban_is_listed_until_it_is_removed(data: Path) -> None:
    added = ban(data, "add", "192.0.2.7/24", "--reason", "spam")
    assert (added.exit_code, added.stdout) == (0, "network 192.0.2.0/24: banned\n")
    assert ban(data, "add", "Mallory", "--for", "7d").stdout.startswith("name Mallory: banned until 20")
    name, network = rows(ban(data, "list"))
    assert network == ["network", "192.0.2.0/24", "never", "spam"]
    assert name[:2] == ["name", "Mallory"]
    assert ban(data, "remove", "192.0.2.0/24").exit_code == 0
    assert [row[1] for row in rows(ban(data, "list"))] == ["Mallory"]


def test_every_change_is_shown_with_who_made_it(data: Path) -> None:
    ban(data, "add", "mallory", "--reason", "rude")
    ban(data, "remove", "mallory")
    lines = rows(ban(data, "log"))
    assert [line[2:5] + line[6:] for line in lines] == [
        ["name", "mallory", "added", lines[0][6], "rude"],
        ["name", "mallory", "removed", lines[0][6], "rude"],
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["add", "0.0.0.0/0"], "too wide"),
        (["add", "bot-1"], "house bots"),
        (["add", "eve", "--for", "soon"], "no duration"),
        (["add", "eve", "--for", "never"], "how long it lasts"),
        (["add", "eve", "--reason", "x" * 201], "up to 200 printable characters"),
        (["remove", "eve"], "eve is not banned"),
    ],
)
def test_what_makes_no_ban_is_refused_in_one_line(data: Path, arguments: list[str], said: str) -> None:
    refused = ban(data, *arguments)
    assert refused.exit_code != 0
    assert said in refused.output
    assert "Traceback" not in refused.output
    assert rows(ban(data, "list")) == []


def test_a_running_server_sends_away_and_hangs_up_within_seconds(tmp_path: Path) -> None:
    with server(tmp_path, "bogaprot", "http", BOTS_WORKERS="0") as running:
        with seated(running.ports[0], GAME) as (anna,):
            assert ban(tmp_path, "add", "127.0.0.1", "--reason", "a test").exit_code == 0
            assert anna.hung_up_after_s() < BANS_S + 5.0
        with Guest(running.ports[0]) as bert:
            assert bert.hung_up_after_s() < PATIENCE_S
        assert "why=banned" in running.log.read_text()
        assert ban(tmp_path, "remove", "127.0.0.1").exit_code == 0
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with Guest(running.ports[0]) as again:
                try:
                    assert again.joins(GAME) == 0
                    return
                except (EOFError, ConnectionError):
                    time.sleep(0.2)
    raise AssertionError("the ban that was removed goes on")
