"""Servers whose database fails: PostgreSQL at the end of a wire, and disks so small that they can be filled.

Not here: what is expected of the server (test_database.py, test_disk.py).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import migrations
from gateway.store.views import Views
from tests import peers
from tests.conformance.chess_guests import LISTENERS
from tests.conformance.servers import fast
from tests.faults.pairs import Told
from tests.faults.test_kill import recorded, tables_of
from tests.proxy import Watch
from tests.running import RunningServer

HTTP: Final = len(LISTENERS)
"""Where the pages are among the ports: behind those of the chess dialects and Bogaprot."""

DEFECT: Final = r"Traceback|event=\"(table|connection|task) failed|another server"
"""What the log says of a defect, or of a table that was lost. Messages of databases say "failed", too."""

SETTINGS: Final = {"LIMITS_CONNECTIONS_PER_ADDRESS": "1000"}


@contextmanager
def serving(folder: Path, url: str) -> Iterator[RunningServer]:
    """A server that keeps its record there, for guests of chess_guests.py and of guests.py."""
    migrations.upgrade(url)
    with fast(folder, *LISTENERS, "http", ports=None, SERVER_DATABASE=url, **SETTINGS) as running:
        yield running


def unharmed(running: RunningServer) -> bool:
    """Whether the server lives, and nothing of it has failed but its database."""
    log = running.log.read_text()
    assert running.process.poll() is None, log[-2000:]
    assert [line for line in log.splitlines() if re.search(DEFECT, line)] == []
    return True


def commit(which: int = 1) -> Watch:
    """Whether the client has just sent so many COMMITs from now on."""
    commits = 0

    def watch(sent: bytes) -> bool:
        nonlocal commits
        commits += b"COMMIT" in sent
        return b"COMMIT" in sent and commits == which

    return watch


def all_told_is_stored(url: str, games: list[Told]) -> int:
    """Every move that anybody was told is in a record that is whole; how many were told."""
    views = Views(url)
    try:
        tables, count = tables_of(views), 0
        for told in games:
            moves = recorded(views, tables[told.number].table)
            for known in told.moves:
                assert moves[: len(known)] == known
                count += len(known)
    finally:
        views.close()
    return count


@contextmanager
def small_disk(folder: Path, mebibytes: int) -> Iterator[Path]:
    """A disk of this size at ``folder``. Skips or fails the test where none can be mounted."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=777", "tmpfs", str(folder)]
    if shutil.which("mount") is None or os.geteuid() != 0 or subprocess.run(command, check=False).returncode:
        peers.missing("a small disk can be mounted by root only")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """Leave not a byte free; the file that takes it all."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 16, 4096, 1):
            try:
                while file.write(bytes(size)) == size:
                    pass
            except OSError:
                continue
    return filler
