"""The programs of docs/api.md play a whole game by clients that others' generators have made of the API's document.

A client is generated anew, checked with its program by the types of its language, and run against a server.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests import peers
from tests.running import server

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "api.md"

SHOWN: Final = "http://127.0.0.1:8080"
"""The server of the document's programs."""

PACKAGES: Final = ("openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3")

TSC: Final = ("--strict", "--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler")

LIMIT_S: Final = 300.0
"""Seconds that a command may take where other tests run beside it; alone none takes more than ten."""


@pytest.fixture
def origin(tmp_path: Path) -> Iterator[str]:
    """A server; the address of its API."""
    with server(tmp_path / "data", "http", BOTS_WORKERS="0") as running:
        yield f"http://127.0.0.1:{running.ports[0]}"


def program(language: str, origin: str) -> str:
    """The program of the document in this language, for the server there."""
    (found,) = re.findall(
        rf"^```{language}\n(.*?)^```$", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    assert SHOWN in found
    return str(found).replace(SHOWN, origin)


def run(folder: Path, *command: str) -> str:
    """The standard output of a command that succeeds. A generator runs programs of our environment, too."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=LIMIT_S, cwd=folder, env=environment, check=False
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
    return done.stdout


def played(printed: str) -> None:
    """Each move was heard by both seats, and the game has ended by the rules."""
    *moves, end = printed.splitlines()
    assert [move.split()[1] for move in moves[::2]] == [move.split()[1] for move in moves[1::2]]
    assert end == "0 rules"


@peers.needed  # that generator is a program of others, though pip installs it
def test_a_client_of_openapi_python_client_plays_a_game(tmp_path: Path, origin: str) -> None:
    generate = (sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning")
    run(tmp_path, *generate, "--url", f"{origin}/api/openapi.json", "--output-path", "boardgate_client")
    (tmp_path / "play.py").write_text(program("python", origin))
    checks = ("--strict", "--follow-imports=silent", "--cache-dir", str(tmp_path / "checked"))
    run(tmp_path, sys.executable, "-m", "mypy", *checks, "play.py")
    played(run(tmp_path, sys.executable, "play.py"))


@peers.needed
@pytest.mark.nightly  # installs packages of npm; the Python client is tried by day
def test_a_client_of_openapi_typescript_plays_a_game(tmp_path: Path, origin: str) -> None:
    npm, node = str(peers.program("npm")), str(peers.program("node"))
    (tmp_path / "package.json").write_text(json.dumps({"type": "module", "private": True}))
    run(tmp_path, npm, "install", "--no-audit", "--no-fund", "--no-package-lock", "--no-save", *PACKAGES)
    installed = tmp_path / "node_modules" / ".bin"
    run(tmp_path, str(installed / "openapi-typescript"), f"{origin}/api/openapi.json", "--output", "boardgate.d.ts")
    (tmp_path / "play.ts").write_text(program("typescript", origin))
    run(tmp_path, str(installed / "tsc"), *TSC, "play.ts")
    played(run(tmp_path, node, "play.js"))
