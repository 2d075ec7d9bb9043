"""``boardgate login`` stores a token of a running server, which the other commands use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateway.cli import main
from gateway.cli.credentials import Credential, credential, store
from gateway.store.accounts import SqlAccounts
from tests import terminals
from tests.conformance.gtp.ends import PIPE, OnPipes
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.passwords import hashed
from tests.processes import started
from tests.running import STOP_S, RunningServer, made_record

PASSWORD = "correct horse"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningServer]:
    url = made_record(tmp_path / "boardgate.db")
    with closing(SqlAccounts(url)) as accounts:
        for name in ("Anna", "Bert"):
            accounts.add(name, hashed(PASSWORD), "root")
    with fast(tmp_path, "http", "bogaprot", "gtp-gui", "chess-p2p", BOTS_WORKERS="1") as server:
        yield server


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of the stored tokens."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "boardgate" / "tokens.json"


def command(running: RunningServer, *words: str, typed: str = PASSWORD) -> Result:
    url = f"http://127.0.0.1:{running.ports[0]}"
    return CliRunner().invoke(main, [words[0], url, *words[1:]], input=f"{typed}\n")


def test_login_stores_a_token_that_its_owner_alone_can_read_and_logout_ends_it(
    running: RunningServer, home: Path
) -> None:
    said = command(running, "login", "--name", "anna")
    assert said.exit_code == 0, said.output
    assert said.stdout.startswith("Anna is logged in at 127.0.0.1 until ")
    assert home.stat().st_mode & 0o777 == 0o600
    kept = json.loads(home.read_text())["127.0.0.1"]
    assert kept["account"] == "Anna"
    assert PASSWORD not in home.read_text()
    client = SpecClient(running.ports[1])
    assert client.handshake(f"tic_tac_toe#{kept['token']}") == ("RSP_HANDSHAKE", 0)
    client.close()
    assert command(running, "logout").stdout == "Anna is logged out at 127.0.0.1\n"
    assert json.loads(home.read_text()) == {}
    client = SpecClient(running.ports[1])
    assert client.handshake(f"tic_tac_toe#{kept['token']}")[1] == 1
    client.close()
    assert command(running, "logout").exit_code == 1


def test_logout_at_a_server_that_is_gone_forgets_the_token_and_says_that_it_is_still_valid(home: Path) -> None:
    store("127.0.0.1", Credential("Anna Bell", "bgt_x"), tls=False)
    said = CliRunner().invoke(main, ["logout", "http://127.0.0.1:1"])
    assert said.exit_code == 3
    assert "The token of Anna Bell is forgotten here, but could not be withdrawn at 127.0.0.1." in said.stderr
    assert "boardgate account revoke 'Anna Bell'" in said.stderr
    assert said.stdout == ""
    assert json.loads(home.read_text()) == {}


def test_logout_of_a_token_that_was_ended_before_is_a_logout(running: RunningServer, home: Path) -> None:
    store("127.0.0.1", Credential("Anna", "bgt_x"), tls=False)
    said = command(running, "logout")
    assert (said.exit_code, said.stdout) == (0, "Anna is logged out at 127.0.0.1\n")
    assert json.loads(home.read_text()) == {}


def registered(running: RunningServer, *words: str) -> Result:
    url = f"http://127.0.0.1:{running.ports[0]}"
    return CliRunner().invoke(main, ["register", "checkers", "Anna", *words, "--server", url], input="")


@pytest.mark.parametrize("account", [(), ("--account", "anna")], ids=["logged-in", "by-name"])
@pytest.mark.parametrize("by", ["token", "password"])
def test_a_table_is_registered_by_the_account_that_is_logged_in_here(
    running: RunningServer, home: Path, monkeypatch: pytest.MonkeyPatch, by: str, account: tuple[str, ...]
) -> None:
    assert registered(running, "open").exit_code == 1  # a guest: the name is an account's
    if by == "token":
        assert command(running, "login", "--name", "Anna").exit_code == 0
    else:
        monkeypatch.setenv("BOARDGATE_PASSWORD", PASSWORD)
        account = ("--account", "anna")
    made = registered(running, "open", *account)
    assert made.exit_code == 0, made.output
    assert "--ticket" in made.stdout


@pytest.mark.parametrize("by", ["token", "password", "prompt", "nobody"])
def test_watch_shows_an_account_its_own_games_against_bots(
    running: RunningServer, home: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    player = SpecClient(running.ports[1])
    assert player.handshake(f"checkers?name=Anna&against=bot&secret={PASSWORD.replace(' ', '%20')}")[1] == 0
    player.until("MSG_START")
    name = () if by in ("token", "nobody") else ("--name", "anna")
    if by == "token":
        assert command(running, "login", "--name", "Anna").exit_code == 0
    if by == "password":
        monkeypatch.setenv("BOARDGATE_PASSWORD", PASSWORD)
    words = [sys.executable, "-m", "gateway.cli", "watch", f"127.0.0.1:{running.ports[0]}", *name]
    with terminals.terminal(words, os.environ) as program:
        if by == "prompt":
            program.shows(b"password of anna")
            program.types(PASSWORD.encode() + b"\r")
        program.shows(b"Nobody plays" if by == "nobody" else b"Anna")
        program.types(b"q")
        assert program.status() == 0
    player.close()


def test_a_rated_table_is_called_rated_where_it_is_registered(running: RunningServer, home: Path) -> None:
    assert command(running, "login", "--name", "Anna").exit_code == 0
    rated, unrated = registered(running, "Bert", "--rated"), registered(running, "open")
    assert rated.stdout.splitlines()[0].endswith("checkers english, no clock, rated")
    assert unrated.stdout.splitlines()[0].endswith("checkers english, no clock")


@pytest.mark.parametrize("adapter", ["xboard", "gtp"])
def test_the_help_of_the_adapters_says_how_to_log_in(adapter: str) -> None:
    said = " ".join(CliRunner().invoke(main, [adapter, "--help"]).stdout.split())
    assert "boardgate login stores a token for a host, which is used there." in said
    assert "Or give --name, and the password in BOARDGATE_PASSWORD." in said


def test_the_log_of_the_adapter_holds_no_password(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, running: RunningServer
) -> None:
    """Its user sends it to others when something went wrong."""
    monkeypatch.setenv("BOARDGATE_PASSWORD", PASSWORD)
    words = ("xboard", f"127.0.0.1:{running.ports[3]}", "--name", "anna", "--log", str(tmp_path / "log"))
    with started(
        [sys.executable, "-m", "gateway.cli", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as adapter:
        assert adapter.stdin is not None
        assert adapter.stdout is not None
        adapter.stdin.write("xboard\nprotover 2\n")
        adapter.stdin.flush()
        while "you are Anna" not in adapter.stdout.readline():
            assert adapter.poll() is None
        adapter.stdin.write("quit\n")
        adapter.stdin.close()
        assert adapter.wait(STOP_S) == 0
    written = (tmp_path / "log").read_text()
    assert "text /login ..." in written
    assert PASSWORD not in written


def test_a_wrong_password_stores_nothing(running: RunningServer, home: Path) -> None:
    said = command(running, "login", "--name", "anna", typed="battery staple")
    assert said.exit_code == 1
    assert "name and password do not go together" in said.output
    assert not home.exists()


@pytest.mark.parametrize("by", ["token", "password"])
def test_a_bot_and_a_go_gui_use_the_accounts_name(
    running: RunningServer, home: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    name: tuple[str, ...] = ()
    if by == "token":
        assert command(running, "login", "--name", "Anna").exit_code == 0
    else:
        monkeypatch.setenv("BOARDGATE_PASSWORD", PASSWORD)
        name = ("--name", "anna")
    opponent = SpecClient(running.ports[1])
    assert opponent.handshake("tic_tac_toe?name=carl") == ("RSP_HANDSHAKE", 0)
    words = ("bot", "tic_tac_toe", f"127.0.0.1:{running.ports[1]}", *name)
    with started([sys.executable, "-m", "gateway.cli", *words], stdout=subprocess.DEVNULL):
        opponent.until("MSG_START")
        assert [called for _, called in opponent.players] == ["carl", "Anna"]
    opponent.close()
    black, white = (OnPipes((*PIPE, f"127.0.0.1:{running.ports[2]}", *more)) for more in (name, ("--name", "w")))
    black.sends("boardsize 5", "play b C3")
    white.sends("boardsize 5", "genmove b", "boardgate-opponent")
    assert [white.answer(), white.answer()] == ["=", "= C3"]
    assert "Anna" in white.answer()
    black.close()
    white.close()


def test_a_token_of_an_encrypted_login_is_sent_over_tls_only(home: Path) -> None:
    store("Games.example.org", Credential("Anna", "bgt_x"), tls=True)
    assert credential("", "games.example.org", tls=True) == Credential("Anna", "bgt_x")
    assert credential("anna", "games.example.org", tls=False) == Credential("anna")
    assert credential("bert", "games.example.org", tls=True) == Credential("bert")
    assert credential("", "example.org", tls=True) == Credential()


def test_a_file_that_makes_no_sense_holds_no_token(home: Path) -> None:
    home.parent.mkdir(parents=True)
    for text in ("[]", "{", '{"h": 1}', '{"h": {"token": "x"}}'):
        home.write_text(text)
        assert credential("", "h", tls=True) == Credential()
