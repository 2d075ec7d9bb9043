"""A person before XBoard as a client of chess servers: types into its terminal and its board, presses its keys.

What it sends and hears is in its file for finding faults; what is waited for stands there. It writes its games down.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any, Final

import chess.pgn

from tests import peers
from tests.conformance.xboard.programs import GAMES, STILL

PATIENCE_S: Final = 30.0
KEY_S: Final = 0.3
"""Seconds its toolkit needs to open the field that a typed move goes to."""

TRIES: Final = 4

DRAW, ADJOURN, RESIGN, RETRACT = "F6", "F7", "F9", "ctrl+x"
"""Keys of its menus: an offer, or to agree to one; the last move of one's own taken back."""

SENT: Final = ">ICS: "


class XBoardIcs:
    """``wire`` is what it has sent and heard; what has been waited for is behind it."""

    def __init__(self, display: str, home: Path, port: int, login: Sequence[str], options: Sequence[str] = ()) -> None:
        home.mkdir(parents=True)
        (home / "logon").write_text("".join(f"{line}\n" for line in login))
        self._home = home
        self._read = 0
        self._environment = {**os.environ, "DISPLAY": display, "HOME": str(home), "LC_ALL": "C.UTF-8"}
        server = ("-ics", "-icshost", "127.0.0.1", "-icsport", str(port), "-icslogon", str(home / "logon"))
        kept = ("-sgf", str(home / "games.pgn"), "-debug", "-nameOfDebugFile", str(home / "wire"))
        command = [str(peers.program("xboard", GAMES)), *STILL, *server, *kept, *options]
        with (home / "printed").open("wb") as printed:
            pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": printed, "stderr": printed}
            self._process = subprocess.Popen(command, env=self._environment, cwd=home, **pipes)

    @property
    def wire(self) -> str:
        file = self._home / "wire"
        return file.read_text(errors="replace") if file.exists() else ""

    def hears(self, *words: str) -> str:
        """Wait for these words, one after the other, behind all that has been waited for: what came before the last."""
        before = ""
        for each in words:
            deadline = time.monotonic() + PATIENCE_S
            while (at := (wire := self.wire).find(each, self._read)) < 0:
                assert time.monotonic() < deadline, f"{each!r} did not come: {wire[-3000:]}"
                assert self._process.poll() is None, f"XBoard has gone: {(self._home / 'printed').read_text()[-2000:]}"
                time.sleep(0.05)
            before, self._read = wire[self._read : at], at + len(each)
        return before

    def comes(self) -> str:
        """Wait until it has logged in and said what it is: the name that it was given."""
        self.hears("**** Starting FICS session as ")
        name = self.hears(" ****")
        self.hears("Style 12 set.")
        return name.removesuffix("(U)")

    def says(self, line: str) -> None:
        """Type a line into its terminal."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        self._process.stdin.flush()
        self.hears(f"{SENT}{line}")

    def moves(self, move: str) -> None:
        """Type a move into its board."""
        for _ in range(TRIES):
            sent = self.wire.count(f"{SENT}{move}")
            self._focus()
            self._xdotool("type", move)
            time.sleep(KEY_S)  # the field opens with the first letter, and nothing tells when it is ready for Return
            self._xdotool("key", "Return")
            deadline = time.monotonic() + PATIENCE_S / TRIES
            while time.monotonic() < deadline:
                if self.wire.count(f"{SENT}{move}") > sent:
                    self.hears(f"{SENT}{move}", f"{move[:2]}-{move[2:]}")
                    return
                time.sleep(0.05)
            self._xdotool("key", "Escape")
        raise AssertionError(f"{move} was not made: {self.wire[-3000:]}")

    def presses(self, key: str, sends: str) -> None:
        """A key that sends these words."""
        self._focus()
        self._xdotool("key", key)
        self.hears(f"{SENT}{sends}")

    def games(self, number: int) -> list[tuple[str, str]]:
        """Wait until it has written down so many games: the moves and the result of each."""
        deadline = time.monotonic() + PATIENCE_S
        while len(found := self._written()) < number:
            assert time.monotonic() < deadline, f"{len(found)} games are written down"
            time.sleep(0.05)
        return [(" ".join(move.uci() for move in game.mainline_moves()), game.headers["Result"]) for game in found]

    def _written(self) -> list[chess.pgn.Game]:
        file = self._home / "games.pgn"
        text = StringIO(file.read_text() if file.exists() else "")
        return list(iter(lambda: chess.pgn.read_game(text), None))

    def _focus(self) -> None:
        """Give the board the keys: it is the oldest of its windows, and there is no manager of windows."""
        deadline = time.monotonic() + PATIENCE_S
        pid = str(self._process.pid)
        while not (found := self._xdotool("search", "--onlyvisible", "--all", "--pid", pid, "--name", ".").split()):
            assert time.monotonic() < deadline, "XBoard shows no window"
            time.sleep(0.05)
        self._xdotool("windowfocus", "--sync", min(found, key=int))

    def _xdotool(self, *words: str) -> str:
        command = [str(peers.program("xdotool")), *words]
        return subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False).stdout

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


@contextmanager
def xboard_ics(
    display: str, home: Path, port: int, name: str = "guest", password: str = "", options: Sequence[str] = ()
) -> Iterator[XBoardIcs]:
    """XBoard at a chess server's port, as a guest or an account."""
    window = XBoardIcs(display, home, port, (name, password), options)
    try:
        yield window
    finally:
        window.close()
