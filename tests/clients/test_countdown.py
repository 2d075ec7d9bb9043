"""Clocks between two words about them: exact from the moment they were told, never more than there is."""

from __future__ import annotations

import pytest

from clients import panel
from clients.client_state import ClientState
from clients.countdown import Countdown, ToldClock
from gateway import registry
from protocols.core.model import Clock, Reading


def counting(clock: Clock, *, late: bool = False) -> Countdown:
    """Heard at 1000 seconds."""
    countdown = Countdown()
    countdown.hear(ToldClock(clock, late), 1000.0)
    return countdown


def texts(countdown: Countdown, now_s: float) -> list[str]:
    return [shown.text for shown in countdown.shown(now_s)]


PLAIN = Clock((Reading(300.0), Reading(3700.0)), 0, 0.0)


def test_the_clock_that_runs_goes_down_and_the_other_stands() -> None:
    countdown = counting(PLAIN)
    assert texts(countdown, 1000.0) == ["5:00", "1:01:40"]
    assert texts(countdown, 1000.9) == ["4:59", "1:01:40"]
    assert texts(countdown, 1241.0) == ["0:59", "1:01:40"]


def test_a_clock_never_shows_less_than_nothing() -> None:
    assert texts(counting(PLAIN), 9000.0)[0] == "0:00"


def test_no_clock_goes_down_while_none_runs() -> None:
    assert texts(counting(Clock(PLAIN.readings, None, 0.0)), 9000.0) == ["5:00", "1:01:40"]


@pytest.mark.parametrize(
    ("reading", "at_first", "later"),
    [
        (Reading(2.0, 30.0, 3), "0:02", "0:22x3"),
        (Reading(0.0, 8.0, 3), "0:08x3", "0:06x2"),
        (Reading(2.0, 300.0, 0, 25), "0:02", "4:52/25"),
        (Reading(60.0, moves=40), "1:00/40", "0:50/40"),
        (Reading(0.0, 30.0), "0:30", "0:20"),
    ],
    ids=["byo-yomi begins", "a period is used up", "canadian", "moves", "per move"],
)
def test_overtime_is_shown_as_it_comes(reading: Reading, at_first: str, later: str) -> None:
    """Ten seconds later."""
    countdown = counting(Clock((reading,), 0, 0.0))
    assert (texts(countdown, 1000.0), texts(countdown, 1010.0)) == ([at_first], [later])


def test_the_same_word_again_does_not_begin_anew() -> None:
    countdown, told = Countdown(), ToldClock(PLAIN)
    countdown.hear(told, 1000.0)
    countdown.hear(told, 1010.0)
    assert texts(countdown, 1010.0)[0] == "4:50"
    countdown.hear(ToldClock(PLAIN), 1020.0)
    assert texts(countdown, 1020.0)[0] == "5:00"


def test_what_had_run_before_it_was_told_is_shown_as_at_most_that() -> None:
    assert texts(counting(PLAIN, late=True), 1001.0) == ["≤4:59", "1:01:40"]


def test_a_clock_runs_short_in_its_last_twenty_seconds_and_not_before_its_last_period() -> None:
    short = [
        counting(Clock((reading,), 0, 0.0)).shown(1005.0)[0].short
        for reading in (
            Reading(24.0),
            Reading(26.0),
            Reading(0.0, 24.0, 1),
            Reading(0.0, 24.0, 2),
            Reading(4.0, 300.0, 0, 25),
        )
    ]
    assert short == [True, False, True, False, False]


def test_nobody_keeps_time_where_nothing_was_told() -> None:
    assert Countdown().shown(1000.0) == []


def test_the_panel_names_each_side_and_marks_the_clock_that_runs() -> None:
    client_state = ClientState(registry.game("chess"))
    assert panel.clocks(client_state, counting(PLAIN).shown(1001.0)).plain == "▶ white 4:59    black 1:01:40"


def test_four_clocks_stand_on_two_lines() -> None:
    ludo = ClientState(registry.game("ludo"))
    lines = panel.clocks(ludo, counting(Clock((Reading(60.0),) * 4, 2, 0.0)).shown(1000.0)).plain.split("\n")
    assert [line.count("1:00") for line in lines] == [2, 2]
    assert lines[1].startswith("▶ ")
