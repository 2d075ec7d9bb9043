"""A person before qGo's windows: double-clicks a server, picks from lists and menus, clicks on points and buttons.

The program says on its standard output what it sends and which moves it is told, and writes its own games down as SGF
when they end: what is waited for stands there, or is a window with a title.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests import peers
from tests.conformance.xboard.programs import GAMES

PATIENCE_S: Final = 30.0
AGAIN_S: Final = 2.0
"""Seconds after which a click without a consequence is made once more."""

SETTINGS: Final = """\
[General]
SAVE_WINDOW_SIZES=true
BOARD_WINDOW_SIZE_X=700
BOARD_WINDOW_SIZE_Y=600
AUTOSAVE=true
AUTOSAVE_PLAYED=true

[CREDENTIALS]
1\\type=IGS
1\\host=127.0.0.1
1\\port={port}
1\\user={name}
1\\password={password}
size=1
"""
"""Boards of one size, games saved at their end, and the server in the list of those to connect to."""

Place = tuple[int, int]

# pixels of the main window, at the screen's corner
CONNECT: Final = (97, 20)
CONSOLE, COMMAND = (358, 64), (600, 717)
PLAYER, ROW, GAME = (350, 156), 31, (380, 449)
"""The first row of the list of players, the height of one, and the first row of the list of games."""

MATCH: Final = (46, 47)
"""Where the entry Match is in the menu of a player, from where that opens."""

# pixels of other windows, from their corners
SERVER: Final = (100, 47)
BLACK, SIZE, OFFER, DECLINE = (79, 76), (238, 78), (245, 403), (150, 403)
ACCEPT_UNDO, REFUSE_UNDO = (102, 46), (188, 46)
ADJOURNED: Final = (261, 61)
YES: Final = (76, 103)
RESIGNS: Final = (-27, 69)
"""From the middle of its upper edge: it is as wide as the opponent's name makes it."""
RESULT: Final = (100, 76)

# pixels of a board of nine lines, and of the buttons beside it
CORNER, STEP = (42, 152), 37
UNDO, PASS, ADJOURN, DONE, RESIGN = ((446, y) for y in (321, 341, 442, 462, 482))
CLOSE: Final = (366, 19)


class Qgo:
    """``log`` is what it has said; what has been waited for is behind it."""

    def __init__(self, display: str, home: Path, port: int, name: str, password: str = "") -> None:
        (home / ".config" / "qGo").mkdir(parents=True, exist_ok=True)
        settings = SETTINGS.format(port=port, name=name, password=password)
        (home / ".config" / "qGo" / "qGo.conf").write_text(settings)
        self._home = home
        self._read = 0
        self._environment = {
            **os.environ,
            "DISPLAY": display,
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "QT_QPA_PLATFORM": "xcb",
            "XDG_CONFIG_HOME": str(home / ".config"),
        }
        with (home / "said").open("wb") as said:
            pipes: dict[str, Any] = {"stdout": said, "stderr": said, "start_new_session": True}
            command = [str(peers.program("qgo", GAMES))]
            self._process = subprocess.Popen(command, env=self._environment, cwd=home, **pipes)

    @property
    def log(self) -> str:
        return (self._home / "said").read_text("utf-8", errors="replace")

    def until(self, found: Callable[[], Any], what: str, does: Callable[[], object] = lambda: None) -> Any:
        """Wait for what is found in the end; ``does`` is done at once, and now and then again."""
        deadline = time.monotonic() + PATIENCE_S
        again = 0.0
        while not (seen := found()):
            now = time.monotonic()
            assert now < deadline, f"{what} did not come: {self.log[-3000:]}"
            assert self._process.poll() is None, f"qGo has gone: {self.log[-3000:]}"
            if now >= again:
                does()
                again = now + AGAIN_S
            time.sleep(0.05)
        return seen

    def hears(self, words: str, does: Callable[[], object] = lambda: None) -> None:
        """Wait for these words in the log, behind all that has been waited for."""
        self.until(lambda: self.log.find(words, self._read) >= 0, repr(words), does)
        self._read = self.log.find(words, self._read) + len(words)

    def sends(self, line: str, does: Callable[[], object] = lambda: None) -> None:
        self.hears(f'sendText:  "{line}\\r\\n"', does)

    # windows

    def windows(self, title: str) -> list[str]:
        """The windows that are seen whose title is like this."""
        return self._xdotool("search", "--onlyvisible", "--name", title).split()

    def window(self, title: str, does: Callable[[], object] = lambda: None) -> str:
        """Wait for a window with a title like this."""
        found: list[str] = self.until(lambda: self.windows(title), f"a window {title}", does)
        return found[0]

    def titles(self) -> list[str]:
        """The titles of all windows."""
        return [self._xdotool("getwindowname", each).strip() for each in self.windows(".")]

    def _click(self, place: Place, button: str = "1", times: int = 1) -> None:
        repeated = ["--repeat", str(times), "--delay", "50"] if times > 1 else []
        self._xdotool("mousemove", *map(str, place), "click", *repeated, button)

    def answers(self, title: str, place: Place, *, middle: bool = False) -> None:
        """Click at this place of a window, which goes; ``middle``: from that of its upper edge."""
        self.window(title)
        again = partial(self._within, title, place, middle=middle)
        self.until(lambda: not self.windows(title), f"the end of {title}", again)

    def _within(self, title: str, place: Place, times: int = 1, *, middle: bool = False) -> None:
        for found in self.windows(title)[:1]:
            where = self._xdotool("getwindowgeometry", "--shell", found)
            x, y, width = (int(re.search(rf"^{one}=(-?\d+)$", where, re.MULTILINE)[1]) for one in ("X", "Y", "WIDTH"))  # type: ignore[index]
            self._click((x + place[0] + (width // 2 if middle else 0), y + place[1]), times=times)

    def _xdotool(self, *words: str) -> str:
        command = [str(peers.program("xdotool")), *words]
        return subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False).stdout

    # the server and its lists

    def comes(self) -> None:
        """Connect, by the icon and the row of the server in the window that it opens."""
        self.window("^qGo 2")
        self.window("^Connect", lambda: self._click(CONNECT))
        self.sends("channels", lambda: self._within("^Connect", SERVER, times=2))

    def says(self, line: str) -> None:
        """Type a command on the page Console."""
        self._click(CONSOLE)
        self._xdotool("mousemove", *map(str, COMMAND), "click", "1", "key", "ctrl+a", "type", line)
        self.sends(line, lambda: self._xdotool("mousemove", *map(str, COMMAND), "click", "1", "key", "Return"))

    def challenges(self, row: int, name: str, *, black: bool = True) -> None:
        """Ask the player in this row of the list for a game on nine lines, by the row's menu."""
        x, y = PLAYER[0], PLAYER[1] + row * ROW

        def menu() -> None:
            self._click((x, y), "3")
            self._click((x + MATCH[0], y + MATCH[1] // 2 - 8))

        self.window("^New Game$", menu)
        (dialog,) = self.windows("^New Game$")
        self._xdotool("windowfocus", "--sync", dialog)
        self._within("^New Game$", SIZE, times=3)
        self._xdotool("type", "9")
        self._xdotool("key", "Tab")
        if black:
            self._within("^New Game$", BLACK)
        colour = "B" if black else "W"
        self.sends(f"match {name} {colour} 9 10 10", lambda: self._within("^New Game$", OFFER))

    def accepts(self) -> None:
        """Take the game that the window which has come asks about."""
        self.answers("^New Game$", OFFER)

    def observes(self) -> None:
        """Look on at the first game of the list."""
        self.sends("observe 1", lambda: self._click(GAME, times=2))

    # at a board

    def board(self, title: str) -> str:
        """Wait for the window of a board."""
        return self.window(title)

    def told(self, vertex: str) -> None:
        """Wait for a move at its board."""
        self.hears(f"): {vertex}\\r\\n")

    def plays(self, vertex: str) -> None:
        """Click on a point of the board, and wait for the move that comes of it."""
        self.sends(f"{vertex} {self.number}", lambda: self.clicks(vertex))
        self.told(vertex)

    number = 1

    def clicks(self, vertex: str) -> None:
        column, row = "ABCDEFGHJ".index(vertex[0]), 9 - int(vertex[1])
        self._click((CORNER[0] + column * STEP, CORNER[1] + row * STEP))

    def presses(self, button: Place, sends: str) -> None:
        """A button beside the board, which sends this."""
        self.sends(sends, lambda: self._click(button))

    def resigns(self) -> None:
        """Give up, which it offers only in its own turn."""
        self.window("^Resign", lambda: self._click(RESIGN))
        self.answers("^Resign", RESIGNS, middle=True)
        self.sends("resign")

    def saved(self) -> str:
        """The game that it has written down."""
        found: list[Path] = self.until(
            lambda: [file for file in self._home.glob("*.sgf") if file.read_text().rstrip().endswith(")")], "the SGF"
        )
        return found[0].read_text()

    def closes(self) -> None:
        """Close the board."""
        self.until(lambda: not self.windows(" - qGo$"), "the end of the board", lambda: self._click(CLOSE))

    def close(self) -> None:
        """End it."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


@contextmanager
def qgo(display: str, home: Path, port: int, name: str, password: str = "") -> Iterator[Qgo]:
    window = Qgo(display, home, port, name, password)
    try:
        yield window
    finally:
        window.close()
