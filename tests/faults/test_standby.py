"""PostgreSQL's primary is killed under load and its synchronous standby promoted: nothing that was told is lost."""

from __future__ import annotations

import os
import random
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import create_engine, make_url

import migrations
from gateway.bench.free_port import free_port
from gateway.bench.postgresql import Cluster, run_outside
from tests import peers
from tests.conformance.servers import fast
from tests.faults.crossing import Load, checked
from tests.store.cluster import cluster

pytestmark = peers.needed

PAIRS: Final = 4
STREAMING_S: Final = 20.0
"""Seconds that the standby may take to follow."""

AWAY_S: Final = 1.0
"""Seconds without a primary, as a manager needs to be sure of its end."""

SILENCE_S: Final = 25.0
"""Seconds that a player is told nothing at most, on a machine that does other things, too."""


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


def of_both(url: str, second: Cluster) -> str:
    """The URL of a database on whichever of the two takes writes."""
    first = make_url(url)
    hosts = (f"{first.host}:{first.port}", f"{first.host}:{second.port}")
    both = first.set(host=None, port=None).update_query_dict({"host": hosts, "target_session_attrs": "read-write"})
    return both.render_as_string(hide_password=False)


def test_nothing_told_is_lost_when_a_synchronous_standby_is_promoted_under_load(tmp_path: Path) -> None:
    with ExitStack() as stack:
        primary = stack.enter_context(cluster())
        database = primary.create("nodes")
        migrations.upgrade(database)
        second = stack.enter_context(standby(primary))
        url, ports = of_both(database, second), []
        for place in range(2):
            words = {"SERVER_DATABASE": url, "CLUSTER_NODE": f"node-{place}"}
            ports += stack.enter_context(fast(tmp_path / str(place), "bogaprot", ports=None, **words)).ports
        with Load(ports, PAIRS, random.Random(1)) as playing:
            playing.play(0.0, least=20 * PAIRS)
            os.kill(primary.pid, signal.SIGKILL)
            (primary.data / "postmaster.pid").unlink()  # of a process that is gone
            playing.play(AWAY_S)
            second.promote()
            playing.everyone_plays()
            playing.play(1.0)
        print(f"{playing.moves} moves told, longest silence {playing.longest_s:.1f} s")
        assert checked(second.url("nodes"), playing.games) >= playing.moves
        assert playing.longest_s < SILENCE_S
