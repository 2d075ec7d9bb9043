"""A server that starts takes its tables over: from another that runs, and while PostgreSQL fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from sqlalchemy import make_url

import migrations
from tests import peers
from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.faults.guests import GAME, TICKET, Guest, seated
from tests.postgresql import Cluster, cluster
from tests.proxy import Watch, Wire, wire
from tests.running import RunningServer

pytestmark = peers.needed

HUNG_UP_S = 5.0
"""Seconds after the other server's start until players are hung up on."""

BURIED = 75
"""The exit status of a node that another has declared dead."""

ANNA, BERT = f"{GAME}#{TICKET}", f"{GAME}#{TICKET[::-1]}"


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster]:
    with cluster() as running:
        yield running


@pytest.fixture
def between(postgres: Cluster) -> Iterator[Wire]:
    with wire(("127.0.0.1", postgres.port)) as made:
        yield made


def started(folder: Path, url: str, between: Wire) -> AbstractContextManager[RunningServer]:
    """A server whose database is at the end of the wire."""
    through = make_url(url).set(port=between.port).render_as_string(hide_password=False)
    return fast(folder, "bogaprot", "http", ports=None, SERVER_DATABASE=through)


def goes_on(running: RunningServer) -> None:
    """Both come back to their game, and play."""
    with Guest(running.ports[0]) as anna, Guest(running.ports[0]) as bert:
        assert anna.joins(ANNA) == 0
        assert [anna.hear("MSG_MOVE"), anna.hear("MSG_MOVE")] == [(-1, 0, "o"), (-1, 4, "x")]
        assert bert.joins(BERT) == 1
        assert [anna.puts(8), bert.puts(1)] == [(0,), (0,)]


def where_it_reads(rows: bytes, then: Watch) -> Watch:
    """``then`` is asked where the server reads these rows, the first time."""
    found: list[bytes] = []

    def watch(sent: bytes) -> bool:
        if found or b"FROM " + rows not in sent:
            return False
        found.append(sent)
        return then(sent)

    return watch


def test_a_database_that_fails_while_tables_are_taken_over_costs_no_game(
    tmp_path: Path, postgres: Cluster, between: Wire
) -> None:
    """Where it is gone the server ends, in a sentence; where a table's read loses the connection it takes another."""
    url = postgres.create("taken")
    migrations.upgrade(url)
    with started(tmp_path, url, between) as running, seated(running.ports[0], ANNA, BERT) as (anna, bert):
        assert [anna.puts(4), bert.puts(0)] == [(0,), (0,)]
        assert running.stop() == 0

    def gone(sent: bytes) -> bool:
        between.cut()
        return True

    between.before = where_it_reads(b"seats", gone)
    with pytest.raises(AssertionError, match="the server did not start"), started(tmp_path, url, between):
        pass
    log = (tmp_path / "server.log").read_text()
    assert "Error: the database failed while its tables were claimed: " in log
    assert "Traceback" not in log
    assert "left alone" not in log
    between.mend()
    between.before = where_it_reads(b"events", lambda sent: True)
    with started(tmp_path, url, between) as running:
        goes_on(running)
        assert "tables could not be read, once more" in running.log.read_text()


def test_of_two_servers_of_one_name_the_one_that_started_last_has_the_games(
    tmp_path: Path, postgres: Cluster, between: Wire
) -> None:
    """The other one hangs up on their players within five seconds, and ends with the status that starts it anew."""
    url = postgres.create("shared")
    migrations.upgrade(url)
    with started(tmp_path / "first", url, between) as first, seated(first.ports[0], ANNA, BERT) as (anna, bert):
        assert [anna.puts(4), bert.puts(0)] == [(0,), (0,)]
        with started(tmp_path / "second", url, between) as second:
            for guest in (anna, bert):
                assert guest.hung_up_after_s() < HUNG_UP_S
            assert first.process.wait(HUNG_UP_S) == BURIED
            assert "this node was declared dead" in first.log.read_text()
            assert Host(second.ports[1]).ask("/readyz")[0] == 200
            goes_on(second)
