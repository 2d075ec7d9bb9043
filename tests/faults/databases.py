"""Servers whose database fails: PostgreSQL at the end of a wire, and disks so small that they can be filled."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import create_engine, text

import migrations
from gateway.store.views import Views
from tests import peers
from tests.conformance.chess_guests import LISTENERS
from tests.conformance.servers import fast
from tests.faults.pairs import Told
from tests.faults.test_kill import recorded, tables_of
from tests.postgresql import Cluster, cluster
from tests.proxy import Watch
from tests.running import RunningServer

HTTP: Final = len(LISTENERS)
"""Where the pages are among the ports: behind those of the chess dialects and Bogaprot."""

DEFECT: Final = r"Traceback|event=\"(table|connection|task) failed|another server has"
"""What the log says of a defect, or of a table that was lost. Messages of databases say "failed", too."""

LOG_LEFT: Final = text(
    "SELECT (max(('x' || right(name, 8))::bit(32)::int) + 1) * (1 << 24) - (pg_current_wal_insert_lsn() - '0/0')"
    " FROM pg_ls_waldir() WHERE length(name) = 24"
)
"""Bytes that the log of a young PostgreSQL has in files that are there: each has 16 MiB, and is named by its number."""

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


def all_told_is_stored(url: str, games: list[Told]) -> bool:
    """Whether every move that a player was told is in a record that is whole."""
    views = Views(url)
    try:
        tables = tables_of(views)
        for told in games:
            moves = recorded(views, tables[told.number].table)
            for known in told.moves:
                assert moves[: len(known)] == known
    finally:
        views.close()
    return bool(games)


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


def fill(disk: Path, but: int = 0) -> Path:
    """Leave not a byte free, or only so many; the file that takes it all."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 16, 4096, 1):
            try:
                while file.write(bytes(size)) == size:
                    pass
            except OSError:
                continue
        file.truncate(file.tell() - but)
    return filler


@contextmanager
def cluster_on_a_small_disk(mebibytes: int) -> Iterator[tuple[Cluster, Path]]:
    """A PostgreSQL server with all it has on one disk of this size, and that disk."""
    with tempfile.TemporaryDirectory(prefix="boardgate-disk-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as another user
        with small_disk(Path(folder) / "disk", mebibytes) as disk, cluster(folder=disk) as postgres:
            yield postgres, disk


def use_up_the_log(url: str, but: int) -> None:
    """Write to PostgreSQL's log until only so many bytes are left in the files it has; it must make one after that."""
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        while connection.execute(LOG_LEFT).scalar_one() > but:
            connection.execute(
                text("SELECT pg_logical_emit_message(false, '', repeat('x', :part))"), {"part": but // 2}
            )
    engine.dispose()
