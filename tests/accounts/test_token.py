"""Tokens of accounts are letters and digits with a name, scopes and an end; the host's comes from the settings."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gateway.accounts.issuing import LOGIN_S, issue
from gateway.accounts.tokens import SHORTEST, AdminToken, digest, new_token
from gateway.config import BadSetting, Registering
from protocols.core.errors import Refused
from tests.store.accounts_memory import MemoryAccounts

SECRET = "s" * SHORTEST


def test_a_token_fits_itself_and_nothing_else() -> None:
    token = AdminToken(Registering(admin_token=SECRET))
    assert token.fits(SECRET)
    assert not token.fits(SECRET + "s")
    assert not token.fits("")


def test_without_a_token_nothing_fits() -> None:
    assert not AdminToken(Registering()).fits("")


def test_a_token_is_the_first_line_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f" {SECRET} \nand a remark\n")
    assert AdminToken(Registering(admin_token_file=str(tmp_path / "token"))).fits(SECRET)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="missing"):
        AdminToken(Registering(admin_token_file=str(tmp_path / "missing")))


def test_a_short_token_is_refused() -> None:
    with pytest.raises(BadSetting, match="has 5 characters; at least 22"):
        AdminToken(Registering(admin_token="short"))


def test_an_empty_file_is_no_token(tmp_path: Path) -> None:
    (tmp_path / "token").touch()
    with pytest.raises(BadSetting, match="has 0 characters"):
        AdminToken(Registering(admin_token_file=str(tmp_path / "token")))


def test_a_host_who_alone_registers_needs_a_token() -> None:
    with pytest.raises(BadSetting, match="needs admin_token_file"):
        AdminToken(Registering(who="admin"))


@pytest.fixture
def accounts() -> MemoryAccounts:
    made = MemoryAccounts()
    made.add("Anna", "hash", "root")
    return made


def test_tokens_are_of_letters_and_digits_and_never_the_same() -> None:
    made = {new_token() for _ in range(50)}
    assert len(made) == 50
    assert all(re.fullmatch(r"bgt_[A-Za-z0-9]{32}", token) for token in made)


def test_a_token_with_a_name_lasts_and_a_logins_for_ninety_days(accounts: MemoryAccounts) -> None:
    token, named = issue(accounts, "Anna", "root", "  my   bot ", ["bot:play", "challenge:write"])
    _, login = issue(accounts, "Anna", "root")
    assert (named.label, named.lasting, named.digest) == ("my bot", True, digest(token))
    assert (login.label, login.expires_at - login.created_at, login.scopes) == ("", LOGIN_S, frozenset({"all"}))
    assert issue(accounts, "Anna", "root", "x", ["all", "bot:play"])[1].scopes == {"all"}


def test_a_token_lasts_through_the_day_that_is_asked_for(accounts: MemoryAccounts) -> None:
    _, made = issue(accounts, "Anna", "root", "event", until="2999-12-31")
    assert made.expires_at == datetime(3000, 1, 1, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("label", "scopes", "until", "said"),
    [
        ("x" * 41, ["all"], "", "1 to 40 characters"),
        ("  ", ["all"], "", "1 to 40 characters"),
        ("a\x1b[2J", ["all"], "", "1 to 40 characters"),
        ("bot", [], "", "not for nothing"),
        ("bot", ["bot:play", "email:read"], "", "not for email:read"),
        ("bot", ["all"], "tomorrow", "'tomorrow' is no day"),
        ("bot", ["all"], "9999-12-31", "is no day"),
        ("bot", ["all"], "9999-01-02", "a day to come"),
        ("bot", ["all"], "2020-01-01", "a day to come, not until 2020-01-01"),
    ],
)
def test_a_token_of_no_name_scope_or_day_is_refused(
    accounts: MemoryAccounts, label: str, scopes: list[str], until: str, said: str
) -> None:
    with pytest.raises(Refused, match=said):
        issue(accounts, "Anna", "root", label, scopes, until)
    assert accounts.tokens("Anna", 0.0) == []
