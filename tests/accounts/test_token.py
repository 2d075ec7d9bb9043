"""The host's token comes from the settings or a file, is long enough, and is required where only the host registers."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.accounts.tokens import SHORTEST, AdminToken
from gateway.config import BadSetting, Registering

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
