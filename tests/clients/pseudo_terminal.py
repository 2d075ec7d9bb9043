"""``boardgate`` in a terminal of its own: a pseudo-terminal, the real program, what it writes and how it ends."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

PATIENCE_S = 60.0
"""Seconds for a program to end: far longer than it takes on a busy machine."""


def run(*words: str) -> tuple[int, str]:
    """The exit status of a command that ends by itself, and what it wrote."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "gateway.cli", *words]
    try:
        with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
            os.close(theirs)
            written = _until_closed(ours)
            return process.wait(PATIENCE_S), written
    finally:
        os.close(ours)


def _until_closed(terminal: int) -> str:
    written = b""
    try:
        while data := os.read(terminal, 4096):
            written += data
    except OSError:  # EIO: the last program at the other end has gone
        pass
    return written.decode().replace("\r\n", "\n")
