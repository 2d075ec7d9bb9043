"""``boardgate account list``, ``show`` and ``reset``: a host looks at accounts, and gives one back to its owner."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateway.accounts import logins
from gateway.accounts.logins import fits, hashed
from gateway.cli import main
from gateway.store.accounts import SqlAccounts
from gateway.store.bans import Ban, SqlBans
from gateway.store.identities import Identity
from gateway.store.mail import Letters
from gateway.store.reports import Report, Reports
from gateway.store.sessions import Sessions, begun
from gateway.store.tokens import FOREVER, Token
from tests.cli.playing import record
from tests.passwords import CHEAP

NOW = time.time()
ADDRESS = "anna@example.org"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(logins, "_hasher", CHEAP)
    record(tmp_path)
    return tmp_path


def url(data: Path) -> str:
    return f"sqlite:///{data / 'boardgate.db'}"


@pytest.fixture
def accounts(data: Path) -> Iterator[SqlAccounts]:
    with closing(SqlAccounts(url(data))) as made:
        for name in ("Anna", "Bert", "hannah"):
            made.add(name, hashed("correct horse"), "root")
        yield made


def account(data: Path, *arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["account", *arguments, "--data", str(data)], input=typed)


def rows(said: str) -> list[list[str]]:
    """The cells of a table's rows, split at blanks."""
    return [line.split() for line in said.splitlines()[3:] if line.strip()]


def test_accounts_are_listed_searched_and_paged(data: Path, accounts: SqlAccounts) -> None:
    accounts.set_bot("bert", True, "root")
    accounts.set_disabled("hannah", True, "root")
    said = account(data, "list")
    assert said.exit_code == 0
    assert [(cells[0], cells[-1]) for cells in rows(said.stdout)][1:] == [("Bert", "program"), ("hannah", "disabled")]
    assert [cells[0] for cells in rows(account(data, "list", "--search", "ANN").stdout)] == ["Anna", "hannah"]
    first = account(data, "list", "--most", "2")
    assert [cells[0] for cells in rows(first.stdout)] == ["Anna", "Bert"]
    assert first.stderr == "there are more: --after Bert\n"
    assert [cells[0] for cells in rows(account(data, "list", "--after", "Bert").stdout)] == ["hannah"]


def test_a_list_for_programs_is_one_of_json(data: Path, accounts: SqlAccounts) -> None:
    accounts.add_token(Token(b"t", "Anna", NOW, FOREVER, "laptop", used_at=None))
    found = json.loads(account(data, "list", "--search", "anna", "--most", "1", "--json").stdout)
    assert [{key: value for key, value in one.items() if key != "created_at"} for one in found] == [
        {"name": "Anna", "seen_at": None, "program": False, "disabled_at": None, "tokens": 1}
    ]


def furnish(data: Path, accounts: SqlAccounts) -> None:
    accounts.add_token(Token(b"t", "Anna", NOW, FOREVER, "laptop", frozenset({"board:play"})), "Anna")
    with (
        closing(Sessions(url(data))) as sessions,
        closing(Reports(url(data))) as reports,
        closing(Letters(url(data))) as letters,
        closing(SqlBans(url(data))) as bans,
    ):
        sessions.add(b"a session", begun("account", "Anna", NOW))
        reports.add(Report(NOW, "Bert", "192.0.2.1", 7, "Anna", "rude\nwords"))
        letters.want("anna", ADDRESS, time.time(), time.time() + 600)
        bans.add(Ban("name", "\u0410nna", "an engine"), "root")


def test_one_account_is_shown_without_a_secret(data: Path, accounts: SqlAccounts) -> None:
    furnish(data, accounts)
    said = account(data, "show", "ANNA")
    assert said.exit_code == 0
    for part in (
        "Anna: a person, since ",
        "banned: as \u0410nna, until it is removed: an engine",
        "mail: an address that is not confirmed\n",
        "games: 0 tables, 0 rated games that ended",
        "logged in: 1 browsers, 1 tokens",
        "laptop   board:play",
        "waits   rude words",
    ):
        assert part in said.stdout, part
    assert ADDRESS not in said.stdout
    found = accounts.find("anna")
    assert found is not None
    assert found.password_hash not in said.stdout
    assert ADDRESS in account(data, "show", "anna", "--mail").stdout
    unknown = account(data, "show", "nobody")
    assert (unknown.exit_code, unknown.stderr) == (1, "Error: there is no account 'nobody'\n")


def test_one_account_is_shown_to_programs(data: Path, accounts: SqlAccounts) -> None:
    furnish(data, accounts)
    found = json.loads(account(data, "show", "anna", "--json").stdout)
    assert (found["name"], found["mail"], found["banned"]["reason"]) == ("Anna", "waits", "an engine")
    assert "mail_address" not in found
    assert [(one["name"], one["scopes"], one["until"]) for one in found["token_list"]] == [
        ("laptop", ["board:play"], None)
    ]
    assert [(one["by"], one["table"], one["text"]) for one in found["reports"]] == [("Bert", 7, "rude\nwords")]
    assert [act["act"] for act in found["acts"]][-1] == "account.added"
    assert len(found["sessions"]) == 1
    assert json.loads(account(data, "show", "anna", "--mail", "--json").stdout)["mail_address"] == ADDRESS


def test_a_link_to_a_login_elsewhere_is_shown_and_ends_with_a_reset(data: Path, accounts: SqlAccounts) -> None:
    accounts.add("Cora", "hash", "root", identity=Identity("https://login.example.org", "a subject"))
    said = account(data, "show", "cora").stdout
    assert "linked: to a login of https://login.example.org, since " in said
    assert "a subject" not in said
    (link,) = json.loads(account(data, "show", "cora", "--json").stdout)["linked"]
    assert link["issuer"] == "https://login.example.org"
    assert account(data, "reset", "cora", "--yes").exit_code == 0
    assert json.loads(account(data, "show", "cora", "--json").stdout)["linked"] == []


def test_an_account_is_given_back_to_its_owner(data: Path, accounts: SqlAccounts) -> None:
    furnish(data, accounts)
    said = account(data, "reset", "anna", "--yes", "--for", "2h")
    assert said.exit_code == 0
    assert re.fullmatch(
        r"Anna: reset\nAnna: http://127\.0\.0\.1:8080/password#[\w-]{32}, good once, until .* UTC\n", said.stdout
    )
    found = json.loads(account(data, "show", "anna", "--json").stdout)
    assert (found["mail"], found["tokens"], found["sessions"]) == (None, 0, [])
    assert [act["act"] for act in found["acts"]][:2] == ["account.link", "account.reset"]
    kept = accounts.find("anna")
    assert kept is not None
    assert not fits(kept.password_hash, "correct horse")


def test_a_reset_is_asked_about_first(data: Path, accounts: SqlAccounts) -> None:
    refused = account(data, "reset", "anna", typed="n\n")
    assert (refused.exit_code, "log anna out everywhere" in refused.output) == (1, True)
    kept = accounts.find("anna")
    assert kept is not None
    assert fits(kept.password_hash, "correct horse")
    assert account(data, "reset", "anna", typed="y\n").exit_code == 0
    assert account(data, "reset", "nobody", "--yes").stderr == "Error: there is no account 'nobody'\n"


def test_a_disabled_account_is_reset_without_a_link(data: Path, accounts: SqlAccounts) -> None:
    accounts.set_disabled("anna", True, "root")
    said = account(data, "reset", "anna", "--yes")
    assert said.exit_code == 0
    assert "/password#" not in said.stdout
    assert "Anna: is disabled and gets no link" in said.stdout
