"""PostgreSQL's primary is killed under load and its synchronous standby promoted: nothing that was told is lost."""

from __future__ import annotations

import os
import random
import signal
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from sqlalchemy import make_url

import migrations
from tests import peers
from tests.conformance.servers import fast
from tests.faults.crossing import Load, checked
from tests.faults.standbys import standby
from tests.postgresql import Cluster, cluster

pytestmark = peers.needed

PAIRS: Final = 4
AWAY_S: Final = 1.0
"""Seconds without a primary, as a manager needs to be sure of its end."""

SILENCE_S: Final = 25.0
"""Seconds that a player is told nothing at most, on a machine that does other things, too."""


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
