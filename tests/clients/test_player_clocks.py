"""The clocks of the terminal client count down on the screen, under textual's pilot."""

from __future__ import annotations

import re

from textual.pilot import Pilot

from clients.player_app import PlayerApp
from tests.clients.scripted import Peer
from tests.clients.test_player_app import beginning, on_the_screen, shown, until


async def five_minutes(peer: Peer) -> None:
    """X thinks, and plays in the middle; then O's clock runs."""
    await beginning(peer)
    await peer.say("REQ_MOVE", 0)
    await peer.say("MSG_MOVE", -1, -1, "clock 0 300 5400")
    assert await peer.hear("MSG_MOVE") == (-1, 4, "x")
    await peer.say("RSP_MOVE", 0)
    await peer.say("MSG_MOVE", -1, 4, "x")
    await peer.say("REQ_MOVE", 1)
    await peer.say("MSG_MOVE", -1, -1, "clock 1 297.5 5400")
    await peer.until_closed()


async def untimed(peer: Peer) -> None:
    await beginning(peer)
    await peer.say("REQ_MOVE", 0)
    await peer.until_closed()


def left_s(app: PlayerApp, side: str) -> int:
    """Seconds on the clock of a side that runs; none runs before the server has said so."""
    found = re.search(rf"▶ {side} (?:(\d+):)?(\d+):(\d\d)", shown(app))
    hours, minutes, seconds = found.groups() if found else ("24", "0", "0")
    return 3600 * int(hours or 0) + 60 * int(minutes) + int(seconds)


def test_both_clocks_stand_in_the_panel_and_the_one_that_runs_goes_down_each_second() -> None:
    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: left_s(app, "x") < 300)
        assert re.search(r"▶ x 4:\d\d\s+o 1:30:00", shown(app))
        first = left_s(app, "x")
        await until(pilot, lambda: left_s(app, "x") < first)
        assert "o 1:30:00" in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: left_s(app, "o") < 5400)
        assert re.search(r"  x 4:57\s+▶ o", shown(app))
        assert "bot is to move" in shown(app)

    on_the_screen("tic_tac_toe", five_minutes, act)


def test_where_nobody_keeps_time_no_clock_takes_room() -> None:
    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.my_turn)
        assert not app.query_one("#clocks").display

    on_the_screen("tic_tac_toe", untimed, act)
