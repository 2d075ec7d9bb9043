"""Readers of the record at one node wait for events that another node stores."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from gateway.cluster.bells import QUIET_S
from gateway.table.state import Status
from gateway.web.reading import Reading
from tests.cluster.test_requests_of_another_node import playing
from tests.cluster.world import LINE, Member, World, three, world
from tests.hall import alternate


async def rings(member: Member, table: int, after: int, within_s: float = 1.0) -> bool:
    """True if the bell for events behind ``after`` rings in time."""
    bell = member.server.tables.bell(table, after)
    assert bell is not None
    with trio.move_on_after(within_s):
        await bell.wait()
    return bell.is_set()


async def test_a_bell_rings_with_the_next_event_and_not_before(autojump_clock: MockClock) -> None:
    """The bell of another node's table is silent until an event is stored there."""
    async with world() as here:
        one, two, table, guests = await playing(here)
        seq = one.server.tables[table].seq
        bell = two.server.tables.bell(table, seq)
        assert bell is not None
        assert not await rings(two, table, seq)
        assert await guests[0].puts(4) == (0,)
        await trio.sleep(0.1)
        assert bell.is_set()


async def test_a_bell_rings_at_once_for_what_was_stored_before_it_was_asked_for(autojump_clock: MockClock) -> None:
    """An event between the reading and the message to the table's node is not missed."""
    async with world() as here:
        one, two, table, guests = await playing(here)
        seq = one.server.tables[table].seq
        assert await guests[0].puts(4) == (0,)
        assert await rings(two, table, seq)
        assert await rings(two, table, 0)
        assert not await rings(two, table, one.server.tables[table].seq)


async def test_the_end_of_a_table_rings_and_then_there_is_no_bell(autojump_clock: MockClock) -> None:
    """A table that closes at its node is over for readers at the other, too."""
    async with world() as here:
        one, two, table, _ = await playing(here)
        bell = two.server.tables.bell(table, one.server.tables[table].seq)
        assert bell is not None
        await one.server.tables.asked(table).end_by_host("")
        with trio.fail_after(5):
            await bell.wait()
        await two.until(lambda: two.server.tables.bell(table, 0) is None)


async def test_a_reader_is_rung_when_the_tables_node_has_died(autojump_clock: MockClock) -> None:
    """After the death of its node a table has another one, and its readers follow it there."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        await one.seat("tic_tac_toe")
        (table,) = one.server.tables
        await two.until(lambda: two.server.tables.unfinished(table))
        bell = two.server.tables.bell(table, one.server.tables[table].seq)
        here.kill(one)
        with trio.fail_after(QUIET_S):
            assert bell is not None
            await bell.wait()
        assert two.server.tables.unfinished(table)


class Looks(Reading):
    """Looks into a world's record as requests do, without a thread."""

    def __init__(self, here: World) -> None:
        views: Any = SimpleNamespace(table=lambda number: here.record.tables[number].row)
        askers: Any = None
        super().__init__(views, askers)

    async def do(self, function: Callable[..., Any], *arguments: Any) -> Any:
        row = function(*arguments)
        return SimpleNamespace(events=row.last_seq, status=row.status)


@pytest.mark.parametrize("stays", [True, False], ids=["a player is at another node", "nobody is there any more"])
async def test_a_game_that_is_over_is_not_closed_to_readers_as_soon_as_its_node_dies(
    autojump_clock: MockClock, *, stays: bool
) -> None:
    """A player of another node takes the table there, where a rematch may begin; else readers are told the end, too."""
    async with world() as here:
        one, two, third = await three(here)
        anna, bert = one.dial(), (two if stays else one).dial()
        assert [await guest.joins("tic_tac_toe") for guest in (anna, bert)] == [0, 1]
        await alternate([anna, bert], *LINE)
        await one.until(lambda: here.record.tables[1].row.status == Status.OVER and 1 in one.server.tables)
        look = partial(Looks(here).is_over, third.server.tables, 1, math.inf)
        here.kill(one)
        await third.until(lambda: not third.server.tables.settled)
        while not third.server.tables.settled:
            assert not await look()
            await trio.sleep(0.05)
        assert await look() is not stays


async def test_nothing_is_kept_or_said_where_nobody_follows_any_more(autojump_clock: MockClock) -> None:
    """A table is followed for a minute behind the last reader, and can rest then."""
    async with world() as here:
        one, two, table, _ = await playing(here)
        assert one.node.bells.followed == 0
        two.server.tables.bell(table, one.server.tables[table].seq)
        await one.until(lambda: one.node.bells.followed == 1)
        await trio.sleep(QUIET_S + 1)
        assert one.node.bells.followed == 0


@pytest.mark.parametrize("seed", range(20))
async def test_no_event_is_missed_on_a_bus_that_loses_messages(autojump_clock: MockClock, seed: int) -> None:
    """A reader at the other node has read all moves of a game soon, whatever the bus loses."""
    async with world(seed=seed, lost=0.2, doubled=0.1, delay_s=(0.0, 0.2)) as here:
        one, two, table, guests = await playing(here)
        chance, runner, read = Random(seed), one.server.tables[table], 0

        async def play() -> None:
            for turn, square in enumerate((0, 3, 1, 4, 8)):
                await trio.sleep(chance.uniform(0.0, 3.0))
                assert await guests[turn % 2].puts(square) == (0,)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(play)
            with trio.fail_after(QUIET_S - 10):
                while runner.state.ply < 5 or read < runner.seq:
                    bell = two.server.tables.bell(table, read)
                    assert bell is not None
                    if runner.seq == read:
                        await bell.wait()
                    read = runner.seq
