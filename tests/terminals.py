"""Runs a program on a terminal of its own: its screen, its keys, its exit status."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from tests.processes import started

PATIENCE_S: Final = 60


class Terminal:
    """A program on a terminal of its own; ``shown`` is its output, ``status`` its exit status."""

    def __init__(self, ours: int, program: subprocess.Popen[bytes]) -> None:
        self._ours = ours
        self._program = program
        self.shown = b""

    def shows(self, words: bytes) -> None:
        """Read on until it does."""
        while words not in self.shown:
            assert self._read(), self.shown

    def types(self, keys: bytes) -> None:
        os.write(self._ours, keys)

    def status(self) -> int:
        while self._read():
            pass
        return self._program.wait(PATIENCE_S)

    def _read(self) -> bool:
        """False: the program has closed its end. AssertionError: it shows nothing more, and goes on."""
        assert select.select([self._ours], [], [], PATIENCE_S)[0], self.shown
        try:
            read = os.read(self._ours, 65536)
        except OSError:  # the other end is closed
            return False
        self.shown += read
        return bool(read)


@contextmanager
def terminal(words: list[str], environment: Mapping[str, str]) -> Iterator[Terminal]:
    ours, theirs = pty.openpty()
    listens = "signal.signal(signal.SIGINT, signal.SIG_DFL)"  # a shell that starts tests in the background ignores it
    begin = f"import os, signal, sys; {listens}; os.login_tty({theirs}); os.execv(sys.argv[1], sys.argv[1:])"
    on_it = [sys.executable, "-c", begin]
    with started([*on_it, *words], pass_fds=[theirs], env=environment) as program:
        os.close(theirs)
        try:
            yield Terminal(ours, program)
        finally:
            os.close(ours)  # hangs up on a program that has not ended
            program.wait(PATIENCE_S)


def run(*words: str) -> tuple[int, str]:
    """The exit status of a ``boardgate`` command that ends by itself on a terminal, and what it showed."""
    with terminal([sys.executable, "-m", "gateway.cli", *words], os.environ) as program:
        status = program.status()
    return status, program.shown.decode().replace("\r\n", "\n")
