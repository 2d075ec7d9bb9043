"""A host moves from SQLite to PostgreSQL in the middle of a game: the players come back to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateway.cli import main
from tests import peers
from tests.conformance.servers import fast
from tests.faults.guests import GAME, TICKET, Guest, seated, sound
from tests.postgresql import Cluster, cluster

pytestmark = peers.needed

ANNA, BERT = f"{GAME}#{TICKET}", f"{GAME}#{TICKET[::-1]}"


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster]:
    with cluster() as running:
        yield running


def migrate(url: str, data: Path) -> Result:
    environment = {"BOARDGATE_SERVER_DATABASE": url}
    return CliRunner().invoke(main, ["migrate", "--from", f"sqlite:///{data / 'boardgate.db'}"], env=environment)


def test_a_game_goes_on_in_another_database(tmp_path: Path, postgres: Cluster) -> None:
    url = postgres.create("moved")
    with fast(tmp_path, "bogaprot") as running, seated(running.ports[0], ANNA, BERT) as (anna, bert):
        assert [anna.puts(4), bert.puts(0)] == [(0,), (0,)]
        refused = migrate(url, tmp_path)
        assert refused.exit_code == 1
        assert "boardgate.db is in use by another server" in refused.output
        assert running.stop() == 0
    moved = migrate(url, tmp_path)
    assert moved.exit_code == 0, moved.output
    assert moved.output.splitlines()[-1] == "both databases hold the same, and their records are whole"
    with fast(tmp_path, "bogaprot", ports=None, SERVER_DATABASE=url) as running, Guest(running.ports[0]) as anna:
        assert anna.joins(ANNA) == 0
        assert [anna.hear("MSG_MOVE"), anna.hear("MSG_MOVE")] == [(-1, 0, "o"), (-1, 4, "x")]
        with Guest(running.ports[0]) as bert:
            assert bert.joins(BERT) == 1
            assert [anna.puts(8), bert.puts(1)] == [(0,), (0,)]
        refused = migrate(url, tmp_path)
        assert refused.exit_code == 1
        assert sound(running)
