"""A chess player that negotiates and waits alone is called to an opponent that waits for another game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conformance.chess_guests import BOGAPROT, LISTENERS, Room, room
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("called"), *LISTENERS) as found:
        yield found


@pytest.fixture
def here(running: RunningServer) -> Iterator[Room]:
    with room(running) as found:
        yield found


def client(running: RunningServer, game: str) -> SpecClient:
    found = SpecClient(running.ports[BOGAPROT])
    assert found.handshake(game) == ("RSP_HANDSHAKE", 0)
    return found


def test_a_chess_p2p_peer_that_waits_is_called_to_a_client_that_wants_another_clock(
    running: RunningServer, here: Room
) -> None:
    """Its Go is void then: it is told the other's game, and may start that."""
    pia = here.p2p("Pia")
    pia.go("level 0 300 0", "move e2e4")
    pia.until("text your game is proposed to whoever comes")
    bob = client(running, "chess?time=600&name=bob")
    pia.hears("text bob proposes a game, 600 s", "level 0 600 0", "go")
    pia.say("accept")
    assert bob.until("REQ_MOVE") == ("REQ_MOVE", 0)
    bob.close()


def test_a_seek_of_miniature_goes_along_to_where_its_seeker_is_called(running: RunningServer, here: Room) -> None:
    mia = here.miniature("Mia")
    mia.seek("5 0 u w")
    bob = client(running, "chess?time=600&name=bob")
    assert "seek 10 0" in mia.until("seek ")
    mia.say("play")
    assert bob.until("REQ_MOVE") == ("REQ_MOVE", 0)
    bob.close()


def test_two_that_are_left_alone_at_different_tables_are_brought_together(here: Room) -> None:
    """The one at the newer table is called to the older one, and what it has proposed stands there."""
    sara, tom, mia, pia = (here.miniature(name) for name in ("Sara", "Tom", "Mia", "Pia"))
    sara.seek("5 0 u w")
    tom.seek("10 0 u b")
    mia.seek("7 0 u w")
    pia.seek("9 0 u b")
    for gone in (sara, pia):
        gone.hang_up()
    assert "seek 7 0" in tom.until("seek 7 0")
    tom.say("seek 7 0 u b")
    mia.until("tell gateway game 1:")
