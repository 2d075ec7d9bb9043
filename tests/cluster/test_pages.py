"""Pages of any node show the open tables, the games and the numbers of all nodes."""

from __future__ import annotations

from functools import partial

import trio
from trio.testing import MockClock

from gateway.cluster.counts import TOLD_S
from gateway.ops.seat_ratings import SeatRatings
from gateway.web.pages.cards import Cards
from gateway.web.pages.every_table import EveryTable, cards_of, every_table
from gateway.web.pages.open_tables import OpenTable, open_tables
from tests.cluster.world import Member, world


def rows(member: Member) -> list[OpenTable]:
    return list(open_tables(every_table(member.server).values(), member.server.seat_ratings.words))


def counts_one(every: EveryTable, ratings: SeatRatings) -> bool:
    return Cards(every, ratings).by_game() == {"tic_tac_toe": 1}


async def test_every_node_lists_the_open_tables(autojump_clock: MockClock) -> None:
    """A player who waits at one node is in the lists of both, in the same words, until the game begins."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = two.dial(), one.dial()
        await anna.joins("tic_tac_toe")
        await two.until(lambda: bool(rows(two)))
        assert rows(one) == rows(two)
        assert [row.names for row in rows(two)] == [("guest-1",)]
        await bert.joins("tic_tac_toe")
        await two.until(lambda: not rows(two) and not rows(one))


async def test_games_and_names_of_all_nodes_are_shown_at_each(autojump_clock: MockClock) -> None:
    """A game that one node has counts at the other, and is forgotten at its end."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        guests = await one.seat("tic_tac_toe")
        for member in (one, two):
            every = every_table(member.server)
            await member.until(partial(counts_one, every, member.server.seat_ratings))
            assert [one.name for one in member.server.people()] == ["guest-1", "guest-2"]
            assert len(every) == 1
            assert set(every) == set(one.server.tables)
        (table,) = one.server.tables
        await one.server.tables.asked(table).end_by_host("")
        for guest in guests:
            await guest.rest()
        await two.until(lambda: not every_table(two.server))


async def test_the_numbers_are_sums_of_all_living_nodes(autojump_clock: MockClock) -> None:
    """What another node counts is known within seconds, and forgotten when that node has died."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        one.node.counts._count = lambda: (3, 2)
        await two.until(lambda: two.node.counted() == (3, 2))
        assert TOLD_S <= 5
        here.kill(one)
        await two.until(lambda: two.node.counted() == (0, 0))


async def test_a_board_of_another_node_is_drawn_as_it_stands(autojump_clock: MockClock) -> None:
    """The card of a game is the same at both nodes after each move, but for what only its own node knows."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        guests = await one.seat("tic_tac_toe")
        (table,) = one.server.tables
        await two.until(lambda: two.server.tables.unfinished(table))
        _, near = cards_of(one.server)
        every, far = cards_of(two.server)
        for turn, square in enumerate((4, 0, 8)):
            assert await guests[turn % 2].puts(square) == (0,)
            await trio.sleep(0.1)
            ((ours,), (theirs,)) = await near.playing(9), await far.playing(9)
            assert (ours.told.board, ours.told.last) == (theirs.told.board, theirs.told.last)
            assert [seat.turn for seat in ours.told.seats] == [seat.turn for seat in theirs.told.seats]
            again = every[table].state
            await far.playing(9)
            assert every[table].state is again  # read once while nothing has happened
