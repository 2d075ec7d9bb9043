"""Real nodes are cut off from PostgreSQL, or from the bus, by a firewall that drops packets: one way, and both.

Everything is in a network namespace of this module's own. Each node reaches PostgreSQL and the bus at addresses that no
other uses, so that packets of one node are dropped and those of others are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import make_url

import migrations
from tests import peers
from tests.bus.brokers import Nats
from tests.conformance.relay_networks import networks
from tests.deploy.namespaces import network
from tests.faults.nodes import SILENCE_S, Nodes, ends_buried, load
from tests.postgresql import Cluster, cluster

pytestmark = peers.needed

POSTGRES: Final = "127.0.1.{}"
BUS: Final = "127.0.2.{}"
"""Where the node of this place finds them."""

SAYS: Final = "ip daddr {} drop"
HEARS: Final = "ip saddr {} drop"

WAYS: Final = {"both ways": (SAYS, HEARS), "what it says": (SAYS,), "what it hears": (HEARS,)}
TRIED: Final = [
    pytest.param(ways, id=name, marks=[pytest.mark.nightly] * (name != "both ways")) for name, ways in WAYS.items()
]


@pytest.fixture(scope="module")
def apart() -> Iterator[networks.Host]:
    """The network on which this module's tests run, with all that they start."""
    networks.needed()
    with networks.host() as made, network(f"/run/netns/{made.name}"):
        yield made


@pytest.fixture(scope="module")
def postgres(apart: networks.Host) -> Iterator[Cluster]:
    with cluster("listen_addresses = '*'") as running:
        yield running


@pytest.fixture(scope="module")
def broker(apart: networks.Host) -> Iterator[Nats]:
    running = Nats("--addr", "0.0.0.0")
    try:
        yield running
    finally:
        running.close()


@pytest.fixture
def nodes(apart: networks.Host, postgres: Cluster, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Nodes]:
    url = postgres.create(f"nodes{abs(hash(request.node.name)):x}")
    migrations.upgrade(url)
    with ExitStack() as stack:
        yield Nodes(tmp_path, url, stack)


def start(nodes: Nodes, place: int, **settings: str) -> None:
    url = make_url(nodes.url).set(host=POSTGRES.format(place))
    nodes.start(place, url.render_as_string(hide_password=False), **settings)


def cut_off(apart: networks.Host, address: str, rules: tuple[str, ...]) -> None:
    """Packets are dropped in silence: nothing is refused, nothing is answered."""
    dropped = "; ".join(rule.format(address) for rule in rules)
    apart.nft(f"table inet cut {{ chain in {{ type filter hook input priority -300; {dropped}; }}; }}\n")


def mend(apart: networks.Host) -> None:
    apart.nft("delete table inet cut\n")


@pytest.mark.parametrize("ways", TRIED)
def test_a_node_that_is_cut_off_from_postgresql_is_replaced_and_ends_when_it_is_back(
    apart: networks.Host, nodes: Nodes, ways: tuple[str, ...]
) -> None:
    """Its players are hung up on, and play on elsewhere."""
    for place in range(3):
        start(nodes, place, CLUSTER_PATIENCE="5s")
    with load(nodes, 4) as playing:
        playing.dead.add(0)
        cut_off(apart, POSTGRES.format(0), ways)
        try:
            playing.play(8.0)
            playing.everyone_plays()
            assert {player.node for pair in playing.pairs for player in pair} <= {1, 2}
        finally:
            mend(apart)
        assert ends_buried(nodes.running[0])
    assert playing.longest_s < SILENCE_S


@pytest.mark.parametrize("ways", TRIED)
def test_a_node_that_is_cut_off_from_the_bus_alone_costs_nobody_a_connection(
    apart: networks.Host, nodes: Nodes, broker: Nats, ways: tuple[str, ...]
) -> None:
    """Moves across it wait, and go on by themselves when it is back."""
    for place in range(3):
        start(nodes, place, CLUSTER_BUS=f"nats://{BUS.format(place)}:{broker.port}")
    with load(nodes, 5) as playing:
        cut_off(apart, BUS.format(0), ways)
        try:
            playing.play(5.0)
        finally:
            mend(apart)
        playing.everyone_plays()
    assert "the bus is lost" in nodes.running[0].log.read_text()
    assert all(running.process.poll() is None for running in nodes.running)
