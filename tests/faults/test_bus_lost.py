"""NATS, the bus between nodes, is killed and started again."""

from __future__ import annotations

import json
import random
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import migrations
from tests import peers
from tests.bus.brokers import PATIENCE_S, Nats
from tests.conformance.servers import fast
from tests.faults.crossing import Load, checked
from tests.postgresql import cluster
from tests.running import RunningServer

pytestmark = peers.needed


def reasons(running: RunningServer) -> list[str]:
    """What /readyz says against the server."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{running.ports[1]}/readyz", timeout=10) as answer:
            assert json.load(answer) == {"status": "ready"}
            return []
    except urllib.error.HTTPError as refused:
        said: dict[str, list[str]] = json.load(refused)
        return said["reasons"] if refused.code == 503 else [str(refused)]


def says(running: RunningServer, wanted: list[str]) -> bool:
    end = time.monotonic() + PATIENCE_S
    while reasons(running) != wanted and time.monotonic() < end:
        time.sleep(0.05)
    return reasons(running) == wanted


def test_nodes_without_their_bus_are_not_ready_and_go_on_by_themselves_when_it_is_back(tmp_path: Path) -> None:
    with ExitStack() as stack:
        url = stack.enter_context(cluster()).create("nodes")
        migrations.upgrade(url)
        broker = Nats()
        stack.callback(broker.close)
        nodes = [
            stack.enter_context(
                fast(
                    *(tmp_path / str(place), "bogaprot", "http"),
                    SERVER_DATABASE=url,
                    CLUSTER_NODE=f"node-{place}",
                    CLUSTER_BUS=f"nats://127.0.0.1:{broker.port}",
                    ports=None,
                )
            )
            for place in range(2)
        ]
        with Load([node.ports[0] for node in nodes], 4, random.Random(3)) as playing:
            playing.play(0.0, least=40)
            assert [reasons(node) for node in nodes] == [[], []]
            broker.lose(0)
            assert all(says(node, ["the bus to other nodes is lost"]) for node in nodes)
            broker.find(0)
            assert all(says(node, []) for node in nodes)
            playing.everyone_plays()
        assert checked(url, playing.games) >= playing.moves
