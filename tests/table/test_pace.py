"""The pace limits a turn to a share of its clock, so that a player who uses each share never loses on time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.table import clock as clocks
from gateway.table.bot_context import share_s
from protocols.core.model import Reading, TimeControl, TimeKind

CONTROLS = {
    kind: TimeControl(kind, main_s=60.0, increment_s=2.0, moves=10, period_s=8.0, periods=3) for kind in TimeKind
}


@pytest.mark.parametrize(
    ("kind", "reading", "seconds"),
    [
        (TimeKind.ABSOLUTE, Reading(60.0), 1.5),
        (TimeKind.FISCHER, Reading(60.0), 3.5),
        (TimeKind.FISCHER, Reading(1.0), 0.5),
        (TimeKind.MOVES, Reading(18.0, moves=5), 5.0),
        (TimeKind.MOVES, Reading(18.0, moves=1), 11.0),
        (TimeKind.PER_MOVE, Reading(0.0, 8.0), 7.5),
        (TimeKind.PER_MOVE, Reading(0.0, 0.5), 0.25),
        (TimeKind.CANADIAN, Reading(40.0, 8.0, moves=9), 1.8),
        (TimeKind.CANADIAN, Reading(0.0, 8.0, moves=3), 2.0),
        (TimeKind.BYOYOMI, Reading(40.0, 8.0, periods=3), 8.5),
        (TimeKind.BYOYOMI, Reading(0.0, 8.0, periods=1), 7.5),
    ],
)
def test_a_turn_has_its_share(kind: TimeKind, reading: Reading, seconds: float) -> None:
    assert share_s(CONTROLS[kind], reading) == pytest.approx(seconds)


@given(
    kind=st.sampled_from(list(TimeKind)),
    main_s=st.floats(0.1, 100.0),
    period_s=st.floats(0.1, 30.0),
    increment_s=st.floats(0.0, 5.0),
    moves=st.integers(1, 30),
)
def test_who_takes_its_share_for_every_turn_never_loses_on_time(
    kind: TimeKind, main_s: float, period_s: float, increment_s: float, moves: int
) -> None:
    control = TimeControl(kind, main_s, increment_s, moves, period_s, 1)
    reading = clocks.fresh(control, 1).readings[0]
    for _ in range(200):
        left = clocks.spent(control, reading, share_s(control, reading))
        assert left is not None
        reading = clocks.turned(control, left)
