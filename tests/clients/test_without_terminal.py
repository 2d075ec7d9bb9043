"""Without textual, rich and Pygments everything runs but boards in the terminal, which say what to install."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from gateway.cli.group import commands
from tests.processes import started

TERMINAL = ("textual", "rich", "pygments")

WITHOUT = (
    f"import sys; sys.modules.update(dict.fromkeys({TERMINAL})); "
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


def serves(asked: Iterable[tuple[str, ...]], without: tuple[str, ...]) -> None:
    """One process that can import none of ``without`` carries out these command lines."""
    missing = f"import sys; sys.modules.update(dict.fromkeys({without!r})); from gateway.cli import main; "
    lines = "; ".join(f"assert not CliRunner().invoke(main, {list(words)!r}).exit_code, {words!r}" for words in asked)
    code = f"{missing}from click.testing import CliRunner; {lines}"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert said.returncode == 0, said.stderr


def test_every_command_explains_itself() -> None:
    serves(((name, "--help") for part in commands().values() for name in part), TERMINAL)


def test_a_program_at_the_users_end_loads_no_database() -> None:
    """SQLAlchemy takes longer to load than all the rest of such a command."""
    names = ("play", "watch", "bot", "xboard", "gtp", "login", "logout", "relay", "register")
    serves(((name, "--help") for name in names), ("sqlalchemy",))


def test_a_server_starts_and_its_record_is_listed(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    words = ("serve", "--data", data, "--listen", "bogaprot=127.0.0.1:0", "--listen", "http=127.0.0.1:0")
    command = [sys.executable, "-c", WITHOUT, *words]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        assert any(line == "ready\n" for line in server.stdout)
        server.terminate()
        assert server.wait(60) == 0
    listings = (("tables",), ("verify", "--all"), ("ban", "list"), ("account", "log"), ("log",))
    serves([("games",), *((*listing, "--data", data) for listing in listings)], TERMINAL)
