"""GNU Go as a process: dialling in as users start it, or on pipes as a GUI does.

Level 1 and a seed: quick, and the same game every time. With a clock GNU Go raises its level by itself until it uses
all of its time, unless its highest level forbids that.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from tests import peers
from tests.conformance.gtp.ends import OnPipes

PARTING_S: Final = 5.0


def gnugo() -> str:
    return str(peers.program("gnugo", "usr/games"))


def options(seed: int, level: int = 1) -> list[str]:
    return ["--mode", "gtp", "--level", str(level), "--max-level", str(level), "--seed", str(seed)]


@contextmanager
def dialled_in(
    port: int, *seeds: int, level: int = 1, more: Sequence[str] = ()
) -> Iterator[list[subprocess.Popen[bytes]]]:
    """One gnugo a seed, all on this port, with ``more`` options; killed at the end, if they have not left."""
    where = ["--gtp-connect", f"127.0.0.1:{port}", *more]
    started = [
        subprocess.Popen([gnugo(), *options(seed, level), *where], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for seed in seeds
    ]
    try:
        yield started
    finally:
        for process in started:
            if process.poll() is None:
                process.kill()
            process.wait(PARTING_S)


def on_pipes(seed: int, level: int = 1) -> OnPipes:
    return OnPipes([gnugo(), *options(seed, level)])
