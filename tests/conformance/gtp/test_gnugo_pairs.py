"""Two real GNU Gos dial in, are matched and finish; the result is counted again from the record."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conformance.gtp.gnugos import dialled_in
from tests.conformance.gtp.records import newest
from tests.conformance.servers import fast
from tests.running import RunningServer

PATIENCE_S = 60.0

LISTENERS = {
    "area": "size=9",
    "territory": "size=9,rules=territory",
    "canadian": "size=9,time=10+5/10",
    "byo-yomi": "size=9,rules=territory,time=5+3x5",
    "absolute": "size=9,time=60,komi=5.5",
    "large": "size=19,time=120",
}
"""What engines play each other at, by listener."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    ports = [f"gtp-engine,games=1,{options}" for options in LISTENERS.values()]
    with fast(tmp_path_factory.mktemp("pairs"), *ports) as running:
        yield running


def finished(server: RunningServer, listener: str, level: int = 1) -> None:
    """Two gnugos play one game on this listener, and are let go."""
    port = server.ports[list(LISTENERS).index(listener)]
    with dialled_in(port, 1, 2, level=level) as engines:
        assert [engine.wait(PATIENCE_S) for engine in engines] == [0, 0]


@pytest.mark.parametrize(
    ("listener", "rules", "komi", "clock"),
    [
        ("area", "Chinese", 7.5, ""),
        ("territory", "Japanese", 6.5, ""),
        ("canadian", "Chinese", 7.5, "TM[10]OT[5/10 Canadian]"),
        ("byo-yomi", "Japanese", 6.5, "TM[5]OT[3x5 byo-yomi]"),
        ("absolute", "Chinese", 5.5, "TM[60]"),
    ],
)
def test_two_gnugos_dialling_in_finish_9x9(
    server: RunningServer, listener: str, rules: str, komi: float, clock: str
) -> None:
    """ "two gnugos dialling in finish 9x9 [...] games under area and territory rules, [...] in Canadian, byo-yomi and
    absolute time" """
    finished(server, listener)
    record = newest(server.data)
    game = record.proves_its_result()
    assert (game.size, game.rules, game.komi) == (9, rules, komi)
    assert game.moves > 20
    assert clock in record.sgf.replace("\n", "")


def test_two_gnugos_dialling_in_finish_19x19(server: RunningServer) -> None:
    finished(server, "large", level=0)
    game = newest(server.data).proves_its_result()
    assert game.size == 19
    assert game.moves > 100


def test_both_lists_of_dead_stones_are_in_the_record(server: RunningServer) -> None:
    """ "SGF of every game with clocks, result, both dead lists and the settlement." """
    finished(server, "area")
    comment = newest(server.data).proves_its_result().comment
    assert "Black claims:" in comment
    assert "White claims:" in comment
