"""A table tells its clients only stored steps, also where storing fails or another server has stored them."""

from __future__ import annotations

from collections.abc import Callable

import trio
from trio.testing import MockClock

from gateway.commits.commit_queue import RETRY_S
from tests.failing_record import Failing, Waiting, failing, waiting
from tests.hall import FirstMove, Guest, Hall, alternate, hall

GAME = "tic_tac_toe"


async def storing_a_move(here: Hall) -> tuple[Guest, Guest, Waiting]:
    """Seat two players, the first of which has moved; the record holds the move until ``go``."""
    anna, bert = await here.seat(GAME)
    record = waiting(here)
    record.waits = True
    await anna.say("MSG_MOVE", -1, 4, "")
    await here.until(lambda: len(record.held) == 1)
    return anna, bert, record


async def test_what_is_asked_while_a_move_is_stored_is_served_once_that_was_told(autojump_clock: MockClock) -> None:
    async with hall(log=Waiting) as here:
        anna, bert, record = await storing_a_move(here)
        await bert.say("MSG_MOVE", -1, 0, "")
        await trio.sleep(1.0)
        await anna.say("MSG_MOVE", -1, 8, "")
        await trio.sleep(1.0)
        assert here.state().ply == 0
        record.go()
        assert await anna.hear("RSP_MOVE") == (0,)
        assert await bert.hear("MSG_MOVE") == (-1, 4, "x")
        assert await bert.hear("RSP_MOVE") == (0,)
        assert await anna.hear("MSG_MOVE") == (-1, 4, "x")
        assert await anna.hear("MSG_MOVE") == (-1, 0, "o")
        assert await anna.hear("RSP_MOVE") == (0,)


async def test_who_vanishes_while_a_move_is_stored_is_lost_after_it(autojump_clock: MockClock) -> None:
    async with hall(log=Waiting) as here:
        anna, bert, record = await storing_a_move(here)
        await anna.leaves()
        await trio.sleep(1.0)
        record.go()
        assert await bert.hear("MSG_MOVE") == (-1, 4, "x")
        await bert.hears_lost(0)


async def test_a_server_that_stops_waits_for_the_move_that_is_being_stored(autojump_clock: MockClock) -> None:
    async with hall(log=Waiting) as here:
        _, _, record = await storing_a_move(here)
        table = here.server.tables[1]
        trio.lowlevel.spawn_system_task(_later, record.go)
    assert table.state.ply == 1


async def _later(call: Callable[[], None]) -> None:
    await trio.sleep(1.0)
    call()


async def test_a_seat_that_could_not_be_stored_is_offered_to_the_next(autojump_clock: MockClock) -> None:
    async with hall(log=Failing) as here:
        anna, bert, carl = here.dial(), here.dial(), here.dial()
        assert await anna.joins(GAME) == 0
        failing(here).failures = 1_000_000
        assert await bert.asks(GAME) == (1, "server overload, try again later")
        failing(here).failures = 0
        assert await carl.joins(GAME) == 1
        await alternate([anna, carl], 4, 0)


async def test_a_table_that_nobody_could_be_seated_at_is_gone(autojump_clock: MockClock) -> None:
    async with hall(log=Failing) as here:
        anna = here.dial()
        failing(here).failures = 1_000_000
        for _ in range(3):
            assert await anna.asks(f"{GAME}?name=anna") == (1, "server overload, try again later")
        failing(here).failures = 0
        assert here.server.tables == {}
        assert await anna.joins(f"{GAME}?name=anna") == 0
        assert await anna.hear("MSG_PLAYERS") == (2, 3, "anna", 1)
        assert len(here.server.tables) == 1


async def test_who_leaves_while_nothing_can_be_stored_has_left_once_it_can(autojump_clock: MockClock) -> None:
    async with hall(log=Failing) as here:
        anna, bert = await here.seat(GAME)
        failing(here).failures = 3
        gone = trio.current_time()
        await anna.leaves()
        await bert.hears_lost(0)
        assert 2 * RETRY_S < trio.current_time() - gone <= 3 * RETRY_S + 0.01


async def test_what_time_brings_is_tried_again_until_it_is_stored(autojump_clock: MockClock) -> None:
    async with hall(log=Failing) as here:
        anna, _ = await here.seat(f"{GAME}?time=60")
        begun = trio.current_time()
        failing(here).failures = 2
        assert await anna.hear("MSG_GAMEOVER") == (1,)
        assert RETRY_S < trio.current_time() - begun - 60.0 <= 2 * RETRY_S + 0.01


async def test_a_bots_move_is_tried_again_until_it_is_stored(autojump_clock: MockClock) -> None:
    async with hall(log=Failing, bots=FirstMove()) as here:
        anna = here.dial()
        assert await anna.joins(f"{GAME}?against=bot") == 0
        assert await anna.puts(8) == (0,)
        failing(here).failures = 2
        assert await anna.hear("MSG_MOVE") == (-1, 8, "x")
        assert await anna.hear("MSG_MOVE") == (-1, 0, "o")
        assert failing(here).failures == 0


async def test_another_owner_of_the_record_ends_a_table_here(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna, bert = await here.seat(GAME)
        stored = here.server.commits.log.read(1)
        assert [row.epoch for row in here.server.commits.log.claim()] == [2]
        await anna.say("MSG_MOVE", -1, 4, "")
        assert "RSP_MOVE" not in [message.name for message in await anna.rest()]
        await bert.rest()
        assert here.server.tables == {}
        assert here.server.commits.log.read(1) == stored
        again = here.dial()
        assert await again.joins(GAME) == 0
