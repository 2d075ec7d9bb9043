"""A minimal engine, which knows nothing of dead stones, plays game after game, whoever passes last."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.conformance.gtp.ends import OnPort
from tests.conformance.gtp.engines import Engine
from tests.conformance.gtp.matching_room import waits
from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.running import RunningServer

MINIMAL: Final = (
    "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
)
GAMES: Final = 3
HTTP, ENGINES, GUIS = range(3)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    data: Path = tmp_path_factory.mktemp("minimal")
    with fast(data, "http", "gtp-engine,size=5", "gtp-gui") as running:
        yield running


def passes_last(gui: OnPort) -> None:
    """A game in which the engine passes first; then both agree that nothing is dead."""
    gui.sets("boardsize 5", "clear_board")
    assert waits(gui, "play b C3") == "="
    assert gui.asks("genmove w") == "= pass"
    gui.sets("play b pass")
    assert gui.asks("final_score") == "= B+17.5"


def test_after_a_game_whose_last_pass_was_the_opponents_it_plays_the_next(server: RunningServer) -> None:
    with Engine(server.ports[ENGINES], {"genmove": "pass"}, listed=MINIMAL) as engine:
        for _ in range(GAMES):
            gui = OnPort(server.ports[GUIS])
            passes_last(gui)
            gui.close()
        assert not engine.left.is_set()
        assert "quit" not in engine.asked


def test_two_of_them_play_each_other_again_and_again(server: RunningServer) -> None:
    ports = server.ports[ENGINES]
    with (
        Engine(ports, {"genmove": "pass"}, listed=MINIMAL) as one,
        Engine(ports, {"genmove": "pass"}, listed=MINIMAL) as other,
    ):
        for engine in (one, other):
            engine.wait_until_asked("genmove", GAMES)
            assert not engine.left.is_set()


def test_after_a_registered_game_it_plays_whoever_comes(server: RunningServer) -> None:
    host = Host(server.ports[HTTP])
    table, (ticket, engine) = host.registers("go", "rita", "gnu", options={"size": 5})
    with Engine(server.ports[ENGINES], {"genmove": "pass"}, listed=MINIMAL, first=f"gnu\n{engine}\n") as minimal:
        gui = OnPort(server.ports[GUIS], "rita", ticket)
        passes_last(gui)
        host.until(table, "GameEnded")
        gui.close()
        gui = OnPort(server.ports[GUIS])
        passes_last(gui)
        gui.close()
        assert not minimal.left.is_set()
