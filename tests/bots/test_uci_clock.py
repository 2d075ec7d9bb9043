"""The UCI adapter tells an engine the table's clock and limits its thought by it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocols.core.model import Reading, TimeControl, TimeKind
from tests.bots.test_uci import question, ready, told

ABSOLUTE = TimeControl(TimeKind.ABSOLUTE, main_s=60.0)
FISCHER = TimeControl(TimeKind.FISCHER, main_s=60.0, increment_s=2.0)
SESSIONS = TimeControl(TimeKind.MOVES, main_s=300.0, moves=40)
EACH = TimeControl(TimeKind.PER_MOVE, period_s=0.8)
CANADIAN = TimeControl(TimeKind.CANADIAN, main_s=60.0, period_s=30.0, moves=5)
BYOYOMI = TimeControl(TimeKind.BYOYOMI, main_s=60.0, period_s=5.0, periods=3)


@pytest.mark.parametrize(
    ("control", "white", "black", "words"),
    [
        (ABSOLUTE, Reading(60.0), Reading(59.5), "go wtime 60000 btime 59500 movetime 500"),
        (ABSOLUTE, Reading(8.0), Reading(9.0), "go wtime 8000 btime 9000 movetime 200"),
        (ABSOLUTE, Reading(0.0), Reading(9.0), "go wtime 1 btime 9000 movetime 1"),
        (FISCHER, Reading(4.0), Reading(3.0), "go wtime 4000 btime 3000 winc 2000 binc 2000 movetime 500"),
        (
            SESSIONS,
            Reading(8.0, moves=19),
            Reading(7.0, moves=21),
            "go wtime 8000 btime 7000 movestogo 19 movetime 400",
        ),
        (EACH, Reading(0.0, 0.8), Reading(0.0, 0.8), "go movetime 400"),
        (CANADIAN, Reading(9.0, 30.0, 0, 5), Reading(0.0, 20.0, 0, 3), "go wtime 9000 btime 20000 movetime 500"),
        (
            CANADIAN,
            Reading(0.0, 1.0, 0, 4),
            Reading(60.0, 30.0, 0, 5),
            "go wtime 1000 btime 60000 movestogo 4 movetime 200",
        ),
        (BYOYOMI, Reading(0.0, 5.0, 2), Reading(60.0, 5.0, 3), "go wtime 5000 btime 60000 movestogo 1 movetime 500"),
    ],
)
def test_the_clock_is_told_and_bounds_the_thought(
    control: TimeControl, white: Reading, black: Reading, words: str
) -> None:
    """ "white has x msec left on the clock" and "search exactly x mseconds" """
    uci = ready()
    uci.ask(replace(question(), time=control, readings=(white, black)))
    assert told(uci, "readyok")[-1] == words
