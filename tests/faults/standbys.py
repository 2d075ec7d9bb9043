"""A standby of PostgreSQL that follows a primary synchronously, and can be promoted."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import create_engine, make_url

from bench.free_port import free_port
from tests.postgresql import Cluster, run_outside

STREAMING_S: Final = 20.0
"""Seconds that the standby may take to follow."""


class Standby(Cluster):
    """A copy of a primary that follows it, and that the primary waits for at each commit."""

    def __init__(self, primary: Cluster, folder: Path) -> None:
        self._pg_ctl, self._user, self._password = primary._pg_ctl, primary._user, primary._password
        self._folder = folder
        shutil.chown(folder, self._user)
        self.port = free_port()
        source = make_url(primary.url()).set(drivername="postgresql", database=None)
        words = f"{source.render_as_string(hide_password=False)}?application_name=standby"
        copy = self._pg_ctl.with_name("pg_basebackup")
        self._run(copy, "-D", self.data, "-R", "-X", "stream", "--checkpoint=fast", "-d", words)
        with (self.data / "postgresql.conf").open("a") as conf:
            conf.write(f"port = {self.port}\nunix_socket_directories = '{folder}'\n")
        self.start()

    def promote(self) -> None:
        """It is the primary from now on."""
        self._run(self._pg_ctl, "-D", self.data, "-w", "promote")


@contextmanager
def standby(primary: Cluster) -> Iterator[Standby]:
    """Returns when no commit of the primary returns any more before it is on the standby's disk."""
    folder = Path(tempfile.mkdtemp(prefix="boardgate-standby-", dir="/tmp"))  # PostgreSQL's user comes to it
    try:
        made = Standby(primary, folder)
        try:
            run_outside(primary.url(), "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'")
            run_outside(primary.url(), "SELECT pg_reload_conf()")
            _wait_until_synchronous(primary)
            yield made
        finally:
            if made.running:
                made.stop("immediate")
    finally:
        shutil.rmtree(folder)


def _wait_until_synchronous(primary: Cluster) -> None:
    engine, end = create_engine(primary.url()), time.monotonic() + STREAMING_S
    with engine.connect() as connection:
        while connection.exec_driver_sql("SELECT sync_state FROM pg_stat_replication").scalar() != "quorum":
            assert time.monotonic() < end, "the standby does not follow"
            connection.rollback()
            time.sleep(0.05)
    engine.dispose()
