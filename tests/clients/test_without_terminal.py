"""Without textual, rich and Pygments everything runs but boards in the terminal, which say what to install."""

from __future__ import annotations

import subprocess
import sys
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


def test_every_command_explains_itself() -> None:
    names = [name for part in commands().values() for name in part]
    helped = "; ".join(
        f"assert CliRunner().invoke(main, [{name!r}, '--help']).exit_code == 0, {name!r}" for name in names
    )
    code = f"{WITHOUT.rpartition(';')[0]}; from click.testing import CliRunner; {helped}"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert said.returncode == 0, said.stderr


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
