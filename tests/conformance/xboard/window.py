"""A person before an XBoard window: keys and moves, by xdotool.

The window has no manager: the one that is to hear is given the focus first. Windows of questions and notes are found by
their titles.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from clients.xboard.screen import OPTIONS
from tests import peers
from tests.clients.xboard_process import unbroken
from tests.conformance.xboard.programs import XBoard, said

PATIENCE_S: Final = 20.0
KEY_S: Final = 0.3
"""Seconds XBoard's toolkit needs to open the field that a typed move goes to."""

TRIES: Final = 4

SETTINGS: Final = "Engine Settings"
FIRST_ROW: Final = 15
ROW: Final = 29
"""Pixels: where the first button of the engine's settings is, and how far the next."""

MACHINE_WHITE: Final = "ctrl+w"
RETRACT: Final = "ctrl+x"
DRAW: Final = "F6"
RESIGN: Final = "F9"


@dataclass(slots=True)
class Person:
    display: str
    window: XBoard

    def press(self, key: str) -> None:
        self._focus(self._main())
        self._xdotool("key", key)

    def moves(self, text: str) -> None:
        """Type a move; it is made when the adapter has heard of it. A window that pops up meanwhile takes the keys."""
        before = len(self._heard(f"usermove {text}"))
        for _ in range(TRIES):
            self._focus(self._main())
            self._xdotool("type", text)
            time.sleep(KEY_S)  # the field opens with the first letter, and nothing tells when it is ready for Return
            self._xdotool("key", "Return")
            deadline = time.monotonic() + PATIENCE_S / TRIES
            while time.monotonic() < deadline:
                if len(self._heard(f"usermove {text}")) > before:
                    return
                time.sleep(0.05)
            self._xdotool("key", "Escape")
        raise AssertionError(f"{text} was not made: {self.window.log[-3000:]}")

    def answers(self, text: str) -> None:
        """Answer the question that XBoard asks for the adapter."""
        self._focus(self._found("query", "nothing is asked")[-1])
        self._xdotool("type", text)
        self._xdotool("key", "Return")

    def puts_the_question_aside(self) -> None:
        """Close the window of the question without an answer: while it is open, XBoard takes no other keys."""
        self._puts_aside("query")

    def agrees_to_a_draw(self) -> None:
        """Read XBoard's own window about the offer, close it, and choose Draw: it takes no other keys before."""
        self._puts_aside("Information")
        self.press(DRAW)

    def _puts_aside(self, title: str) -> None:
        self._focus(self._found(title, f"there is no window {title}")[-1])
        self._xdotool("key", "Escape")
        self.until(lambda: not self._search(title), f"the window {title} stays")

    def presses_engine_button(self, name: str, times: int = 1) -> None:
        """A button in the window Engine #1 Settings, the fourth entry of its menu; then close the window.

        ``times`` is how often it has been pressed then, with this time.
        """
        self.press("alt+n")
        for key in ("Down", "Down", "Down", "Return"):
            time.sleep(KEY_S)
            self._xdotool("key", key)
        window = self._found(SETTINGS, "the engine's settings did not open")[-1]
        self._focus(window)
        row = OPTIONS.index(name)
        self._xdotool("mousemove", "--window", window, "40", str(FIRST_ROW + row * ROW), "click", "1")
        self.hears(f"option {name}", times)
        self.until(lambda: self._closed(window), "the engine's settings do not close")

    def _closed(self, window: str) -> bool:
        """Whether this window is away; Escape goes to it once more if not, for a new one may have taken the key."""
        if window not in self._search(SETTINGS):
            return True
        self._focus(window)
        self._xdotool("key", "Escape")
        return False

    def sees(self, line: str) -> None:
        """The adapter has sent XBoard a line with these words."""
        self.until(
            lambda: any(line in unbroken(shown) for shown in said(self.window.log, "gui >")), f"{line} was not shown"
        )

    def hears(self, line: str, times: int = 1) -> None:
        """XBoard has sent the adapter a line that begins so."""
        self.until(lambda: len(self._heard(line)) >= times, f"XBoard did not send {line}")

    def until(self, holds: Callable[[], bool], otherwise: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < deadline, f"{otherwise}: {self.window.log[-3000:]}"
            assert self.window.process.poll() is None, "XBoard has gone"
            time.sleep(0.05)

    def _heard(self, line: str) -> list[str]:
        return [heard for heard in said(self.window.log, "gui <") if heard.startswith(line)]

    def _main(self) -> str:
        """The window of the board: the oldest of this XBoard's."""
        return min(self._found(".", "XBoard shows no window"), key=int)

    def _focus(self, window: str) -> None:
        self._xdotool("windowfocus", window)
        self.until(lambda: self._xdotool("getwindowfocus").strip() != "1", "no window has the focus")

    def _found(self, title: str, otherwise: str) -> list[str]:
        """The windows of this title, as the search saw them that found one: the next may find none while one closes."""
        windows: list[str] = []

        def search() -> bool:
            windows[:] = self._search(title)
            return bool(windows)

        self.until(search, otherwise)
        return windows

    def _search(self, title: str) -> list[str]:
        pid = str(self.window.process.pid)
        return self._xdotool("search", "--onlyvisible", "--all", "--pid", pid, "--name", title).split()

    def _xdotool(self, *words: str) -> str:
        program = str(peers.program("xdotool"))
        environment = {**os.environ, "DISPLAY": self.display}
        return subprocess.run([program, *words], env=environment, capture_output=True, text=True, check=False).stdout
