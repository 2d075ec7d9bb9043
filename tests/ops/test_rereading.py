"""A server goes on with new settings: what there is stays, and what comes goes by them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gateway.config import Seats
from protocols.core.model import SeatKind
from tests.hall import FirstMove, Hall, config, hall
from tests.onlooking import page, playing, plays, watches

GAME = "tic_tac_toe"


def take(here: Hall, **limits: int) -> None:
    """Have the server go on with these limits."""
    now = here.server.config
    here.server.reread(replace(now, limits=replace(now.limits, **limits)))


async def test_tables_that_run_stay_when_fewer_may_and_more_are_opened_when_more_may() -> None:
    async with hall(config(tables=2)) as here:
        pairs = [await here.seat(GAME), await here.seat(GAME)]
        take(here, tables=1)
        assert await here.dial().asks(GAME) != (0,)
        for one, _ in pairs:
            assert await one.puts(4) == (0,)
        take(here, tables=3)
        assert await here.dial().joins(GAME) == 0


@pytest.mark.parametrize("aside", [True, False])
async def test_who_looks_on_stays_when_fewer_may_and_nobody_else_comes(aside: bool) -> None:
    async with hall(config(observers=2)) as here:
        table, players = await playing(here)
        watchers = [await page(here) for _ in range(3)]
        for watcher in watchers[:2]:
            await watcher.says("watch", table=table, **({"aside": True} if aside else {}))
            await watcher.until("seated", table=table) if aside else await watcher.until("seated")
        take(here, observers=1)
        await watchers[2].says("watch", table=table)
        await watchers[2].until("rejected")
        await plays(players, 0, 4)
        for watcher in watchers[:2]:
            await watcher.until("MoveMade", table=table if aside else None)
        take(here, observers=3)
        await watches(watchers[2], table)


async def test_a_table_keeps_the_rules_it_was_opened_with_and_the_next_has_new_ones() -> None:
    async with hall(config(seats=Seats(grace_s=60.0, bot_after_s=None)), bots=FirstMove()) as here:
        first = here.dial()
        await first.joins(GAME)
        now = here.server.config
        here.server.reread(replace(now, seats=replace(now.seats, grace_s=7.0, bot_after_s=1.0)))
        here.listener.reread(here.server.config)
        assert here.state(1).house.grace_s == 60.0
        await here.dial().joins("checkers")
        assert here.state(2).house.grace_s == 7.0
        await here.until(lambda: here.state(2).seats[1].kind is SeatKind.BOT)
        assert here.state(1).seats[1].kind is SeatKind.OPEN


async def test_a_listener_keeps_the_rules_that_it_sets_itself() -> None:
    async with hall(bot_after="never") as here:
        now = here.server.config
        here.listener.reread(replace(now, seats=replace(now.seats, grace_s=7.0, bot_after_s=1.0)))
        assert (here.listener.rules.grace_s, here.listener.rules.bot_after_s) == (7.0, None)
