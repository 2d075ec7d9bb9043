"""Runs a program as a process of its own while a block runs; it is killed by its id, however the block ends."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def started(command: Sequence[str | Path], **how: Any) -> Iterator[subprocess.Popen[Any]]:
    """``how`` are Popen's own. By itself, a Popen whose block fails waits for its program, which may never end."""
    with subprocess.Popen(command, **how) as running:
        try:
            yield running
        finally:
            running.kill()
