"""``boardgate xboard`` as a process, driven by the lines of a GUI, for tests that wait for nothing else meanwhile."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

PARTING_S = 5.0


class Gui:
    """The GUI's end of the pipes. ``lines`` is all that was read."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.lines: list[str] = []

    def sends(self, *lines: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def until(self, words: str) -> str:
        """The next line that has these words; those before it are passed over."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.lines.append(line.strip())
            if words in line:
                return line.strip()
        raise AssertionError(f"it ended before {words!r}: {self.lines[-20:]}")

    def introduce(self) -> None:
        """As XBoard begins, up to the moment when it may play."""
        self.sends("xboard", "protover 2", "accepted debug", "new", "random", "level 40 5 0", "post", "hard")
        self.until("feature done=1")


@contextmanager
def xboard(port: int, ticket: str = "", *options: str) -> Iterator[Gui]:
    """It takes the seat of this ticket at the server's port for chess peers, or with ``options`` another."""
    seat = ["--ticket", ticket] if ticket else []
    command = [sys.executable, "-m", "gateway.cli", "xboard", f"127.0.0.1:{port}", *seat, *options]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield Gui(process)
    finally:
        process.kill()
        process.communicate(timeout=PARTING_S)
