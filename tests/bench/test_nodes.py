"""Moves are measured on one node and on two, with players at either; these tests assert no speed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from bench import exchange, nodes, scripts
from gateway.cli import main
from tests import peers


@pytest.fixture(autouse=True)
def short_games() -> Iterator[None]:
    """Two tables, a second of each kind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scripts, "LENGTH", 200)
        patch.setattr(nodes, "TABLES", 2)
        patch.setattr(nodes, "MOVES_S", 40)
        patch.setattr(nodes, "WARM_S", 0.2)
        patch.setattr(nodes, "TURN_S", 1.0)
        scripts.games.cache_clear()
        yield
        scripts.games.cache_clear()


@peers.needed
@pytest.mark.nightly  # a benchmark's own run: the measured code is tried elsewhere
@pytest.mark.usefixtures("pg_ctl")
def test_moves_are_played_on_one_node_and_by_players_of_both() -> None:
    """Each share of crossing moves is played, and only where moves cross the players' node works for them."""
    shares: list[float] = []
    alone, none, half, whole = found = nodes.crossings(1.0, shares.append)
    assert [(run.nodes, run.crossing) for run in found] == [(1, 0.0), (2, 0.0), (2, 0.5), (2, 1.0)]
    assert all(run.count.moves and run.count.latencies for run in found)
    assert alone.players_s == 0.0
    assert min(half.players_s, whole.players_s) > 0.0
    assert none.table_s > 0.0
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


@peers.needed
@pytest.mark.nightly  # a benchmark's own run: the measured code is tried elsewhere
@pytest.mark.usefixtures("pg_ctl")
def test_a_node_is_drained_while_its_tables_are_played_at() -> None:
    """All of them come to the other node, and no game ends."""
    found = nodes.drained(12, lambda share: None)
    assert (found.tables, found.ended) == (12, 0)
    assert found.seconds > 0.0
    assert found.before.moves > 0
    assert found.during.moves > 0


@peers.needed
@pytest.mark.usefixtures("pg_ctl")
def test_the_messages_of_a_crossing_are_exchanged_alone() -> None:
    """Both ends and PostgreSQL work for them."""
    shares: list[float] = []
    found = exchange.exchanged(1.0, shares.append)
    assert found.count > 100
    assert 0.0 < found.each_us(found.bus_s) < found.each_us(found.ends_s + found.bus_s) < 1e4
    assert shares == [1.0]


def test_a_crossing_costs_what_all_processes_spend_more() -> None:
    """Half of the moves cross: what they all cost more is told of each crossing."""
    base, half = nodes.Crossed(2, 0.0, table_s=0.1), nodes.Crossed(2, 0.5, table_s=0.1, players_s=0.02, bus_s=0.01)
    base.count.moves = half.count.moves = 1000
    assert half.each_us(half.all_s) == pytest.approx(130.0)
    assert half.more_us(base) == pytest.approx(60.0)


def test_without_postgresql_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else of the measurements suffers."""
    monkeypatch.setattr("bench.postgresql.BINARIES", "nowhere/*/pg_ctl")
    monkeypatch.setenv("PATH", "/nowhere")
    found = CliRunner().invoke(main, ["bench", "--only", "nodes"])
    assert found.exit_code == 0, found.output
    assert "Nodes are not measured: PostgreSQL's server is not installed here" in found.output
