"""``boardgate login`` against a running server: what is stored, and which of our commands use it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateway.accounts.passwords import hashed
from gateway.cli import main
from gateway.clients.credentials import Credential, credential, store
from gateway.store.accounts import SqlAccounts
from migrations import upgrade
from tests.conformance.gtp.ends import PIPE, OnPipes
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer

PASSWORD = "correct horse"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningServer]:
    url = f"sqlite:///{tmp_path / 'boardgate.db'}"
    upgrade(url, lambda line: None)
    with closing(SqlAccounts(url)) as accounts:
        accounts.add("Anna", hashed(PASSWORD), "root")
    with fast(tmp_path, "http", "bogaprot", "gtp-gui") as server:
        yield server


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where tokens are kept."""
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
    with subprocess.Popen([sys.executable, "-m", "gateway.cli", *words], stdout=subprocess.DEVNULL) as bot:
        opponent.until("MSG_START")
        assert [called for _, called in opponent.players] == ["carl", "Anna"]
        bot.kill()
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
