"""A correspondence game at a server: it needs no task, goes on after a restart, and by the calendar."""

from __future__ import annotations

from typing import Any

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from gateway.store.records import Loaded
from gateway.table.state import Status
from gateway.tables.runner import IDLE_S
from protocols.core import model
from protocols.core.events import GameEnded
from tests.hall import alternate
from tests.tables.test_recovery import ANNA, BERT, GAME, Kept, kinds, server

HOUR_S = 3600.0
DAY_S = 24 * HOUR_S


class Later(Kept):
    """A record that is read so many seconds later by the calendar than it was written."""

    later_s = 0.0

    def load(self, numbers: object) -> list[Loaded]:
        found: Any = super().load(numbers)
        return [one._replace(rows=[replace(row, at=row.at - self.later_s) for row in one.rows]) for one in found]


async def begun() -> Later:
    """The record of a server that stopped with such a game, one move old."""
    kept = Later()
    async with server(kept) as here:
        guests = [here.dial() for _ in range(2)]
        for seat, (guest, ticket) in enumerate(zip(guests, (ANNA, BERT), strict=True)):
            assert await guest.joins(f"{GAME}?time=1d/move#{ticket}") == seat
        await alternate(guests, 4)
    return kept


async def test_a_game_that_all_have_left_rests_and_ends_by_its_clock(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test's clock passes every half second: its day has a thousand seconds."""
    monkeypatch.setattr(model, "DAY_S", 1000.0)
    kept = Later()
    async with server(kept) as here:
        guests = [here.dial() for _ in range(2)]
        for guest, ticket in zip(guests, (ANNA, BERT), strict=True):
            await guest.joins(f"{GAME}?time=1000/move#{ticket}")
        for guest in guests:
            await guest.stream.aclose()
        await trio.sleep(100 + 2 * IDLE_S)
        assert (dict(here.server.tables), here.server.tables.recovery.statuses()) == ({}, {"playing": 1})
        await trio.sleep(800)
        assert GameEnded not in kinds(kept)
        await trio.sleep(200)
        assert GameEnded in kinds(kept)


@pytest.mark.parametrize(("away_h", "left_h"), [(0, 24), (10, 14), (1000, 6)])
async def test_the_calendar_goes_on_while_the_server_is_off_and_leaves_the_player_hours(
    away_h: int, left_h: int, autojump_clock: MockClock
) -> None:
    kept = await begun()
    kept.later_s = away_h * HOUR_S
    async with server(kept) as here:
        await trio.sleep(100)
        assert here.server.tables.recovery.statuses() == {"playing": 1}
        kept.later_s = 0.0
        bert = here.dial()
        assert await bert.joins(f"{GAME}#{BERT}") == 1
        state = await here.woken()
        assert state.status is Status.PLAYING
        assert state.clock is not None
        left_s = state.clock.readings[1].period_s - (trio.current_time() - state.clock.since)
        assert left_s == pytest.approx(left_h * HOUR_S, abs=150)
        assert await bert.puts(0) == (0,)
