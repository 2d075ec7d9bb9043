"""The lines that teach Go, run as they are written: those of docs/go.md and those of ``boardgate gtp --help``.

Only the server's address is another one.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from gateway.cli import main
from tests import peers
from tests.conformance.gtp.ends import OnPipes, OnPort
from tests.conformance.gtp.gnugos import gnugo
from tests.conformance.gtp.records import newest
from tests.conformance.servers import fast
from tests.running import RunningServer

pytestmark = peers.needed

GUIDE: Final = (Path(__file__).parents[3] / "docs" / "go.md").read_text()
LINES: Final = next(block for block in re.findall(r"^```\n(.*?)^```$", GUIDE, re.M | re.S) if "--gtp-connect" in block)

ENGINES, GUIS = 0, 1


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("lines"), "gtp-engine,size=9", "gtp-gui") as running:
        yield running


@contextmanager
def running(line: str) -> Iterator[None]:
    """The line in a shell that finds gnugo and boardgate; its whole process group is ended afterwards."""
    path = os.pathsep.join((str(Path(sys.executable).parent), str(Path(gnugo()).parent), os.environ["PATH"]))
    process = subprocess.Popen(
        line,
        shell=True,
        env=os.environ | {"PATH": path},
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def line_with(text: str, words: str) -> str:
    return next(line for line in text.splitlines() if words in line).partition(" # ")[0].strip()


def test_five_lines_lead_to_a_game_against_gnugo(server: RunningServer) -> None:
    """docs/go.md takes a new user from nothing to a game against gnugo in five lines."""
    assert len(LINES.splitlines()) == 5
    dials = line_with(LINES, "--gtp-connect").replace("localhost:5020", f"localhost:{server.ports[ENGINES]}")
    by_hand = line_with(LINES, "boardgate gtp localhost  ").replace("localhost", f"localhost:{server.ports[GUIS]}")
    typed = re.search(r"by hand: (.*), \.\.\.", LINES)
    assert typed is not None
    with running(dials):
        me = OnPipes((sys.executable, "-m", "gateway.cli", *by_hand.split()[1:]))
        answers = [me.asks(words) for words in typed[1].split(", ")]
        assert answers[:-1] == ["=", "="]
        assert re.fullmatch(r"= [A-HJ][1-9]", answers[-1])
        me.sets("play b resign")
        assert "PW[GNU Go 3.8" in newest(server.data).sgf
        me.close()


def test_socat_puts_an_engine_on_a_server(server: RunningServer) -> None:
    """ "joins a Go GUI or engine on stdin/stdout to the server" """
    peers.program("socat")
    line = line_with(CliRunner().invoke(main, ["gtp", "--help"]).output, "socat EXEC:")
    assert line in GUIDE
    with running(line.replace("games.example.org", rf"localhost\:{server.ports[ENGINES]}")):
        gui = OnPort(server.ports[GUIS])
        gui.sets("boardsize 9", "play b D4")
        assert re.fullmatch(r"= [A-HJ][1-9]", gui.asks("genmove w"))
        gui.sets("play b resign")
        gui.close()
