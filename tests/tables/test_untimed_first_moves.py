"""First moves that the house does not time, at real listeners: wishes meet, who comes back is asked, silence aborts."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from gateway.config import Seats
from gateway.table.state import Status
from tests.hall import config, hall
from tests.seating.test_rated import Talker

SECRET = "a-secret-that-bob-has-brought"
BOB = (f"ticket {SECRET}", "name bob", "new", "level 0 300 0", "go")


async def test_wishes_for_the_same_time_meet_whatever_their_listeners_say(autojump_clock: MockClock) -> None:
    """Miniature's player opens the table, whose rule it is; the port of chess-p2p knows of none."""
    async with hall(config(seats=Seats(bot_after_s=None))) as here:
        alice = Talker(here, "miniature", first_move="3s")
        await alice.says("seek 5 0 u w")
        await alice.until("tell gateway table")
        bob = Talker(here, "chess-p2p")
        for line in BOB:
            await bob.says(line)
        await here.until(lambda: here.state().status is Status.PLAYING)
        clock = here.state().clock
        assert clock is not None
        assert (clock.running, [reading.main_s for reading in clock.readings]) == (None, [300.0, 300.0])
        await alice.says("move e2-e4")
        assert await bob.until("move") == "move e2e4"
        began = trio.current_time()
        assert await alice.until("result") == "result * {aborted: no first move}"
        assert 3.0 <= trio.current_time() - began < 3.5
        assert await bob.until("result") == "result * {aborted: no first move}"


async def test_a_player_who_comes_back_before_the_first_move_is_asked_for_it(autojump_clock: MockClock) -> None:
    async with hall(config(seats=Seats(bot_after_s=None, first_move_s=30.0))) as here:
        anna, bert = here.dial(), here.dial()
        await anna.joins("tic_tac_toe?name=anna&time=60#aaaaaaaaaaaaaaaaaaaaaa")
        await bert.joins("tic_tac_toe?name=bert&time=60#bbbbbbbbbbbbbbbbbbbbbb")
        await here.until(lambda: here.state().turn == 0)
        await anna.stream.aclose()
        again = here.dial()
        assert await again.joins("tic_tac_toe?name=anna#aaaaaaaaaaaaaaaaaaaaaa") == 0
        await again.hear("REQ_MOVE")
        assert await again.puts(4) == (0,)
        await here.until(lambda: here.state().turn == 1)
        clock = here.state().clock
        assert clock is not None
        assert clock.running is None
