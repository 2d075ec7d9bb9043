"""A server whose tables another one has claimed: it says not ready, and hangs up on those it can no longer serve."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from gateway.store.memory import MemoryLog
from tests.server.hall import Hall, alternate, hall

GAME = "tic_tac_toe"
TICKET = "anna-comes-back-with-this"
SOON_S = 5.0


def claimed_elsewhere(here: Hall) -> None:
    """What another server does that starts on this database."""
    log = here.house.scribe.log
    assert isinstance(log, MemoryLog)
    log.claim()


async def test_players_of_a_claimed_table_are_hung_up_on_without_a_move(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna, bert = await here.seat(GAME)
        claimed_elsewhere(here)
        begun = trio.current_time()
        await anna.rest()
        await bert.rest()
        assert trio.current_time() - begun < SOON_S
        assert here.house.tables == {}
        assert here.house.not_ready() == ["another server on this database has taken tables over"]


async def test_a_move_that_comes_first_says_the_same(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna, bert = await here.seat(GAME)
        claimed_elsewhere(here)
        await anna.say("MSG_MOVE", -1, 4, "")
        await bert.rest()
        assert here.house.not_ready() == ["another server on this database has taken tables over"]


async def test_tables_that_rest_are_let_go_and_later_ones_are_its_own(autojump_clock: MockClock) -> None:
    async with hall() as here:
        guests = [here.dial(), here.dial()]
        for guest, word in zip(guests, ("a", "b"), strict=True):
            await guest.joins(f"{GAME}#{TICKET}{word}")
        for guest in guests:
            await guest.leaves()
        await here.until(lambda: len(here.house.resting) == 1)
        claimed_elsewhere(here)
        await trio.sleep(SOON_S)
        assert (len(here.house.resting), here.house.lobby.people()) == (0, [])
        assert here.house.not_ready() != []
        after = await here.seat(GAME)
        await trio.sleep(SOON_S)
        await alternate(after, 4, 0)


async def test_a_server_that_nobody_displaces_says_nothing(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna, bert = await here.seat(GAME)
        await trio.sleep(SOON_S)
        await alternate([anna, bert], 4, 0)
        assert here.house.not_ready() == []
