"""Real clients of chess servers at the port of a running server: XBoard with an engine, PyChess's network classes."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests import peers
from tests.conformance.ics.clients import IcsClient, challenged, play
from tests.conformance.servers import fast
from tests.conformance.xboard.programs import GAMES, STILL, virtual_screen
from tests.processes import started
from tests.running import RunningServer

pytestmark = peers.needed

PATIENCE_S = 30.0
SYSTEM_PYTHON = Path("/usr/bin/python3")
"""Debian's own, which has PyChess."""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("server"), "ics") as server:
        yield server


@contextmanager
def zippy(home: Path, port: int) -> Iterator[Path]:
    """XBoard as a guest at the server, its engine playing whoever challenges it; what it prints."""
    program = peers.program("xboard", GAMES)
    home.mkdir()
    (home / "logon").write_text("guest\n\n")
    server = ("-ics", "-icshost", "127.0.0.1", "-icsport", str(port), "-icslogon", str(home / "logon"))
    engine = ("-zp", "-fcp", str(peers.program("hoichess", GAMES)))
    printed = home / "printed"
    with virtual_screen() as display, printed.open("wb") as output:
        environment = {**os.environ, "DISPLAY": display, "HOME": str(home), "LC_ALL": "C.UTF-8"}
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": output, "stderr": output}
        with started([str(program), *STILL, *server, *engine], env=environment, cwd=home, **pipes):
            yield printed


def test_an_engine_behind_xboard_plays_both_colours_and_is_offered_draws(
    running: RunningServer, tmp_path: Path
) -> None:
    """Zippy accepts a challenge at once by name, and game after game."""
    with closing(IcsClient(running.ports[0]).comes("bert")) as bert, zippy(tmp_path / "xboard", running.ports[0]):
        while "GuestAAAB" not in bert.asks("who"):
            pass
        bert.type("match GuestAAAB 5 0 u white")
        bert.hears("Creating: bert (++++) GuestAAAB (++++) unrated blitz 5 0\n")
        bert.board()
        for move in ("e4", "d4", "Nf3"):
            bert.type(move)
            assert bert.board()[18] == "-1"
            assert bert.board()[18] == "1"
        bert.asks("draw")
        bert.type("resign")
        bert.hears("bert resigns} 0-1\n")
        bert.type("match GuestAAAB 5 0 u black")
        while "declines" in bert.hears(" the match offer."):  # it is "not quite ready" while its engine stops
            bert.asks("date")
            bert.type("match GuestAAAB 5 0 u black")
        bert.hears("Creating: GuestAAAB (++++) bert (++++) unrated blitz 5 0\n")
        assert bert.board()[26] == "none"
        assert bert.board()[26] != "none"
        bert.type("a6")
        bert.board()
        assert bert.board()[18] == "1"


class PyChess:
    """PyChess's connection to a server, as a guest; ``waits`` are its events."""

    def __init__(self, home: Path, port: int) -> None:
        home.mkdir()
        script = Path(__file__).with_name("pychess_window.py")
        command = [str(SYSTEM_PYTHON), str(script), "127.0.0.1", str(port), "guest", ""]
        environment = {**os.environ, "HOME": str(home)}
        with (home / "faults").open("wb") as faults:
            pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": faults}
            self._process = subprocess.Popen(command, env=environment, text=True, **pipes)
        self._faults = home / "faults"
        self._events: queue.Queue[list[Any]] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._events.put(json.loads(line))

    def sends(self, command: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()

    def hears(self, kind: str) -> list[Any]:
        """The next event of this kind, without it."""
        try:
            while (event := self._events.get(timeout=PATIENCE_S))[0] != kind:
                pass
        except queue.Empty:
            raise AssertionError(f"no {kind}: {self._faults.read_text()[-2000:]}") from None
        return event[1:]

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


def test_pychess_sees_seeks_challenges_plays_to_mate_and_looks_on(running: RunningServer, tmp_path: Path) -> None:
    """Sealed, in blocks, with its second connection: what its managers make of it."""
    port = running.ports[0]
    pychess = PyChess(tmp_path / "pychess", port)
    with closing(pychess), closing(IcsClient(port).comes("wanda")) as wanda, closing(IcsClient(port).comes()) as guest:
        (name,) = pychess.hears("connected")
        wanda.asks("seek 5 0 white")
        number, maker, minutes, increment = pychess.hears("seek")
        assert (maker, minutes, increment) == ("wanda", 5, 0)
        pychess.sends(f"play {number}")
        game, white, black = pychess.hears("game")
        assert (white, black) == ("wanda", name)
        wanda.board()
        for mine, theirs in (("e4", "e7e5"), ("Bc4", "b8c6"), ("Qh5", "g8f6")):
            wanda.type(mine)
            wanda.board()
            pychess.sends(theirs)
            wanda.board()
        wanda.asks("draw")
        assert pychess.hears("offer")[1] == "draw offer"
        wanda.asks("withdraw")
        pychess.hears("no offer")
        wanda.type("Qxf7")
        assert pychess.hears("over")[0] == game
        wanda.asks(f"match {name} 3 0 u")
        assert pychess.hears("challenge")[1:] == ["wanda", 3]
        wanda.asks("withdraw")
        pychess.hears("no challenge")
        seen = challenged(wanda, guest)
        pychess.sends(f"observe {seen}")
        assert pychess.hears("observing") == [seen]
        play(wanda, guest, "f3 e5 g4 Qh4")
        assert pychess.hears("seen over")[0] == seen


def test_pychess_hears_shouts_and_the_channel(running: RunningServer, tmp_path: Path) -> None:
    """Its page of chat has a tab for each: what is in which, and that what it says there arrives."""
    port = running.ports[0]  # whoever was here as wanda may be so still
    pychess = PyChess(tmp_path / "pychess", port)
    with closing(pychess), closing(IcsClient(port).comes("willa")) as willa:
        (name,) = pychess.hears("connected")
        pychess.sends("+channel 1")
        assert pychess.hears("channel") == ["1"]  # what it asks for when it comes has been answered, too
        willa.asks("shout a game?")
        assert pychess.hears("talk") == ["willa", "shout", "a game?"]
        pychess.sends("set shout 0")
        pychess.sends("tell willa ready")
        willa.hears("tells you: ready")
        willa.asks("date")
        willa.asks("tell 1 hello")
        assert pychess.hears("talk") == ["willa", "1", "hello"]
        pychess.sends("tell 1 good evening")
        willa.hears(f"{name} shouts: good evening")
