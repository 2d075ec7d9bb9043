"""clock.js in the page: what is left, how it is written and spoken, and when a player is warned."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests import peers
from tests.browser.test_fold import module_folder
from tests.browser.visitors import Visitors

pytestmark = peers.needed


def told(page: Page, expression: str) -> Any:
    """The value of an expression in which ``c`` is clock.js, and ``f`` is face.js."""
    folder = module_folder(page)
    return page.evaluate(
        "async (folder) => { const c = await import(folder + 'clock.js'), f = await import(folder + 'face.js');"
        f" return {expression}; }}",
        folder,
    )


CLOCKS = "(() => { const k = new c.Clocks(); k.hear({left: [65, 9.45], running: 0, now: 100}); return k; })()"


def test_only_the_running_clock_goes_down_and_none_below_nothing(people: Visitors) -> None:
    page = people.arrives("/seat")
    assert told(
        page, f"[{CLOCKS}.left(0, 105), {CLOCKS}.left(1, 105), {CLOCKS}.left(0, 999), {CLOCKS}.left(2, 0)]"
    ) == [
        60,
        9.45,
        0,
        None,
    ]


def test_clocks_are_written_and_spoken(people: Visitors) -> None:
    page = people.arrives("/seat")
    assert told(page, "[172800, 100800, 3725, 252, 60, 9.45, 0].map(f.face)") == [
        "2 days",
        "1 day 4 h",
        "1:02:05",
        "4:12",
        "1:00",
        "0:09.4",
        "0:00.0",
    ]
    assert told(page, "[183600, 3725, 252, 60, 9.45, 1].map(c.spoken)") == [
        "2 days 3 hours",
        "1 hour 2 minutes",
        "4 minutes 12",
        "1 minute",
        "9 seconds",
        "1 second",
    ]


def test_each_warning_comes_once_a_turn_and_for_the_seat_that_thinks(people: Visitors) -> None:
    page = people.arrives("/seat")
    asked = "[104, 105.1, 106, 135.2, 155.5, 156].map((now) => k.warning(0, now))"
    assert told(page, f"(() => {{ const k = {CLOCKS}; return {asked}; }})()") == [None, 60, None, 30, 10, None]
    assert told(page, f"{CLOCKS}.warning(1, 164)") is None
    again = f"(() => {{ const k = {CLOCKS}; k.warning(0, 105.1); k.hear({{left: [64, 9], running: 1, now: 107}});"
    again += " k.hear({left: [64, 9], running: 0, now: 110}); return k.warning(0, 114.5); })()"
    assert told(page, again) == 60


def test_the_quickest_answer_says_how_late_the_server_s_clock_is(people: Visitors) -> None:
    """The server says 1000 in the middle of a trip of 0.1 s; a slow answer later does not change what is known."""
    page = people.arrives("/seat")
    made = "(() => { const o = new c.Offset(); o.hear(1000, 10, 10.1); o.hear(1000, 20, 22); return o.s; })()"
    assert abs(told(page, made) - 989.95) < 1e-6
