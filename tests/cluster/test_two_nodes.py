"""Players of two nodes: they meet, play, lose connections, and do not notice which node has their table."""

from __future__ import annotations

from trio.testing import MockClock

from tests.cluster.world import world


async def test_meet(autojump_clock: MockClock) -> None:
    """Two players who connect to two nodes sit down at one table, and play a game to its end."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = one.dial(), two.dial()
        assert await anna.joins("tic_tac_toe") == 0
        assert await bert.joins("tic_tac_toe") == 1
        for guest, square in ((anna, 0), (bert, 3), (anna, 1), (bert, 4), (anna, 2)):
            assert await guest.puts(square) == (0,)
        assert (await bert.hear("MSG_GAMEOVER"))[0] == 0


async def test_a_seat_is_taken_however_long_its_record_is_read(autojump_clock: MockClock) -> None:
    """The grant of the seat may be heard of before the record is read; trio's order of tasks differs each time."""
    for seed in range(10):
        async with world(seed=seed) as here:
            one, two = await here.node("one"), await here.node("two")
            anna, bert = one.dial(), two.dial()
            assert await anna.joins("tic_tac_toe") == 0
            assert await bert.joins("tic_tac_toe") == 1
