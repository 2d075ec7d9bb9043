"""The bot context tells a house bot how long its game's clock allows."""

from __future__ import annotations

import math

from gateway.table import clock as clocks
from gateway.table.bot_context import BotContext
from protocols.core.model import Reading, TimeControl, TimeKind

MINUTE = TimeControl(TimeKind.ABSOLUTE, main_s=60.0)


def test_where_nobody_keeps_time_there_is_no_bound() -> None:
    assert BotContext(1, 1).readings(5.0) == ()
    assert BotContext(1, 1).share_s(0, 5.0) == math.inf


def test_a_running_clock_is_read_at_the_moment_of_asking() -> None:
    bot_context = BotContext(1, 1, MINUTE, clocks.start(clocks.fresh(MINUTE, 2), 1, 100.0))
    assert bot_context.readings(120.0) == (Reading(60.0), Reading(40.0))
    assert bot_context.share_s(1, 120.0) == 1.0
    assert bot_context.share_s(0, 120.0) == 1.5
