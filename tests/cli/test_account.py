"""``boardgate account``: names are registered in the database, and every change is written down."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner, Result

from gateway.accounts import logins
from gateway.accounts.logins import fits
from gateway.accounts.tokens import digest
from gateway.cli import main
from gateway.store.accounts import Account, SqlAccounts
from gateway.store.tokens import Token
from tests.cli.playing import record
from tests.passwords import CHEAP
from tests.terminals import terminal

PASSWORD = "correct horse\n"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(logins, "_hasher", CHEAP)
    record(tmp_path)
    return tmp_path


def account(data: Path, *arguments: str, typed: str = PASSWORD) -> Result:
    return CliRunner().invoke(main, ["account", *arguments, "--data", str(data)], input=typed)


def program(data: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "gateway.cli", "account", *arguments, "--data", str(data)]


def kept(data: Path, name: str) -> Account:
    with closing(SqlAccounts(f"sqlite:///{data / 'boardgate.db'}")) as accounts:
        found = accounts.find(name)
    assert found is not None
    return found


def test_the_tokens_of_an_account_are_ended_and_its_password_stays(data: Path) -> None:
    account(data, "add", "Anna", "--password-stdin")
    before = kept(data, "anna")
    with closing(SqlAccounts(f"sqlite:///{data / 'boardgate.db'}")) as accounts:
        accounts.add_token(Token(b"d", "Anna", 0.0, 10.0))
        said = account(data, "revoke", "anna")
        assert (said.exit_code, said.stdout) == (0, "anna: tokens ended\n")
        assert accounts.token(b"d", 5.0) is None
    assert kept(data, "anna") == before
    assert "revoked" in account(data, "log").stdout


def test_a_token_is_printed_once_listed_and_revoked(data: Path) -> None:
    account(data, "add", "Anna", "--password-stdin")
    made = account(data, "token", "anna", "--name", "laptop", "--scope", "board:play", "--until", "2999-12-31")
    assert made.exit_code == 0
    assert re.fullmatch(r'token: "bgt_[A-Za-z0-9]{32}"\n', made.stdout)
    secret = made.stdout.split('"')[1]
    listed = account(data, "token", "anna", "--list").stdout
    assert secret not in listed
    [line] = [line.split() for line in listed.splitlines() if "laptop" in line]
    assert line[1:3] == ["laptop", "board:play"]
    assert "never" in listed
    assert "3000-01-01 00:00:00" in listed
    refused = account(data, "token", "anna", "--name", "laptop")
    assert (refused.exit_code, "has a token called 'laptop' already" in refused.output) == (1, True)
    said = account(data, "token", "anna", "--revoke", "Laptop")
    assert (said.exit_code, said.stdout) == (0, "Anna: the token laptop is ended\n")
    gone = account(data, "token", "anna", "--revoke", "laptop")
    assert (gone.exit_code, "Anna has no token 'laptop': --list shows them" in gone.output) == (1, True)
    lines = [line.split() for line in account(data, "log").stdout.splitlines() if "Anna" in line]
    assert [line[3] for line in lines] == ["added", "token", "token_ended"]


def test_a_lichess_bot_gets_the_lines_of_its_configuration(data: Path) -> None:
    account(data, "add", "Anna", "--password-stdin")
    made = account(data, "token", "anna", "--bot").stdout.splitlines()
    assert made[0] == "Anna: marked as a program's"
    assert made[1].startswith('token: "bgt_')
    assert made[2] == 'url: "http://127.0.0.1:8080/"'
    assert kept(data, "anna").bot
    secret = made[1].split('"')[1]
    with closing(SqlAccounts(f"sqlite:///{data / 'boardgate.db'}")) as accounts:
        token = accounts.token(digest(secret), time.time())
    assert token is not None
    assert (token.label, token.scopes, token.lasting) == ("lichess-bot", frozenset({"bot:play"}), True)


@pytest.mark.parametrize(
    ("settings", "url"),
    [
        ('[server]\npublic_host = "games.example.org"\n', "https://games.example.org/"),
        ('[[listen]]\ndialect = "http"\naddress = "0.0.0.0:80"\n', "http://127.0.0.1:80/"),
        (
            '[[listen]]\ndialect = "http"\naddress = "127.0.0.1:443"\noptions = {tls_cert = "a", tls_key = "b"}\n',
            "https://127.0.0.1:443/",
        ),
        ('[[listen]]\ndialect = "bogaprot"\naddress = "127.0.0.1:5700"\n', "http://HOST:PORT/"),
    ],
)
def test_the_address_of_the_server_is_that_of_the_settings(data: Path, settings: str, url: str) -> None:
    account(data, "add", "Anna", "--password-stdin")
    (data / "settings.toml").write_text(settings)
    with_settings = "--config", str(data / "settings.toml")
    made = account(data, "token", "anna", "--bot", *with_settings)
    assert made.stdout.splitlines()[-1] == f'url: "{url}"'
    assert account(data, "link", "anna", *with_settings).stdout.startswith(f"Anna: {url}password#")
    assert f"\nAnna: {url}password#" in account(data, "reset", "anna", "--yes", *with_settings).stdout


def test_an_account_is_marked_as_a_programs_and_as_a_persons(data: Path) -> None:
    account(data, "add", "Anna", "--password-stdin")
    said = [account(data, "bot", "anna", *options).stdout for options in ([], [], ["--off"], ["--off"])]
    assert said == [
        "anna: marked as a program's\n",
        "anna: was a program's already\n",
        "anna: marked as a person's\n",
        "anna: was a person's already\n",
    ]
    unknown = account(data, "bot", "bert")
    assert (unknown.exit_code, unknown.stderr) == (1, "Error: there is no account 'bert'\n")


def test_listing_and_revoking_stand_alone(data: Path) -> None:
    account(data, "add", "Anna", "--password-stdin")
    refused = account(data, "token", "anna", "--list", "--bot")
    assert (refused.exit_code, "--list and --revoke stand alone" in refused.output) == (2, True)
    assert not kept(data, "anna").bot


def test_a_name_is_registered_with_a_password_from_standard_input(data: Path) -> None:
    said = account(data, "add", "Anna", "--password-stdin")
    assert (said.exit_code, said.stdout) == (0, "Anna: added\n")
    assert fits(kept(data, "anna").password_hash, "correct horse")
    assert "correct horse" not in said.output


@pytest.mark.parametrize(("again", "status"), [(b"correct horse\r", 0), (b"another horse\r", 1)])
def test_at_a_terminal_a_new_password_is_asked_for_twice_and_not_shown(data: Path, again: bytes, status: int) -> None:
    with terminal(program(data, "add", "anna"), os.environ) as host:
        host.shows(b"password for anna: ")
        host.types(b"correct horse\r")
        host.shows(b"Repeat for confirmation: ")
        host.types(again)
        if status:
            host.shows(b"The two entered values do not match.\r\npassword for anna: ")
            host.types(b"\x03")
        assert host.status() == status
    assert b"horse" not in host.shown


@pytest.mark.parametrize("options", [[], ["--password-stdin"]])
def test_a_piped_password_is_its_first_line_and_prints_no_warning(data: Path, options: list[str]) -> None:
    added = subprocess.run(
        program(data, "add", "anna", *options), input=b"correct horse\nmore\n", capture_output=True, check=False
    )
    assert (added.returncode, added.stdout) == (0, b"anna: added\n")
    assert b"Warning" not in added.stderr
    assert b"password" not in added.stderr
    assert fits(kept(data, "anna").password_hash, "correct horse")


def test_without_a_password_on_the_pipe_nothing_is_registered(data: Path) -> None:
    refused = account(data, "add", "anna", typed="")
    assert (refused.exit_code, "Aborted" in refused.output) == (1, True)


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [
        ("anna", "short\n", "a password has 8 to 256 characters, not 5"),
        ("bot-1", PASSWORD, "is what house bots are called"),
        ("guest-7", PASSWORD, "is what guests are called"),
        ("\x07", PASSWORD, "no name"),
    ],
)
def test_what_makes_no_account_is_refused_in_one_line(data: Path, name: str, typed: str, said: str) -> None:
    refused = account(data, "add", name, "--password-stdin", typed=typed)
    assert refused.exit_code != 0
    assert said in refused.output
    assert "Traceback" not in refused.output


def test_a_name_with_a_word_of_the_hosts_list_makes_no_account(data: Path) -> None:
    (data / "words").write_text("twit\n")
    (data / "settings.toml").write_text(f'[server]\nwords_file = "{data / "words"}"\n')
    refused = account(data, "add", "Tw1t", "--password-stdin", "--config", str(data / "settings.toml"))
    assert (refused.exit_code, "a word of this name is not used here" in refused.output) == (1, True)


def test_a_name_that_is_registered_is_not_registered_again(data: Path) -> None:
    account(data, "add", "anna", "--password-stdin")
    refused = account(data, "add", "ANNA", "--password-stdin")
    assert (refused.exit_code, "the name ANNA is registered already" in refused.output) == (1, True)


def test_a_name_that_looks_like_a_registered_one_is_not_registered(data: Path) -> None:
    account(data, "add", "coco", "--password-stdin")
    refused = account(data, "add", "\u0441\u043e\u0441\u043e", "--password-stdin")
    assert (refused.exit_code, "looks like coco, which is registered already" in refused.output) == (1, True)


def test_a_password_is_changed_and_an_account_disabled_and_enabled(data: Path) -> None:
    account(data, "add", "anna", "--password-stdin")
    assert account(data, "passwd", "anna", "--password-stdin", typed="battery staple\n").exit_code == 0
    assert fits(kept(data, "anna").password_hash, "battery staple")
    assert account(data, "disable", "anna").exit_code == 0
    assert kept(data, "anna").disabled_at is not None
    assert account(data, "enable", "anna").exit_code == 0
    assert kept(data, "anna").disabled_at is None


def test_a_link_is_printed_for_a_forgotten_password(data: Path) -> None:
    account(data, "add", "Anna", "--password-stdin")
    printed = account(data, "link", "anna", "--for", "2h").stdout
    assert printed.startswith("Anna: http://127.0.0.1:8080/password#")
    assert printed.rstrip().endswith(" UTC")
    code = printed.partition("#")[2].partition(",")[0]
    with closing(SqlAccounts(f"sqlite:///{data / 'boardgate.db'}")) as accounts:
        assert accounts.use_link(digest(code), "a hash", time.time() + 7000) == "Anna"
    assert kept(data, "anna").password_hash == "a hash"


@pytest.mark.parametrize("change", ["passwd", "link", "disable", "enable"])
def test_a_name_that_nobody_has_cannot_be_changed(data: Path, change: str) -> None:
    options = ["--password-stdin"] if change == "passwd" else []
    refused = account(data, change, "anna", *options)
    assert (refused.exit_code, "there is no account 'anna'" in refused.output) == (1, True)


def test_every_change_is_shown_with_who_made_it(data: Path) -> None:
    account(data, "add", "anna", "--password-stdin")
    account(data, "disable", "anna")
    lines = [line.split() for line in account(data, "log").stdout.splitlines() if "anna" in line]
    assert [line[3] for line in lines] == ["added", "disabled"]
    assert len({line[4] for line in lines}) == 1


def test_without_a_database_nothing_is_created(tmp_path: Path) -> None:
    refused = account(tmp_path, "add", "anna", "--password-stdin")
    assert (refused.exit_code, list(tmp_path.iterdir())) == (1, [])


def test_all_data_of_an_account_are_written_as_a_zip_file(data: Path) -> None:
    account(data, "add", "Anna", "--password-stdin")
    said = account(data, "export", "anna")
    assert said.exit_code == 0
    files = ZipFile(io.BytesIO(said.stdout_bytes))
    assert files.testzip() is None
    assert json.loads(files.read("account.json"))["name"] == "Anna"
    unknown = account(data, "export", "bert")
    assert (unknown.exit_code, unknown.stderr) == (1, "Error: there is no account 'bert'\n")
