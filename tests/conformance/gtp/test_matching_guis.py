"""Matchmaking of waiting GUIs: which fit, which are told why not, and which are called when an opponent comes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conformance.gtp.engines import LISTED
from tests.conformance.gtp.matching_room import NINE, THIRTEEN, TIMED, Room, begins, room, serving
from tests.running import RunningServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with serving(tmp_path_factory.mktemp("matching")) as running:
        yield running


@pytest.fixture
def here(server: RunningServer) -> Iterator[Room]:
    with room(server) as found:
        yield found


def test_a_gui_is_told_why_an_engine_declines_and_may_set_up_what_it_plays(here: Room) -> None:
    """ "with a clear reason to whoever is refused" """
    engine = here.engine(NINE, "9")
    here.sit(1)
    gui = here.gui("boardsize 13", "clear_board")
    answer = gui.asks("play b D4")
    assert answer.endswith("refuses boardsize 13 (unacceptable size)"), answer
    client = here.client("go?size=9")
    begins(client)
    gui.sets("boardsize 9", "clear_board")
    assert gui.asks("play b D4") == "="
    assert gui.asks("genmove w") == "= resign"
    assert engine.asked.count("boardsize 13") == 1


def test_a_gui_that_is_refused_by_one_engine_waits_for_another(here: Room) -> None:
    here.engine(NINE, "9")
    here.sit(1)
    gui = here.gui("boardsize 13", "clear_board")
    assert "declines this game" in gui.asks("play b D4")
    gui.sends("play b D4")
    here.sit(1, 1)
    here.engine(NINE, "9 13")
    assert gui.answer() == "="
    assert gui.asks("genmove w") == "= resign"


def test_a_gui_that_comes_for_another_game_is_told_of_who_waits_and_disturbs_nobody(here: Room) -> None:
    first, second = here.gui("boardsize 9", "komi 6.5"), here.gui("boardsize 13")
    first.sends("genmove b")
    here.sit(1)
    answer = second.asks("play b D4")
    assert answer.startswith("? nobody waits for this game: alice")
    assert answer.endswith("waits for area 9x9, komi 6.5; set that up, or ask again to wait")
    second.sets("boardsize 9", "komi 6.5", "play b E5")
    assert first.answer() == "= E5"


def test_a_gui_finds_who_wants_just_its_game_among_others(here: Room) -> None:
    nine, thirteen, other = here.gui("boardsize 9"), here.gui("boardsize 13"), here.gui("boardsize 13")
    nine.sends("genmove b")
    here.sit(1)
    assert "waits for area 9x9" in thirteen.asks("genmove b")
    thirteen.sends("genmove b")
    other.sets("play b C3")
    assert thirteen.answer() == "= C3"
    third = here.gui("boardsize 9", "play b A1")
    assert nine.answer() == "= A1"
    nine.sets("play w B2")
    assert third.asks("genmove w") == "= B2"


def test_two_who_want_the_same_colour_wait_for_others(here: Room) -> None:
    black, too = here.gui("boardsize 9"), here.gui("boardsize 9")
    black.sends("play b C3")
    here.sit(1)
    assert too.asks("play b D4").endswith("waits for area 9x9 from your side; set that up, or ask again to wait")
    too.sends("play b D4")
    here.sit(1, 1)
    white = here.gui("boardsize 9")
    assert white.asks("genmove b") == "= C3"
    assert black.answer() == "="
    here.engine()
    assert too.answer() == "="
    assert too.asks("genmove w") == "= resign"


def test_a_first_move_that_meets_a_player_of_the_same_colour_is_answered_once_and_played(here: Room) -> None:
    """Another GUI waits as Black; an engine's play_mode names this one."""
    black = here.gui("boardsize 9")
    black.sends("play b C3")
    here.sit(1)
    mode = "white dora_d 0 fixed positional forbidden area none"
    engine = here.engine(NINE, listed=f"{LISTED} play_mode", play_mode=[mode, "any"])
    engine.wait_until_asked("play_mode")
    dora = here.gui("boardsize 9", name="dora d")
    assert dora.asks("play b E5") == "="
    assert dora.asks("genmove w") == "= resign"
    assert "play black E5" in engine.asked


def test_a_gui_whose_game_one_engine_declines_is_answered_when_the_next_one_has_been_asked(here: Room) -> None:
    first, second = here.engine(NINE, "9"), here.engine(THIRTEEN, "13")
    here.sit(1, 1)
    gui = here.gui("boardsize 13", "komi 0.5")
    assert gui.asks("play b D4") == "="
    assert gui.asks("genmove w") == "= resign"
    assert "boardsize 13" in first.asked
    assert "play black D4" in second.asked


def test_who_was_told_that_nobody_waits_begins_no_game_before_it_asks_again(here: Room) -> None:
    wanted, passing = here.gui("boardsize 9"), here.gui("boardsize 9", "komi 0.5")
    passing.sends("genmove b")
    here.sit(1)
    assert "nobody waits" in wanted.asks("play b D4")
    client = here.client("go?size=9")
    assert wanted.asks("play b D4") == "="
    assert client.until("REQ_MOVE") == ("REQ_MOVE", 0)
    client.until("MSG_MOVE")
    assert client.seat == 1


def test_who_has_interrupted_its_waiting_is_still_called_to_who_comes(here: Room) -> None:
    """The game that it proposed stands where it is called to, and has begun when it asks again."""
    wanted, passing = here.gui("boardsize 9"), here.gui("boardsize 9", "komi 0.5")
    passing.sends("genmove b")
    here.sit(1)
    assert "nobody waits" in wanted.asks("genmove b")
    wanted.sends("genmove b")
    here.sit(1, 1)
    assert wanted.asks("# interrupt") == "? interrupted"
    client = here.client("go?size=9")
    assert client.until("REQ_MOVE") == ("REQ_MOVE", 0)
    assert client.seat == 0
    client.move(-1, 0, "black")
    assert wanted.asks("genmove b") == "= A9"


def test_a_gui_is_told_what_the_listener_of_an_engine_does_not_let_it_play(here: Room) -> None:
    """ "by the listener's and the engine's limits (sizes, times, ...) with a clear reason to whoever is refused" """
    here.engine(TIMED)
    here.sit(1)
    gui = here.gui("boardsize 9", "time_settings 600 0 0")
    assert gui.asks("play b C3").endswith("plays with at most 60 seconds main time here, not 600")
    gui.sets("time_settings 60 0 0", "play b C3")
    assert gui.asks("genmove w") == "= resign"
