"""A person before PyChess's own window: its lists, buttons and menus from inside the program, its board by a mouse.

``pychess_inside.py`` runs the program as it is installed and looks at its widgets; nothing here knows the protocol.
"""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests import peers
from tests.conformance.xboard.programs import GAMES

ANSWER: Final = "answer: "
PATIENCE_S: Final = 45.0
SYSTEM_PYTHON: Final = "/usr/bin/python3"
"""Debian's own, which has what PyChess needs."""

SETTINGS: Final = """[General]
show_tip_at_startup = False
dont_show_externals_at_startup = True
analyzer_check = False
noAnimation = True
"""

NOT_FOUND: Final = re.compile(r"Fics answered '(.*)': Command not found")

Game = dict[str, Any]


class PyChess:
    """``home`` has its settings and its log."""

    def __init__(self, display: str, home: Path, port: int, host: str) -> None:
        (home / ".config" / "pychess").mkdir(parents=True)
        (home / ".config" / "pychess" / "config").write_text(SETTINGS)
        self._home = home
        self._printed = home / "printed"
        self._environment = {**os.environ, "DISPLAY": display, "HOME": str(home), "LC_ALL": "C.UTF-8"}
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
            self._environment.pop(name, None)
        inside = str(Path(__file__).with_name("pychess_inside.py"))
        program = [str(peers.program("pychess", GAMES)), "--no-version-check"]
        command = [SYSTEM_PYTHON, inside, *program, "--ics-host", host, "--ics-port", str(port)]
        with self._printed.open("wb") as printed:
            pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": printed}
            whole: dict[str, Any] = {"env": self._environment, "cwd": home, "start_new_session": True, **pipes}
            self._process = subprocess.Popen(command, text=True, **whole)
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(ANSWER):
                self._answers.put(json.loads(line.removeprefix(ANSWER)))

    def does(self, name: str, *rest: object) -> Any:
        """Call a function of ``pychess_inside.py``."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([name, *rest]) + "\n")
        self._process.stdin.flush()
        try:
            answer = self._answers.get(timeout=PATIENCE_S)
        except queue.Empty:
            raise AssertionError(f"PyChess does not answer: {self.printed[-3000:]}") from None
        assert "fault" not in answer, f"{name}: {answer}; {self.printed[-2000:]}"
        return answer["is"]

    @property
    def printed(self) -> str:
        """Its log of what has gone wrong, and Python's."""
        return self._printed.read_text(errors="replace")

    @property
    def unknown(self) -> set[str]:
        """The words that the server did not understand, by PyChess's log."""
        logs = (self._home / ".local" / "share" / "pychess").glob("*.log")
        return {word for log in logs for word in NOT_FOUND.findall(log.read_text(errors="replace"))}

    def until(self, holds: Callable[[], Any], what: str) -> Any:
        """Wait until this is so: what it is."""
        deadline = time.monotonic() + PATIENCE_S
        while not (found := holds()):
            assert time.monotonic() < deadline, f"{what} did not come: {self.does('games')} {self.printed[-3000:]}"
            assert self._process.poll() is None, f"PyChess has gone: {self.printed[-2000:]}"
            time.sleep(0.05)
        return found

    def comes(self, name: str = "guest", password: str = "") -> str:
        """Log in by its window of the server: the name that it is given."""
        self.until(lambda: self.does("started"), "its window")
        self.does("connect", name, password)
        return str(self.until(lambda: self.does("connected"), "its lounge"))

    def sees(self, maker: str) -> list[Any]:
        """Wait until its list has a seek, and its graph too: kind and clock."""
        return list(self.until(lambda: [row for row in self.does("seeks") if row[0] == maker and row[4]], maker)[0])

    def game(self, holds: Callable[[Game], object], what: str) -> Game:
        """Wait until the newest board is so."""

        def newest() -> Game | None:
            found: Game | None = (self.does("games") or [None])[-1]
            return found if found is not None and holds(found) else None

        return dict(self.until(newest, what))

    def shows(self, words: str) -> Game:
        """Wait for a message above the newest board."""
        return self.game(lambda game: any(words in shown for shown in game["shown"]), words)

    def moves(self, move: str) -> None:
        """Click on two squares of the board, when it is one's turn there."""
        before = self.game(lambda game: game["mine"], "my turn")["moves"]
        for square in (move[:2], move[2:]):
            x, y = self.does("where", square)
            command = [str(peers.program("xdotool")), "mousemove", str(x), str(y), "click", "1"]
            subprocess.run(command, env=self._environment, check=True)
        self.game(lambda game: game["moves"] > before, move)

    def close(self) -> None:
        """End it, with what it has started."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()


@contextmanager
def pychess(display: str, home: Path, port: int, host: str = "127.0.0.1") -> Iterator[PyChess]:
    window = PyChess(display, home, port, host)
    try:
        yield window
    finally:
        window.close()
