"""Real nodes on one PostgreSQL are killed, stopped and frozen while players play across them."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import create_engine, text

import migrations
from gateway.store.engine import session_of
from tests import peers
from tests.faults.guests import GAME, TICKET, Guest
from tests.faults.nodes import PAIRS, SILENCE_S, Nodes, ends_buried, load
from tests.laws.playouts import NIGHTLY
from tests.postgresql import Cluster, cluster

pytestmark = peers.needed

MANY: Final = 40
"""Pairs that find in a few kills what six find in hundreds: at each kill more of them are at a rare moment."""


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster]:
    with cluster() as running:
        yield running


@pytest.fixture
def url(postgres: Cluster, request: pytest.FixtureRequest) -> str:
    """An empty database."""
    made = postgres.create(f"nodes{abs(hash(request.node.name)):x}")
    migrations.upgrade(made)
    return made


@pytest.fixture
def nodes(tmp_path: Path, url: str) -> Iterator[Nodes]:
    with ExitStack() as stack:
        yield Nodes(tmp_path, url, stack)


def kill_in_turn(nodes: Nodes, kills: int, seed: int, pairs: int = PAIRS) -> float:
    """Kill a node, let the others play on, start it again; the longest silence in seconds of players elsewhere."""
    with load(nodes, seed, pairs) as playing:
        for kill in range(kills):
            place = kill % len(nodes.running)
            playing.dead.add(place)
            nodes.running[place].kill()
            playing.everyone_plays()
            playing.ports[place] = nodes.start(place).ports[0]
            playing.dead.discard(place)
            playing.play(1.0)
    print(f"{kills} kills, {playing.moves} moves told, longest silence {playing.longest_s:.1f} s")
    return playing.longest_s


def test_players_of_two_nodes_play_on_when_the_nodes_of_their_table_are_killed(nodes: Nodes) -> None:
    """The node that opened their table is killed meanwhile, and a restarted one is played on at once."""
    for place in range(3):
        nodes.start(place)
    with ExitStack() as stack:
        anna, bert = (stack.enter_context(Guest(nodes.running[place].ports[0])) for place in (1, 2))
        assert [anna.joins(f"{GAME}#{TICKET}"), bert.joins(GAME)] == [0, 1]
        assert [anna.puts(0), bert.puts(3)] == [(0,), (0,)]
        nodes.running[0].kill()
        assert anna.puts(1) == (0,)
        nodes.running[1].kill()
        again = stack.enter_context(Guest(nodes.start(0).ports[0]))
        assert again.joins(f"{GAME}#{TICKET}") == 0
        assert bert.puts(4) == (0,)
        assert again.puts(2) == (0,)
        assert [guest.hear("MSG_GAMEOVER")[0] for guest in (again, bert)] == [0, 0]
    assert nodes.sound()


def test_a_node_that_is_stopped_gives_its_tables_away_at_once(nodes: Nodes) -> None:
    """SIGTERM: no lease has to end."""
    for place in range(2):
        nodes.start(place)
    with Guest(nodes.running[0].ports[0]) as anna, Guest(nodes.running[1].ports[0]) as bert:
        assert [anna.joins(f"{GAME}#{TICKET}"), bert.joins(GAME)] == [0, 1]
        assert anna.puts(0) == (0,)
        assert nodes.running[0].stop() == 0
        begun = time.monotonic()
        assert bert.puts(3) == (0,)
        assert time.monotonic() - begun < 2.5  # the lease is 3 s
        with Guest(nodes.running[1].ports[0]) as again:
            assert again.joins(f"{GAME}#{TICKET}") == 0
            assert again.puts(1) == (0,)
    assert nodes.sound()


def test_nothing_told_is_lost_or_doubled_when_nodes_are_killed_under_load(nodes: Nodes) -> None:
    for place in range(3):
        nodes.start(place)
    assert kill_in_turn(nodes, 2, 1) < SILENCE_S


@pytest.mark.nightly
@pytest.mark.parametrize("seed", [2, 3])
def test_nothing_told_is_lost_or_doubled_in_a_hundred_kills(nodes: Nodes, seed: int) -> None:
    """Fifty of them each."""
    for place in range(3):
        nodes.start(place)
    assert kill_in_turn(nodes, 50, seed, MANY) < SILENCE_S


def test_a_node_that_was_stopped_for_long_says_nothing_untrue_and_ends(nodes: Nodes) -> None:
    """Its tables are others' when it runs again: what its players had asked meanwhile is not done twice."""
    for place in range(3):
        nodes.start(place)
    frozen = nodes.running[0]
    with load(nodes, 3) as playing:
        playing.dead.add(0)
        frozen.process.send_signal(signal.SIGSTOP)
        playing.play(30.0 if NIGHTLY else 6.0)
        frozen.process.send_signal(signal.SIGCONT)
        assert ends_buried(frozen)


def test_the_tables_of_a_node_that_died_inside_a_transaction_are_claimed(nodes: Nodes, url: str) -> None:
    """Its session holds the row of its table: whoever buries the node ends that session."""
    for place in range(2):
        nodes.start(place)
    with Guest(nodes.running[0].ports[0]) as anna, Guest(nodes.running[1].ports[0]) as bert:
        assert [anna.joins(f"{GAME}#{TICKET}"), bert.joins(GAME)] == [0, 1]
        assert anna.puts(0) == (0,)
        with held_row(url) as node:
            nodes.running[0].process.send_signal(signal.SIGSTOP)
            assert bert.puts(3) == (0,), f"the table of node {node} was not claimed"
    nodes.running[0].kill()
    assert nodes.sound()


@contextmanager
def held_row(url: str) -> Iterator[int]:
    """A transaction that holds the only table's row, in a session that bears its node's name; the node."""
    with_name: dict[str, Any] = {}
    engine = create_engine(url)
    with engine.connect() as connection:
        with_name["application_name"] = session_of(connection.execute(text("SELECT node FROM tables")).scalar_one())
    engine.dispose()
    engine = create_engine(url, connect_args=with_name)
    connection = engine.connect()
    try:
        yield connection.execute(text("SELECT node FROM tables FOR UPDATE")).scalar_one()
    finally:
        connection.invalidate()
        connection.close()
        engine.dispose()
