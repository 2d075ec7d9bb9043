"""``boardgate register`` at a real server, and the commands that look at one from afar."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from click.testing import CliRunner, Result

from gateway.cli import main
from tests.cli.playing import run
from tests.faults.guests import Guest
from tests.running import RunningServer, server

TOKEN = "the token of the host of this test"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("registering")
    (folder / "token").write_text(f"{TOKEN}\n")
    settings = {"BOTS_WORKERS": "0", "REGISTRATION_ADMIN_TOKEN_FILE": str(folder / "token")}
    with server(folder / "data", "http", "bogaprot", ports=None, **settings) as found:
        yield found


def at(running: RunningServer, *arguments: str, **more: str) -> Result:
    """A command at the server, by a user who is logged in nowhere."""
    url, env = f"http://127.0.0.1:{running.ports[0]}", {"XDG_CONFIG_HOME": str(running.data)}
    return CliRunner().invoke(main, [*arguments, "--server", url], env=env, **more)  # type: ignore[arg-type]


def test_a_table_is_registered_and_said_how_its_players_sit_down(running: RunningServer) -> None:
    said = at(running, "register", "chess", "alice", "bob", "--time", "300+5")
    assert said.exit_code == 0, said.output
    lines = said.output.splitlines()
    table, ticket = re.findall(r"^table (\d+)  chess normal, 300\+5$", lines[0])[0], lines[1].split()[-1]
    assert lines[1].split()[:2] == ["white", "alice"]
    assert lines[2].split()[:2] == ["black", "bob"]
    shown = [line.strip() for line in lines]
    assert f"boardgate play chess 127.0.0.1 --ticket {ticket}" in shown
    assert f"bogaprot     a handshake for the engine chess#{ticket}" in shown
    assert f"chess-p2p    name alice#{ticket}; in XBoard: boardgate xboard HOST --ticket {ticket}" in shown
    assert f"miniature    tell gateway seat {ticket}" in shown
    assert not any("gtp" in line for line in shown)
    where = f"127.0.0.1:{running.ports[0]}"
    assert f"boardgate play chess {where} --dialect gamesman --name alice --opponent bob" in shown
    assert shown[-1].endswith(f"/api/tables/{table}")
    with Guest(running.ports[1]) as guest:
        assert guest.joins(f"chess#{ticket}") == 0


def test_programs_get_json(running: RunningServer) -> None:
    made = json.loads(at(running, "register", "go", "carl", "open", "--option", "size=9", "--json").output)
    assert [bool(ticket) for ticket in made["tickets"]] == [True, False]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("chess", "alice"), "cannot seat 1"),
        (("mahjong", "a", "b"), "no game 'mahjong'"),
        (("chess", "a", "b", "--time", "soon"), "no time control"),
        (("chess", "a", "b", "--option", "x"), "write NAME=VALUE"),
        (("chess", "a", "b", "--token", "wrong"), "no bearer secret of this server"),
    ],
)
def test_what_cannot_be_registered_is_said_in_one_line(
    running: RunningServer, arguments: tuple[str, ...], said: str
) -> None:
    refused = at(running, "register", *arguments)
    assert refused.exit_code != 0
    assert said in refused.output
    assert "Traceback" not in refused.output


def test_the_token_is_read_from_its_file(running: RunningServer) -> None:
    made = at(running, "register", "chess", "dora", "eve", "--token-file", str(running.data.parent / "token"))
    assert made.exit_code == 0, made.output


def test_an_account_registers_with_its_password(running: RunningServer) -> None:
    added = CliRunner().invoke(
        main, ["account", "add", "Frida", "--password-stdin", "--data", str(running.data)], input="correct horse\n"
    )
    assert added.exit_code == 0, added.output
    made = at(running, "register", "chess", "frida", "gus", "--account", "frida", "--json", input="correct horse\n")
    assert made.exit_code == 0, made.output
    assert all(json.loads(made.output.splitlines()[-1])["tickets"])
    wrong = at(running, "register", "chess", "frida", "hal", "--account", "frida", input="wrong horse\n")
    assert "name and password do not go together" in wrong.output


def test_a_server_that_is_not_there_is_said_in_one_line() -> None:
    refused = run("register", "chess", "a", "b", "--server", "http://127.0.0.1:1")
    assert refused.exit_code == 1
    assert refused.output.startswith("Error: no server answers at http://127.0.0.1:1 (")
    assert "write http://HOST:PORT" in run("tables", "--server", "ftp://x").output


def test_tables_of_a_server_are_listed_shown_and_exported_from_afar(running: RunningServer) -> None:
    made = json.loads(at(running, "register", "tic_tac_toe", "ivo", "jan", "--json").output)
    table = str(made["id"])
    with Guest(running.ports[1]) as ivo, Guest(running.ports[1]) as jan:
        ivo.joins(f"tic_tac_toe#{made['tickets'][0]}")
        jan.joins(f"tic_tac_toe#{made['tickets'][1]}")
        assert ivo.puts(4) == (0,)
        listed = json.loads(at(running, "tables", "--game", "tic-tac-toe", "--json").output)
        local = json.loads(run("tables", "--game", "tic-tac-toe", "--json", data=running.data).output)
        assert listed == local
        assert "ivo" in at(running, "tables").output
        shown = at(running, "show", table).output
        assert shown == run("show", table, data=running.data).output
        assert "1. b2" in shown
        exported = at(running, "export", table).output
        assert exported == run("export", table, data=running.data).output
    assert "there is no table 99999" in at(running, "show", "99999").output
    assert "is not written as 'pgn'" in at(running, "export", table, "--format", "pgn").output


def test_more_tables_than_a_page_holds_are_listed(running: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.cli.tables.PAGE", 2)
    listed = json.loads(at(running, "tables", "--json", "--limit", "5").output)
    assert len(listed) == 5
    assert [table["table"] for table in listed] == sorted((table["table"] for table in listed), reverse=True)
