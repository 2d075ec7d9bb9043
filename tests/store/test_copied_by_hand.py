"""``boardgate migrate --from`` as a host runs it, on a terminal and without one: tens of thousands of events."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import migrations
from tests.store.old import finished, put
from tests.store.test_copying import contents
from tests.terminals import terminal

TABLES, LENGTH = 200, 100
PATIENCE_S = 60
INTERRUPT = b"\x03"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('old') / 'boardgate.db'}"
    migrations.upgrade(url)
    put(url, *(finished(table, 1.0, length=LENGTH) for table in range(1, TABLES + 1)))
    return url


def command(source: str) -> list[str]:
    return [sys.executable, "-m", "gateway.cli", "migrate", "--from", source]


def environment(url: str, folder: Path) -> dict[str, str]:
    return {**os.environ, "BOARDGATE_SERVER_DATABASE": url, "BOARDGATE_SERVER_DATA": str(folder), "TERM": "xterm"}


def test_on_a_terminal_a_bar_shows_how_far_it_is(source: str, url: str, tmp_path: Path) -> None:
    with terminal(command(source), environment(url, tmp_path)) as host:
        host.shows(b"events copied")
        host.shows(b"/20000")
        assert host.status() == 0, host.shown
        assert host.shown.endswith(b"both databases hold the same, and their records are whole\r\n")
    assert contents(url) == contents(source)


def test_what_is_interrupted_leaves_nothing_and_can_be_done_again_without_a_terminal(
    source: str, url: str, tmp_path: Path
) -> None:
    with terminal(command(source), environment(url, tmp_path)) as host:
        host.shows(b"events copied")
        host.types(INTERRUPT)
        assert host.status() == 1, host.shown
        assert host.shown.endswith(b"Error: interrupted; the database to copy into is as empty as before\r\n")
        assert b"Traceback" not in host.shown
        assert b"psycopg.Pipeline" not in host.shown
    assert not any(contents(url).values())
    done = subprocess.run(
        command(source), env=environment(url, tmp_path), capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    assert "events copied: 20,000 rows" in done.stderr.splitlines()
    assert done.stderr.splitlines()[-1] == "hash chains: 20,000 rows"
    assert done.stdout.splitlines()[-1] == "both databases hold the same, and their records are whole"
