"""Without textual, rich and Pygments everything runs but boards in the terminal, which say what to install."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from gateway.cli.group import commands

WITHOUT = (
    "import sys; sys.modules.update(dict.fromkeys(('textual', 'rich', 'pygments'))); "
    "from gateway.cli import main; main(sys.argv[1:], 'boardgate')"
)
"""A command line that can import none of the three."""


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", WITHOUT, *words], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("words", [("play", "ludo"), ("watch",)])
def test_a_board_in_the_terminal_says_in_one_line_what_to_install(words: tuple[str, ...]) -> None:
    said = run(*words)
    line = "Error: a board needs textual, which is not installed: pip install 'boardgate[terminal]'\n"
    assert (said.returncode, said.stdout, said.stderr) == (1, "", line)


def explained(names: Iterable[str], *without: str) -> None:
    """One process that can import none of ``without`` shows the help of these commands."""
    missing = f"import sys; sys.modules.update(dict.fromkeys({without!r})); from gateway.cli import main; "
    shown = "; ".join(
        f"assert not CliRunner().invoke(main, [{name!r}, '--help']).exit_code, {name!r}" for name in names
    )
    code = f"{missing}from click.testing import CliRunner; {shown}"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert said.returncode == 0, said.stderr


def test_every_command_explains_itself() -> None:
    explained((name for part in commands().values() for name in part), "textual", "rich", "pygments")


def test_a_program_at_the_users_end_loads_no_database() -> None:
    """SQLAlchemy takes longer to load than all the rest of such a command."""
    explained(("play", "watch", "bot", "xboard", "gtp", "login", "logout", "relay", "register"), "sqlalchemy")


def test_a_server_starts_and_its_record_is_listed(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    words = ("serve", "--data", data, "--listen", "bogaprot=127.0.0.1:0", "--listen", "http=127.0.0.1:0")
    command = [sys.executable, "-c", WITHOUT, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        assert any(line == "ready\n" for line in server.stdout)
        server.terminate()
        assert server.wait(60) == 0
    for listing in (("tables",), ("verify", "--all"), ("ban", "list"), ("account", "log"), ("log",)):
        said = run(*listing, "--data", data)
        assert said.returncode == 0, said.stderr
    assert run("games").returncode == 0
