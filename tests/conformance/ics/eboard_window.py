"""A person before eboard's window: connects by its menu, types, clicks on squares and on the graph of seeks.

All that it sends and is told is in its log of the network, written line by line; what is waited for stands there.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests import peers
from tests.conformance.xboard.programs import GAMES

PATIENCE_S: Final = 30.0
TITLE: Final = "eboard"

SQUARE: Final = 57
LEFT, TOP = 2, 34
"""Pixels: a square of the board, and the board's corner."""

BESIDE: Final = ("mousemove", "560", "330", "click", "1", "mousemove", "620", "360", "click", "1")
"""Two clicks beside the board before each move: else its first is a double click, where the piece has just come to."""

FIVE_MINUTES: Final = (199, 468)
"""Where the graph shows a seek of five minutes by somebody without a rating."""

BOARD, GRAPH = "F5", "F7"
"""The keys of its pages."""

DRAW, ADJOURN, RESIGN = "o", "j", "r"
"""The letters of its menu Game."""

STAMP: Final = re.compile(r"^\d{4}-\w{3}-\d\d [\d:]{8}\[[ \d]+\] ", re.MULTILINE)
"""The beginning of each line of its log."""


class Eboard:
    """``log`` is what it has sent and heard; what has been waited for is behind it."""

    def __init__(self, display: str, home: Path, port: int) -> None:
        (home / ".eboard").mkdir(parents=True)
        settings = f"Host,127.0.0.1,{port},FICS\nAnimateMoves::0\nSeekGraph::1\n"
        (home / ".eboard" / "eboard.conf").write_text(settings)
        self._home = home
        self._read = 0
        self._environment = {**os.environ, "DISPLAY": display, "HOME": str(home), "LC_ALL": "C.UTF-8"}
        command = [str(peers.program("eboard", GAMES)), "-log"]
        with (home / "printed").open("wb") as printed:
            pipes: dict[str, Any] = {"stdout": printed, "stderr": printed, "start_new_session": True}
            self._process = subprocess.Popen(command, env=self._environment, cwd=home, **pipes)

    @property
    def log(self) -> str:
        file = self._home / "LOG.eboard"
        return STAMP.sub("", file.read_text("latin-1")) if file.exists() else ""

    def hears(self, words: str) -> str:
        """Wait for these words in the log, behind all that has been waited for: what came before them."""
        deadline = time.monotonic() + PATIENCE_S
        while (at := (log := self.log).find(words, self._read)) < 0:
            assert time.monotonic() < deadline, f"{words!r} did not come: {log[-3000:]}"
            assert self._process.poll() is None, f"eboard has gone: {(self._home / 'printed').read_text()[-2000:]}"
            time.sleep(0.05)
        before, self._read = log[self._read : at], at + len(words)
        return before

    def connects(self) -> None:
        """The first bookmark of its menu, which is the server."""
        deadline = time.monotonic() + PATIENCE_S
        while not (windows := self._xdotool("search", "--onlyvisible", "--name", f"^{TITLE}$").split()):
            assert time.monotonic() < deadline, "eboard shows no window"
            time.sleep(0.05)
        self._xdotool("windowfocus", "--sync", windows[0])
        self._xdotool("key", "alt+p", "key", "b", "key", "Return")
        self.hears("PipeConnection::open")

    def comes(self, name: str = "guest", password: str = "") -> str:
        """Connect and log in: the name that it is given. The log keeps nothing of what is told about a password."""
        self.connects()
        self.hears("nobody has.\n")
        self._types(name)
        self.hears(f"WROTE: {name}\n")
        self.hears("type the password." if password else "Logging you in as")
        self._types(password)
        if not password:
            self.hears("**** Starting FICS session as ")
            name = self.hears(" ****").removesuffix("(U)")
        self.hears("Style 12 set.")
        return name

    def says(self, line: str) -> None:
        """Type a line into the field below the board."""
        self._types(line)
        self.hears(f"WROTE: {line}\n")

    def _types(self, line: str) -> None:
        self._xdotool("mousemove", "400", "550", "click", "1", "type", line)
        self._xdotool("key", "Return")

    def chooses(self, letter: str, sends: str) -> None:
        """An entry of the menu Game, which sends this."""
        self._xdotool("key", "alt+g", "key", letter)
        self.hears(f"WROTE: {sends}\n")

    def takes(self, maker: str) -> None:
        """Click on the seek of somebody, when the graph has it."""
        self.hears(f" w={maker} ")
        self._xdotool("key", GRAPH, "mousemove", "190", "460", "mousemove", *map(str, FIVE_MINUTES), "click", "1")
        self.hears("WROTE: play ")

    def moves(self, move: str, *, black: bool = False) -> list[str]:
        """Click on two squares of the board: the position that it is told."""
        self._xdotool("key", BOARD, *BESIDE, *self._click(move[:2], black), *self._click(move[2:4], black))
        self.hears(f"WROTE: {move}\n")
        return self.board()

    @staticmethod
    def _click(square: str, black: bool) -> list[str]:
        column, row = ord(square[0]) - ord("a"), 8 - int(square[1])
        if black:
            column, row = 7 - column, 7 - row
        x, y = (int(corner + (place + 0.5) * SQUARE) for corner, place in ((LEFT, column), (TOP, row)))
        return ["mousemove", str(x), str(y), "click", "1"]

    def board(self) -> list[str]:
        """The next position that it is told, in words."""
        self.hears("<12> ")
        return self.hears("\n").split()

    def _xdotool(self, *words: str) -> str:
        command = [str(peers.program("xdotool")), *words]
        return subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False).stdout

    def close(self) -> None:
        """End it, and the program that seals its lines."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


@contextmanager
def eboard(display: str, home: Path, port: int) -> Iterator[Eboard]:
    window = Eboard(display, home, port)
    try:
        yield window
    finally:
        window.close()
