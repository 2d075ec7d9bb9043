"""A person before CGoban's windows: types, clicks on buttons, lists and points, and reads what stands there.

What the program writes on its screen is kept by the display before it (drawn.py), in order; what has been read is
behind it. A paragraph is written word by word: it is read with one blank between words.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests import peers
from tests.conformance.igs.drawn import Drawn, Text, drawn
from tests.conformance.xboard.programs import GAMES

PATIENCE_S: Final = 30.0

PLACES: Final = {
    "client.main": (0, 0),
    "client.games": (0, 482),
    "client.players": (408, 545),
    "client.match": (60, 100),
    "client": (482, 0),
    "control": (760, 545),
}
"""Where its windows are, beside each other: it remembers that, as the last game that was asked for."""

SETTINGS: Final = """\
cgoban.client.server: Boardgate|Boardgate-I||||||||
cgoban.client.address: 127.0.0.1|127.0.0.1||||||||
cgoban.client.port: {port}|{port}||||||||
cgoban.client.players.h: 18
cgoban.client.match.size: 9
cgoban.client.match.mainTime: 10:00
cgoban.client.match.byTime: 0:00
"""

CONTROL, SETUP, MAIN, GAME = "^CGoban Control$", "Setup$", " Client$", "^Game [0-9]"
PLAYERS, LISTED, MATCH = "Player List$", "Game List$", "^Server Game Setup"
"""Titles of its windows."""

BUTTONS: Final = {
    CONTROL: {"server": (40, 50)},
    SETUP: {"name": (262, 74)},
    MAIN: {"Games": (100, 15), "Players": (380, 15), "line": (150, 438), "OK": (239, 267)},
    LISTED: {"*": (12, 15)},
    PLAYERS: {"*": (12, 15)},
    MATCH: {"Swap Colors": (178, 46), "Cancel": (178, 237), "OK": (296, 237)},
    GAME: {
        "Pass": (463, 88),
        "Done": (463, 140),
        "Adjourn": (463, 386),
        "Resign": (463, 438),
        "Close": (463, 438),
        "Yes, Resign": (318, 304),
        "line": (150, 516),
    },
}
"""Pixels in each window."""

CORNER, POINT = (49, 111), 38
"""Pixels: the point A9 of a board of nine, and from one point to the next."""

ROW: Final = 25
"""Pixels that a row of a list is below what is told of its height."""

COLUMNS: Final = "ABCDEFGHJ"


class CGoban:
    def __init__(self, screen: str, display: Drawn, home: Path, port: int, kind: str) -> None:
        home.mkdir(parents=True, exist_ok=True)
        places = "".join(f"cgoban.{name}.x: {x}\ncgoban.{name}.y: {y}\n" for name, (x, y) in PLACES.items())
        (home / ".cgobanrc").write_text(SETTINGS.format(port=port) + places)
        self._display = display
        self._read = 0
        self._home = home
        self._hands = {**os.environ, "DISPLAY": screen}
        environment = {**self._hands, "DISPLAY": display.display, "HOME": str(home), "LC_ALL": "C.UTF-8"}
        command = [str(peers.program("cgoban", GAMES)), "-nostealth", f"-{kind}"]
        with (home / "printed").open("wb") as printed:
            pipes: dict[str, Any] = {"stdout": printed, "stderr": printed, "start_new_session": True}
            self._process = subprocess.Popen(command, env=environment, cwd=home, **pipes)

    # what stands there

    def shows(self, words: str) -> None:
        """Wait until this is written, behind all that has been read."""
        self.either(words)

    def either(self, *words: str) -> str:
        """Wait until one of these is written, behind all that has been read: the one that was first."""
        deadline = time.monotonic() + PATIENCE_S
        while not any(each in _joined(found := self._display.texts[self._read :]) for each in words):
            assert time.monotonic() < deadline, f"{words} are not written: {_joined(found)[-3000:]}"
            assert self._process.poll() is None, f"CGoban has gone: {(self._home / 'printed').read_text()[-2000:]}"
            time.sleep(0.02)
        ends = ((end, each) for end in range(1, len(found) + 1) for each in words if each in _joined(found[:end]))
        end, first = next(ends)
        self._read += end
        return first

    # what is pressed

    def presses(self, window: str, *buttons: str) -> None:
        for button in buttons:
            self._click(window, *BUTTONS[window][button])

    def _click(self, window: str, x: int, y: int) -> None:
        self._xdotool("mousemove", "--window", self._window(window), str(x), str(y), "click", "1")

    def _window(self, title: str) -> str:
        deadline = time.monotonic() + PATIENCE_S
        while not (windows := self._xdotool("search", "--onlyvisible", "--name", title).split()):
            assert time.monotonic() < deadline, f"there is no window {title}"
            time.sleep(0.02)
        return windows[-1]

    def title(self) -> str:
        """That of the newest board."""
        return self._xdotool("getwindowname", self._window(GAME)).strip()

    def _xdotool(self, *words: str) -> str:
        command = [str(peers.program("xdotool")), *words]
        return subprocess.run(command, env=self._hands, capture_output=True, text=True, check=False).stdout

    def types(self, line: str) -> None:
        self._xdotool("type", line)
        self._xdotool("key", "Return")

    # at the server

    def comes(self, name: str, password: str = "") -> None:
        """Log in by the window that is there first."""
        self.shows("Username:")
        self.presses(SETUP, "name")
        self.types(name)
        self.types(password) if password else self._xdotool("key", "Return")
        self.shows("Set verbose to be False.")
        if not password:
            self.shows("You have logged in as a guest.")
            self.presses(MAIN, "OK")

    def comes_back(self) -> None:
        """By the server's button, with the name and the password that it has kept."""
        self.presses(CONTROL, "server")
        self.shows("Password:")
        self._xdotool("mousemove", "--window", self._window(SETUP), "262", "74", "key", "Return", "key", "Return")
        self.shows("Set verbose to be False.")

    def says(self, line: str) -> None:
        """Type a line into the field of its main window."""
        self.presses(MAIN, "line")
        self.types(line)

    def _row(self, window: str, opens: str, words: str) -> int:
        """The height of a row of a list, which is asked for anew until it is there."""
        self.presses(MAIN, opens)
        deadline = time.monotonic() + PATIENCE_S
        while True:
            self.presses(window, "*")
            begin = time.monotonic()
            while time.monotonic() < begin + 1:
                for text in reversed(self._display.texts[self._read :]):
                    if text.words == words:
                        return text.height + ROW
                time.sleep(0.02)
            assert time.monotonic() < deadline, f"{words} is not listed"

    def challenges(self, name: str, *, white: bool = False) -> None:
        """By the list of players, for a game of nine by nine in ten minutes."""
        self._click(PLAYERS, 128, self._row(PLAYERS, "Players", f"{name} [NR]"))
        self.shows("Swap Colors")
        if white:
            self.presses(MATCH, "Swap Colors")
        self.presses(MATCH, "OK")

    def takes(self) -> None:
        """The challenge that has come."""
        self.shows("Challenge Received")
        self.presses(MATCH, "OK")

    def looks_on(self, white: str) -> None:
        """At the game of this player, by the list of games."""
        self._click(LISTED, 60, self._row(LISTED, "Games", f"{white} [NR]"))

    # at a board

    def moves(self, colour: str, vertex: str) -> None:
        """Click on a point, and wait until the stone is there."""
        self.points(vertex)
        self.sees(colour, vertex)

    def sees(self, colour: str, vertex: str) -> None:
        self.shows(f"({colour} {vertex}): ")

    def points(self, vertex: str) -> None:
        x = CORNER[0] + POINT * COLUMNS.index(vertex[0])
        self._click(GAME, x, CORNER[1] + POINT * (9 - int(vertex[1:])))

    def resigns(self) -> None:
        self.presses(GAME, "Resign")
        self.shows("Yes, Resign")
        self.presses(GAME, "Yes, Resign")

    def close(self) -> None:
        """End it with whatever it has started."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def _joined(texts: list[Text]) -> str:
    return " ".join(" ".join(text.words for text in texts).split())


@contextmanager
def cgoban(screen: str, home: Path, port: int, kind: str = "nngs") -> Iterator[CGoban]:
    """CGoban on this screen; ``kind`` is its button for the server."""
    with drawn(screen) as display:
        window = CGoban(screen, display, home, port, kind)
        try:
            yield window
        finally:
            window.close()
