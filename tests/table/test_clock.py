"""Every kind of time control, with figures a person can check in the head."""

from __future__ import annotations

import pytest

from gateway.table import clock as clocks
from protocols.core.errors import Refused, Why
from protocols.core.model import Clock, Reading, TimeControl, TimeKind
from protocols.core.time_text import control_words, read, spell


def control(text: str) -> TimeControl:
    found = read(text)
    assert found is not None
    return found


def after_turns(text: str, *seconds: float) -> Reading:
    """Return seat 0's clock after turns of these seconds."""
    rules = control(text)
    clock, now = clocks.fresh(rules, 2), 1000.0
    for used in seconds:
        clock = clocks.start(clock, 0, now)
        now += used
        clock = clocks.stop(rules, clock, now)
    return clock.readings[0]


def falls_after(text: str, *seconds: float) -> float:
    """Return seat 0's time for its next turn after turns of these seconds."""
    rules = control(text)
    clock = Clock((after_turns(text, *seconds),) * 2, 0, 500.0)
    falls = clocks.flag_falls(rules, clock)
    assert falls is not None
    assert not clocks.has_fallen(rules, clock, falls - 0.001)
    assert clocks.has_fallen(rules, clock, falls + 0.001)
    return falls - 500.0


def test_absolute_time_only_gets_less() -> None:
    assert after_turns("600", 100, 50) == Reading(450.0)
    assert falls_after("600", 100, 50) == 450.0


def test_fischer_adds_its_increment_after_each_turn() -> None:
    assert after_turns("300+5", 10, 10) == Reading(290.0)
    assert falls_after("300+5", 10) == 295.0


def test_moves_per_period_adds_the_next_session_after_its_last_move() -> None:
    assert after_turns("2/100", 30) == Reading(70.0, moves=1)
    assert after_turns("2/100", 30, 30) == Reading(140.0, moves=2)
    assert after_turns("2/100+5", 30, 30) == Reading(150.0, moves=2)


def test_time_per_move_carries_nothing_over() -> None:
    assert after_turns("10/move", 9) == Reading(0.0, 10.0)
    assert falls_after("10/move", 9) == 10.0


def test_canadian_overtime_gives_a_period_for_a_number_of_moves() -> None:
    assert after_turns("60+3/30", 50) == Reading(10.0, 30.0, moves=3)
    assert after_turns("60+3/30", 50, 15) == Reading(0.0, 25.0, moves=2)
    assert after_turns("60+3/30", 50, 15, 5, 5) == Reading(0.0, 30.0, moves=3), "the block is done: a new period"
    assert falls_after("60+3/30", 50, 15) == 25.0


def test_byoyomi_uses_a_period_up_only_when_it_runs_out_within_a_turn() -> None:
    assert after_turns("60+3x10", 65) == Reading(0.0, 10.0, periods=3)
    assert after_turns("60+3x10", 65, 9) == Reading(0.0, 10.0, periods=3)
    assert after_turns("60+3x10", 65, 15) == Reading(0.0, 10.0, periods=2)
    assert after_turns("60+3x10", 65, 25) == Reading(0.0, 10.0, periods=1)
    assert falls_after("60+3x10") == 90.0
    assert falls_after("60+3x10", 65, 25) == 10.0


def test_lag_is_credited_up_to_the_cap() -> None:
    rules = control("60")
    clock = clocks.start(clocks.fresh(rules, 2), 0, 0.0)
    assert clocks.stop(rules, clock, 10.0, 0.2).readings[0].main_s == pytest.approx(50.2)
    assert clocks.stop(rules, clock, 10.0, 9.0).readings[0].main_s == pytest.approx(50.0 + clocks.LAG_CREDIT_S)
    assert clocks.stop(rules, clock, 10.0, -9.0).readings[0].main_s == pytest.approx(50.0), (
        "no player is charged for lag"
    )


def test_a_fall_is_found_as_much_later_as_the_network_is_given_back() -> None:
    rules = control("60")
    clock = clocks.start(clocks.fresh(rules, 2), 0, 0.0)
    assert clocks.flag_falls(rules, clock, 0.25) == 60.25
    assert not clocks.has_fallen(rules, clock, 60.2, 0.25)
    assert clocks.flag_falls(rules, clock, 9.0) == 60.0 + clocks.LAG_CREDIT_S


def test_a_running_clock_shows_what_is_left_without_being_stopped() -> None:
    rules = control("60")
    clock = clocks.start(clocks.fresh(rules, 2), 1, 100.0)
    assert clocks.shown(rules, clock, 130.0) == (Reading(60.0), Reading(30.0))
    assert clock.running == 1


def test_a_fallen_flag_shows_nothing_left() -> None:
    rules = control("60+2x10")
    clock = clocks.start(clocks.fresh(rules, 2), 0, 0.0)
    assert clocks.stop(rules, clock, 1000.0).readings[0] == Reading(0.0, 0.0, 0)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("600", TimeControl(TimeKind.ABSOLUTE, 600.0)),
        ("300+5", TimeControl(TimeKind.FISCHER, 300.0, 5.0)),
        ("40/5400", TimeControl(TimeKind.MOVES, 5400.0, moves=40)),
        ("40/5400+30", TimeControl(TimeKind.MOVES, 5400.0, 30.0, 40)),
        ("10/move", TimeControl(TimeKind.PER_MOVE, period_s=10.0)),
        ("600+25/300", TimeControl(TimeKind.CANADIAN, 600.0, moves=25, period_s=300.0)),
        ("600+5x30", TimeControl(TimeKind.BYOYOMI, 600.0, period_s=30.0, periods=5)),
        ("none", None),
    ],
)
def test_a_time_control_reads_as_it_is_written(text: str, meant: TimeControl | None) -> None:
    assert read(text) == meant
    assert spell(meant) == text


@pytest.mark.parametrize("text", ["0", "abc", "-5", "1e9", "600+0x30", "600+5x0", "0/100", "99999999", "1/2/3", "٣"])
def test_what_is_no_time_control_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(Refused, match="time control") as refused:
        read(text)
    assert refused.value.why is Why.BAD_OPTION
    assert text in refused.value.text


def test_days_of_a_correspondence_game_are_a_time_for_each_move() -> None:
    assert control("3d/move") == control("259200/move") == TimeControl(TimeKind.PER_MOVE, period_s=259_200.0)
    assert [spell(control(text)) for text in ("86400/move", "7d/move", "90000/move")] == [
        "1d/move",
        "7d/move",
        "90000/move",
    ]
    assert [control(text).by_days for text in ("1d/move", "86399/move", "600+5")] == [True, False, False]
    assert [control_words(control(text)) for text in ("1d/move", "7d/move", "90000/move")] == [
        "1 day a move",
        "7 days a move",
        "1 day 1 h a move",
    ]
    assert [control(text).by_days for text in ("0+1x86400", "0+1/86400", "60+1x86400")] == [True, True, False]
    for text in ("0d/move", "31d/move", "1d", "1.5d/move"):
        with pytest.raises(Refused):
            read(text)
