"""The database's password comes from a file into the URL, and is not shown where it is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import make_url

from gateway.config import BadSetting, load

SECRET = "p@ss:w/rd?#% ü"
"""Every character that means something in a URL."""


def settings(tmp_path: Path, content: str, database: str = "postgresql+psycopg://club@db.example:5433/games") -> str:
    """The database's URL with this file of a password."""
    file = tmp_path / "password"
    file.write_text(content, encoding="utf-8")
    environ = {"BOARDGATE_SERVER_DATABASE": database, "BOARDGATE_SERVER_DATABASE_PASSWORD_FILE": str(file)}
    return load(environ=environ).database_url


@pytest.mark.parametrize("content", [SECRET, f"{SECRET}\n", f"{SECRET}\nsecond line\n"])
def test_the_first_line_is_the_users_password(tmp_path: Path, content: str) -> None:
    url = make_url(settings(tmp_path, content))
    assert (url.username, url.password, url.host, url.port, url.database) == (
        "club",
        SECRET,
        "db.example",
        5433,
        "games",
    )


@pytest.mark.parametrize(
    "database",
    [
        "postgresql+psycopg://club:other@db.example/games",
        "postgresql+psycopg://db.example/games",
        "sqlite:///DATA/boardgate.db",
    ],
)
def test_a_database_without_a_user_or_with_a_password_is_refused(tmp_path: Path, database: str) -> None:
    with pytest.raises(BadSetting, match="must name a user and no password") as refused:
        settings(tmp_path, SECRET, database)
    assert "other" not in str(refused.value)


@pytest.mark.parametrize("content", ["", "\n", "  \nsecond line"])
def test_an_empty_password_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(BadSetting, match="its first line is empty"):
        settings(tmp_path, content)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    environ = {
        "BOARDGATE_SERVER_DATABASE": "postgresql+psycopg://club@db.example/games",
        "BOARDGATE_SERVER_DATABASE_PASSWORD_FILE": str(tmp_path / "absent"),
    }
    with pytest.raises(BadSetting, match=r"database_password_file .*absent"):
        load(environ=environ)
