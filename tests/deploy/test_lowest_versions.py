"""The lowest versions that pyproject.toml admits: installed into an environment of their own, they play whole games."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests import peers
from tests.processes import started
from tests.structure import PRODUCT
from tests.terminals import terminal

ROOT: Final = Path(__file__).parent.parent.parent
INSTALL_S: Final = 600.0
"""Seconds that the packages may take, some forty of them, where none is cached."""

COMMAND_S: Final = 120.0

pytestmark = [peers.needed, pytest.mark.nightly]  # they change with the dependencies alone, and are installed anew here


def lowest() -> list[str]:
    """Each dependency at its lower bound."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *extras["postgresql"], *extras["terminal"]]
    return [re.sub(r"(\[.*\])?>=([\d.]+),<\d+$", r"==\2", one) for one in needed]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment with the lowest versions."""
    folder = tmp_path_factory.mktemp("lowest")
    tree = folder / "tree"
    for name in PRODUCT:
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    bounds = folder / "lowest.txt"
    bounds.write_text("\n".join(lowest()))
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    pip = [str(folder / "venv/bin/python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    command = [*pip, "--constraint", str(bounds), f"{tree}[postgresql,terminal]"]
    installed = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_S)
    assert installed.returncode == 0, installed.stderr[-2000:]
    return folder / "venv/bin"


@contextmanager
def serving(programs: Path, data: Path) -> Iterator[str]:
    """A server of that environment on a free port, which is given, with house bots that come at once."""
    listen = "bogaprot=127.0.0.1:0,bot_after=0s"
    command = [
        str(programs / "boardgate"),
        "serve",
        "--data",
        str(data),
        "--listen",
        listen,
        "--listen",
        "http=127.0.0.1:0",
    ]
    log = data.with_suffix(".log")
    with log.open("w") as err, started(command, stdout=subprocess.PIPE, stderr=err, text=True) as server:
        assert server.stdout is not None
        try:
            lines = []
            for line in server.stdout:
                lines.append(line)
                if line.strip() == "ready":
                    break
            assert lines[-1:] == ["ready\n"], log.read_text()[-2000:]
            yield lines[0].split()[2].rpartition(":")[2]
        finally:
            server.terminate()
            assert server.wait(COMMAND_S) == 0
    assert "Traceback" not in log.read_text()


def test_the_lowest_versions_are_those_that_are_installed(programs: Path) -> None:
    listed = (
        subprocess.run(
            [programs / "python", "-m", "pip", "--disable-pip-version-check", "list", "--format=freeze"],
            capture_output=True,
            text=True,
            check=True,
            timeout=COMMAND_S,
        )
        .stdout.lower()
        .replace("_", "-")
    )
    found = dict(line.split("==") for line in listed.splitlines())
    for one in lowest():
        name, _, version = one.lower().partition("==")
        assert re.sub(r"(\.0)*$", "", found[name]) == re.sub(r"(\.0)*$", "", version), one


def test_the_lowest_versions_serve_a_whole_game_and_prove_it(programs: Path, tmp_path: Path) -> None:
    def boardgate(*words: str) -> str:
        command = [str(programs / "boardgate"), *words]
        run = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_S, cwd=tmp_path)
        assert run.returncode == 0, run.stderr[-2000:]
        return str(run.stdout)

    data = tmp_path / "data"
    with serving(programs, data) as port:
        boardgate("bot", "ludo", f"127.0.0.1:{port}", "--name", "ann", "--games", "1")
    assert "the record is whole" in boardgate("verify", "1", "--data", str(data))


def test_the_lowest_versions_play_in_a_terminal(programs: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "34"}
    with serving(programs, tmp_path / "data") as port:
        words = ["play", "tic_tac_toe", f"127.0.0.1:{port}", "--name", "ann", "--against", "bot"]
        with terminal([str(programs / "boardgate"), *words], environment) as program:
            program.shows(b"Your move")
            program.types(b"\t\r")
            program.shows(b"bot-2: ")
            program.types(b"r")
            program.shows(b"Resign this game?")
            program.types(b"y")
            program.shows(b"you resigned")
            program.types(b"q")
            assert program.status() == 0, program.shown[-2000:]
