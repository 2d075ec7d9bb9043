"""The table's clock in a game of chess: what each client is told of it, and what becomes of a flag that falls."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

import pytest

from tests.conformance.chess_guests import LISTENERS, PeerToPeerGuest, Room, room
from tests.conformance.servers import fast
from tests.running import RunningServer

HALF_S: Final = "level 0 0.5 0"
THOUGHT_S: Final = 0.3
"""Seconds that a player thinks about a move, to see them on the clock."""

INTERRUPTED_S: Final = 0.5
"""Seconds between an adjournment and its end, which are to be nobody's."""

LATE_S: Final = 5.0
"""Seconds that a loaded machine may need to tell that a flag has fallen."""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("clocks"), *LISTENERS) as found:
        yield found


@pytest.fixture
def here(running: RunningServer) -> Iterator[Room]:
    with room(running) as found:
        yield found


def begun(here: Room, level: str, first: str, *state: str) -> tuple[PeerToPeerGuest, PeerToPeerGuest]:
    """White, who has made the first move, and Black, who has heard it and not moved yet."""
    white, black = here.p2p("White"), here.p2p("Black")
    black.go(*state, level)
    black.until("text your game is proposed")
    white.say("text hello")
    white.until("go")
    white.go(*state, level, f"move {first}")
    white.enter()
    white.until(f"move {first}")
    black.hears("text the game with", f"move {first}", "go")
    black.say("accepted", f"move {first}")
    return white, black


def left(line: str) -> int:
    """The centiseconds of a time or otim line."""
    return int(line.split()[1])


def test_a_flag_falls_at_its_moment_although_nobody_sends_anything(here: Room) -> None:
    """ "flag falls are found at the deadline, not at the next message"."""
    before = time.monotonic()
    white, black = begun(here, HALF_S, "e2e4")
    after = time.monotonic()
    assert white.until("result ") == "result 1-0 {Black forfeits on time}"
    assert time.monotonic() - before >= 0.5
    assert time.monotonic() - after < 0.5 + LATE_S
    assert black.until("result ") == "result 1-0 {Black forfeits on time}"


def test_a_move_after_the_flag_has_fallen_is_not_played(here: Room) -> None:
    """ "Clocks: the table's clock decides"."""
    white, black = begun(here, HALF_S, "e2e4")
    white.until("result ")
    black.say("move e7e5")
    black.until("result ")
    assert "move e7e5" not in [*white.told(), *black.told()]


@pytest.mark.parametrize(
    ("pieces", "result"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "1-0 {Black forfeits on time}"),
        ("4k2r/8/8/8/8/8/8/4K3 w k - 0 1", "1/2-1/2 {time is over, but there is no mating material}"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "1-0 {Black forfeits on time}"),
    ],
    ids=["the other side has a rook", "the other side has a bare king", "the other side has a pawn"],
)
def test_a_flag_that_falls_against_a_bare_king_is_a_draw(here: Room, pieces: str, result: str) -> None:
    """ "insufficient material on a flag fall is a draw"."""
    white, black = begun(here, HALF_S, "e1d1", f"setboard {pieces}")
    for guest in (white, black):
        assert guest.until("result ") == f"result {result}"


def test_the_clocks_that_come_with_a_move_are_the_table_s(here: Room) -> None:
    """ "We send both before each move we relay; `time` is the receiver's clock"."""
    pia, mia = here.mixed()
    before = time.monotonic()
    time.sleep(THOUGHT_S)
    mia.say("e5")
    own, other = left(pia.until("time ")), left(pia.until("otim "))
    assert pia.until("move ", "text ") == "move e7e5"
    assert 30000 - 100 * LATE_S < own <= 30000
    assert 30000 - 100 * (time.monotonic() - before + LATE_S) < other <= 30000 - 100 * THOUGHT_S
    assert mia.until("tell gateway clock ") != "tell gateway clock 5:00 - 5:00"


def test_the_clocks_that_a_client_tells_change_nothing(here: Room) -> None:
    """ "centiseconds, advisory: the table's clock is the gateway's"."""
    pia, mia = here.mixed()
    mia.say("e5")
    before = left(pia.until("time "))
    pia.until("move e7e5")
    pia.say("time 1", "otim 1", "time 999999", "move e7e5", "move g1f3")
    assert mia.hears("move g1-f3", "tell gateway clock ") != "tell gateway clock 0:00 - 0:00"
    mia.say("Nc6")
    assert before - 100 * LATE_S < left(pia.until("time ")) <= before


def test_an_increment_is_added_after_each_move(here: Room) -> None:
    """ "INC may be fractional"."""
    white, black = begun(here, "level 0 60 1.5", "e2e4")
    black.say("move e7e5")
    own, other = left(white.until("time ")), left(white.until("otim "))
    assert 6150 - 100 * LATE_S < own <= 6150
    assert 6150 - 100 * LATE_S < other <= 6150
    assert max(own, other) > 6000


def test_a_time_for_each_move_is_whole_again_at_each_move(here: Room) -> None:
    """ "`level -1 TC 0` = TC per move"."""
    white, black = begun(here, "level -1 20 0", "e2e4")
    black.say("move e7e5")
    assert (left(white.until("time ")), left(white.until("otim "))) == (2000, 2000)


def test_nobody_s_clock_runs_while_a_game_is_adjourned(here: Room) -> None:
    """Black is charged for what was thought before, and for nothing of the interruption."""
    before = time.monotonic()
    white, black = begun(here, "level 0 60 0", "e2e4")
    black.say("adjourn")
    white.until("text ", "adjourn")
    white.say("text accept")
    for guest in (white, black):
        guest.until("result * ")
    thought_s = time.monotonic() - before
    time.sleep(INTERRUPTED_S)
    for guest in (white, black):
        guest.say("go")
    black.until("move e2e4")
    assert left(black.until("time ")) >= 6000 - 100 * thought_s - 1
    assert left(black.until("otim ")) >= 6000 - 100 * thought_s - 1
