"""GUIs that pipeline, interrupt, vanish inside genmove, or clear the board in mid-game; and the pipe in between."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from tests.conformance.gtp import records
from tests.conformance.gtp.ends import OnPort
from tests.conformance.gtp.records import newest
from tests.conformance.servers import fast
from tests.faults.guests import undisturbed
from tests.running import RunningServer

TICKET = "a-gui-has-brought-this-secret"
_NUMBERS = itertools.count(1)
GUIS = 1


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    data = tmp_path_factory.mktemp("guis")
    with fast(data, "bogaprot", "gtp-gui", SEATS_GRACE="2s") as running, undisturbed(running):
        yield running
    assert "Traceback" not in running.log.read_text()


def pair(server: RunningServer) -> tuple[OnPort, OnPort, str]:
    """Black and White on 5x5, each after the other's first move; and Black's ticket."""
    number = next(_NUMBERS)
    ticket = f"{TICKET}-{number}"
    black = OnPort(server.ports[GUIS], f"alice{number}", ticket)
    white = OnPort(server.ports[GUIS], f"bob{number}")
    black.sends("boardsize 5", "clear_board", "play b C3")
    white.sends("boardsize 5", "clear_board", "genmove b")
    assert [black.answer() for _ in range(3)] == ["=", "=", "="]
    assert [white.answer() for _ in range(3)] == ["=", "=", "= C3"]
    return black, white, ticket


def test_commands_in_one_piece_are_answered_in_order(server: RunningServer) -> None:
    """ "input must still be read meanwhile (# interrupt, end of file, pipelined commands)" """
    black, white, _ = pair(server)
    black.sends("1 genmove w", "2 play b D4", "3 genmove w", "4 name")
    white.sends("1 play w B2", "2 genmove b", "3 play w B3")
    assert [black.answer() for _ in range(4)] == ["=1 B2", "=2", "=3 B3", "=4 Boardgate"]
    assert [white.answer() for _ in range(3)] == ["=1", "=2 D4", "=3"]
    black.close()
    white.close()


def test_an_interrupted_genmove_is_answered_and_the_game_goes_on(server: RunningServer) -> None:
    black, white, _ = pair(server)
    black.sends("1 genmove w", "# interrupt")
    assert black.answer() == "?1 interrupted"
    white.sets("play w B2")
    assert black.asks("2 genmove w") == "=2 B2"
    black.close()
    white.close()


def test_a_gui_that_vanishes_inside_genmove_comes_back_with_its_ticket(server: RunningServer) -> None:
    """ "quit and end of file are a lost connection: the seat is kept." """
    black, white, ticket = pair(server)
    black.sends("genmove w")
    black.close()
    white.sets("play w B2")
    again = OnPort(server.ports[GUIS], "", ticket)
    again.sets("boardsize 5", "clear_board", "play b C3")
    assert again.asks("genmove w") == "= B2"
    again.sets("play b D4")
    assert white.asks("genmove b") == "= D4"
    assert newest(server.data).is_whole()
    again.close()
    white.close()


def test_a_gui_that_does_not_come_back_has_lost(server: RunningServer) -> None:
    black, white, _ = pair(server)
    record = newest(server.data)
    black.close()
    white.sets("play w B2")
    assert white.asks("genmove b").startswith("? game over: W+F (alice")
    assert white.asks("play w B3").endswith(" did not come back)")
    assert "abandonment" in record.text
    assert record.is_whole()
    white.close()


def test_clearing_the_board_in_mid_game_loses_it_after_the_grace(server: RunningServer) -> None:
    """ "boardsize or clear_board in a running game leaves it (resigns after a stated grace)" """
    black, white, _ = pair(server)
    record = newest(server.data)
    white.sets("play w B2")
    white.sends("genmove b")
    black.sets("clear_board")
    assert white.answer().startswith("? game over: W+F (")
    assert white.asks("final_score") == "= W+F"
    assert "abandonment" in records.until(record, "GameEnded")
    assert record.is_whole()
    black.close()
    white.close()


def test_after_clearing_the_board_another_game_begins(server: RunningServer) -> None:
    black, white, _ = pair(server)
    black.sets("clear_board")
    carol = OnPort(server.ports[GUIS], f"carol{next(_NUMBERS)}")
    black.sends("play b D4")
    carol.sends("boardsize 5", "clear_board", "genmove b")
    assert black.answer() == "="
    assert [carol.answer() for _ in range(3)] == ["=", "=", "= D4"]
    for gui in (black, white, carol):
        gui.close()


def test_too_many_commands_that_wait_end_the_connection_and_nothing_else(server: RunningServer) -> None:
    black, white, ticket = pair(server)
    black.sends("genmove w", *["name"] * 200)
    assert b"Boardgate" not in black.ended()
    again = OnPort(server.ports[GUIS], "", ticket)
    again.sets("boardsize 5", "clear_board", "play b C3")
    white.sets("play w B2")
    assert again.asks("genmove w") == "= B2"
    again.close()
    white.close()


@pytest.mark.parametrize(
    "garbage", [b"\xff" * 3000 + b"\n", b"\0\r\t \n", b"genmove\n", b"play b\n", b"9" * 500 + b" name\n"]
)
def test_nonsense_is_refused_and_the_game_goes_on(server: RunningServer, garbage: bytes) -> None:
    black, white, _ = pair(server)
    black.write(garbage)
    black.sends("77 genmove w")
    white.sets("play w B2")
    while (answer := black.answer()) != "=77 B2":
        assert answer[0] in "=?"
    black.close()
    white.close()
