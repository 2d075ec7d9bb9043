"""A server whose tables another one has claimed reports not ready, and closes the connections of those tables."""

from __future__ import annotations

from typing import Any

import trio
from trio.testing import MockClock

from gateway.store.writer import Deliver
from tests.hall import Hall, alternate, hall
from tests.store.memory import MemoryLog

GAME = "tic_tac_toe"
TICKET = "anna-comes-back-with-this"
SOON_S = 5.0


def claimed_elsewhere(here: Hall) -> None:
    """Claim the tables as another server does that starts on this database."""
    log = here.server.commits.log
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
        assert here.server.tables == {}
        assert here.server.not_ready() == ["another server on this database has taken tables over"]


async def test_a_move_that_comes_first_says_the_same(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna, bert = await here.seat(GAME)
        claimed_elsewhere(here)
        await anna.say("MSG_MOVE", -1, 4, "")
        await bert.rest()
        assert here.server.not_ready() == ["another server on this database has taken tables over"]


async def test_tables_that_rest_are_let_go_and_later_ones_are_its_own(autojump_clock: MockClock) -> None:
    async with hall() as here:
        guests = [here.dial(), here.dial()]
        for guest, word in zip(guests, ("a", "b"), strict=True):
            await guest.joins(f"{GAME}#{TICKET}{word}")
        for guest in guests:
            await guest.leaves()
        await here.until(lambda: len(here.server.tables.recovery) == 1)
        claimed_elsewhere(here)
        await trio.sleep(SOON_S)
        assert (len(here.server.tables.recovery), here.server.lobby.people()) == (0, [])
        assert here.server.not_ready() != []
        after = await here.seat(GAME)
        await trio.sleep(SOON_S)
        await alternate(after, 4, 0)


async def test_a_server_that_nobody_displaces_says_nothing(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna, bert = await here.seat(GAME)
        await trio.sleep(SOON_S)
        await alternate([anna, bert], 4, 0)
        assert here.server.not_ready() == []


async def test_two_servers_on_one_record_open_tables_by_turns_and_refuse_nobody(autojump_clock: MockClock) -> None:
    stored: dict[int, Any] = {}

    def shared(deliver: Deliver) -> MemoryLog:
        log = MemoryLog(deliver)
        log._tables = stored
        return log

    async with hall(log=shared) as one, hall(log=shared) as two:
        for here in (one, two, two, two, one, two, one, one):
            for guest in (here.dial(), here.dial()):
                assert await guest.asks(GAME) == (0,)
                await guest.seated()
        assert (sorted(one.server.tables), sorted(two.server.tables)) == ([1, 5, 7, 8], [2, 3, 4, 6])
        assert one.server.not_ready() == two.server.not_ready() == []
