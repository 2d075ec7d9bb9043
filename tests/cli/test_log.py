"""``boardgate log``: everything that was done with the host's rights, filtered, for people and for programs."""

from __future__ import annotations

import getpass
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from gateway.cli import main
from gateway.store import acts
from gateway.store.records import Act
from tests.cli.playing import record, run
from tests.store.conftest import connected
from tests.store.old import finished, put

PASSWORD = "correct horse\n"
AT = 1_770_000_000.25  # 2026-02-02T02:40:00.250000Z


@pytest.fixture
def data(tmp_path: Path) -> Path:
    record(tmp_path)
    return tmp_path


def asked(data: Path, *arguments: str) -> list[dict[str, Any]]:
    shown = run("log", "--json", *arguments, data=data)
    assert shown.exit_code == 0, shown.output
    found: list[dict[str, Any]] = json.loads(shown.stdout)
    return found


def url(data: Path) -> str:
    return f"sqlite:///{data / 'boardgate.db'}"


def note(data: Path, *noted: Act) -> None:
    with connected(url(data)) as connection, connection.begin():
        for act in noted:
            acts.note(connection, act)


def account(data: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["account", *arguments, "--data", str(data)], input=PASSWORD)


def test_what_commands_do_is_shown_with_who_ran_them_the_oldest_first(data: Path) -> None:
    account(data, "add", "anna", "--password-stdin")
    run("ban", "add", "192.0.2.7/24", "--reason", "spam", "--for", "7d", data=data)
    account(data, "disable", "anna")
    put(url(data), finished(1, 100), finished(2, 100), finished(3, 0))
    run("prune", "--older-than", "90d", data=data)
    found = asked(data)
    assert [(act["act"], act["object"]) for act in found] == [
        ("account.added", "anna"),
        ("ban.added", "192.0.2.0/24"),
        ("account.disabled", "anna"),
        ("games.deleted", "finished games"),
    ]
    assert {act["by"] for act in found} == {getpass.getuser()}
    assert [act["id"] for act in found] == [1, 2, 3, 4]
    now = datetime.now(UTC)
    assert all(now - timedelta(minutes=5) < datetime.fromisoformat(act["at"]) <= now for act in found)
    ban, pruned = found[1]["detail"], found[3]["detail"]
    assert (ban["kind"], ban["reason"]) == ("network", "spam")
    assert now + timedelta(days=6) < datetime.fromisoformat(ban["ends_at"]) < now + timedelta(days=8)
    assert pruned["games"] == 2
    assert now - timedelta(days=91) < datetime.fromisoformat(pruned["before_at"]) < now - timedelta(days=89)


def test_people_get_a_table(data: Path) -> None:
    note(
        data,
        acts.made(AT, "carl", "ban.added", "eve", kind="name", reason="", ends_at=AT + 86_400),
        acts.made(
            AT + 60, "host token from 192.0.2.7", "table.registered", "table 5", game="chess", players="ann, bob"
        ),
    )
    lines = [line.split(maxsplit=3) for line in run("log", data=data).stdout.splitlines()[3:] if line.strip()]
    assert [line[:3] for line in lines] == [["1", "2026-02-02", "02:40:00"], ["2", "2026-02-02", "02:41:00"]]
    assert lines[0][3].split() == ["carl", "ban.added", "eve", "kind", "name,", "ends_at", "2026-02-03", "02:40:00"]
    second = "host token from 192.0.2.7 table.registered table 5 game chess, players ann, bob"
    assert lines[1][3].split() == second.split()


def test_it_can_be_asked_for_a_kind_and_for_what_was_done_since(data: Path) -> None:
    note(
        data,
        acts.made(AT, "root", "ban.added", "eve", kind="name", reason=""),
        acts.made(AT + 3600, "root", "drain.begun", "here", running=0),
        acts.made(AT + 7200, "root", "ban.removed", "eve", kind="name", reason=""),
    )
    assert [act["id"] for act in asked(data, "--act", "ban")] == [1, 3]
    assert [act["id"] for act in asked(data, "--act", "drain.begun")] == [2]
    assert [act["id"] for act in asked(data, "--since", "2026-02-02T03:40:00")] == [2, 3]
    assert [act["id"] for act in asked(data, "--since", "2026-02-02T04:40:01+01:00")] == [3]
    assert [act["id"] for act in asked(data, "--since", "2026-02-02")] == [1, 2, 3]
    assert asked(data, "--since", "2026-02-03") == []
    note(data, acts.made(datetime.now(UTC).timestamp() - 7200, "root", "drain.ended", "here"))
    assert [act["id"] for act in asked(data, "--since", "3h")] == [4]
    assert asked(data, "--since", "1h", "--act", "drain") == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--since", "soon"], "write 7d, 2026-11-20"), (["--since", "never"], "write 7d"), (["--act", "x"], "not one of")],
)
def test_what_cannot_be_asked_for_is_said_in_words(data: Path, arguments: list[str], said: str) -> None:
    refused = run("log", *arguments, data=data)
    assert refused.exit_code == 2
    assert said in refused.output


def test_what_somebody_has_written_means_nothing_to_the_terminal(data: Path) -> None:
    note(data, acts.made(AT, "[red]root", "account.added", "a\x1b[2Jb", reason="\x07"))
    shown = run("log", data=data).stdout
    assert "[red]root" in shown
    assert not {"\x1b", "\x07"} & set(shown)


def test_no_command_takes_anything_out_of_it(data: Path) -> None:
    account(data, "add", "anna", "--password-stdin")
    run("ban", "add", "eve", data=data)
    run("ban", "remove", "eve", data=data)
    with connected(url(data)) as connection, connection.begin():
        connection.execute(text("UPDATE acts SET at = 1"))
    run("prune", "--older-than", "1d", data=data)
    run("migrate", data=data)
    assert [act["at"] for act in asked(data)] == ["1970-01-01T00:00:01.000000Z"] * 3


def test_without_a_database_it_says_so_and_creates_none(tmp_path: Path) -> None:
    refused = run("log", data=tmp_path)
    assert (refused.exit_code, refused.output.count("\n"), list(tmp_path.iterdir())) == (1, 1, [])
