"""The command line prints help, its version, and errors in one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gateway.cli import main
from gateway.cli.group import commands, explain
from gateway.release import release
from protocols.core.errors import BoardgateError
from tests.cli.playing import run

NAMES = [name for part in commands().values() for name in part]


def test_help_lists_every_command_and_shows_examples() -> None:
    shown = run("--help").output
    assert all(f"\n  {name} " in shown for name in NAMES)
    assert "boardgate play ludo --against bot" in shown


def test_help_and_version_load_neither_database_nor_server_nor_terminal_pages() -> None:
    heavy = {"sqlalchemy", "trio", "textual", "starlette", "rich", "structlog", "msgspec"}
    script = (
        "import sys; from gateway.cli import main\n"
        "try: main(['--help'])\n"
        f"except SystemExit: print(sorted({heavy!r} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_the_version_is_said_with_the_build() -> None:
    assert run("--version").output == f"boardgate {release().words}\n"


@pytest.mark.parametrize("name", NAMES)
def test_every_listed_command_loads_and_explains_itself(name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0, result.output
    assert result.output.startswith(f"Usage: boardgate {name}")


def test_a_misspelt_command_is_refused_with_the_nearest_one() -> None:
    result = run("tabels")
    assert (result.exit_code, "did you mean tables?" in result.output) == (2, True)


def test_without_a_command_the_help_is_shown() -> None:
    assert "Run a server:" in run().output


def test_a_wrong_setting_is_one_line_and_status_1(tmp_path: Path) -> None:
    file = tmp_path / "b.toml"
    file.write_text("[limits]\nconections = 1\n", encoding="utf-8")
    result = run("migrate", "--config", file)
    expected = f"Error: {file}: [limits]: there is no setting conections; did you mean connections?\n"
    assert (result.exit_code, result.output) == (1, expected)


def test_a_missing_file_is_one_line() -> None:
    result = run("tables", "--config", "/nonexistent/b.toml")
    assert (result.exit_code, result.output) == (1, "Error: /nonexistent/b.toml: No such file or directory\n")


def test_traceback_shows_where_an_error_came_from() -> None:
    result = CliRunner().invoke(main, ["--traceback", "tables", "--config", "/nonexistent/b.toml"])
    assert isinstance(result.exception, FileNotFoundError)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (BoardgateError("no such thing"), "no such thing"),
        (OSError(98, "Address already in use"), "[Errno 98] Address already in use"),
        (PermissionError(13, "Permission denied", "/var/x"), "/var/x: Permission denied"),
        (ExceptionGroup("two", [BoardgateError("a"), ExceptionGroup("", [BoardgateError("b")])]), "a; b"),
        (ExceptionGroup("two alike", [BoardgateError("a"), BoardgateError("a")]), "a"),
        (ExceptionGroup("one is a defect", [BoardgateError("a"), KeyError("b")]), None),
        (BrokenPipeError(32, "Broken pipe"), None),
        (ModuleNotFoundError("No module named 'psycopg'", name="psycopg"), "psycopg is not installed"),
        (ModuleNotFoundError("No module named 'gateway.x'", name="gateway.x"), None),
        (ValueError("a defect"), None),
        (click.UsageError("click's own"), None),
    ],
)
def test_only_what_is_no_defect_is_explained_in_a_line(error: Exception, text: str | None) -> None:
    assert explain(error) == text


def test_an_absent_database_is_explained_by_what_the_driver_says() -> None:
    from sqlalchemy import create_engine
    from sqlalchemy.exc import OperationalError

    with pytest.raises(OperationalError) as caught:
        create_engine("sqlite:////nonexistent/folder/x.db").connect()
    assert explain(caught.value) == "database: unable to open database file"
