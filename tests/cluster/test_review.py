"""A node holds what it has heard of a table against the database when its node has died, or words were lost."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from gateway.config import Seats
from gateway.table.state import Status
from protocols.core import commands as cmd
from tests.cluster.cast import cast
from tests.cluster.world import LINE, Member, three, world
from tests.faults.guests import GAME, TICKET
from tests.hall import Guest, alternate, config

ANNA = f"{GAME}?name=Anna#{TICKET}"
BERT = f"{GAME}?name=Bert"


async def pair(member: Member) -> list[Guest]:
    """Anna and Bert at one node, which has their table soon."""
    guests = [member.dial(), member.dial()]
    assert [await guests[0].joins(ANNA), await guests[1].joins(BERT)] == [0, 1]
    await member.until(lambda: bool(member.server.tables))
    return guests


@pytest.mark.parametrize("after_s", [0.0, 2.0, 10.0])
@pytest.mark.parametrize("heard", [True, False], ids=["its end was heard", "its end was not heard"])
async def test_who_comes_back_to_a_game_that_ended_with_its_node_gets_a_new_seat(
    autojump_clock: MockClock, *, heard: bool, after_s: float
) -> None:
    """Whenever she comes: nobody has the old table any more, and her name is hers again."""
    async with world() as here:
        _, two, third = await three(here)
        guests = await pair(two)
        await alternate(guests, *LINE[:-1])
        if not heard:
            here.board.hold(two.me)
        assert await guests[0].puts(LINE[-1]) == (0,)
        await two.until(lambda: here.record.tables[1].row.status == Status.OVER)
        here.kill(two)
        await trio.sleep(after_s)
        back = third.dial()
        assert await back.joins(ANNA) == 0
        assert [kept.seats[0].name for kept in here.record.tables.values()] == ["Anna", "Anna"]


async def test_a_table_whose_end_was_not_heard_is_forgotten(autojump_clock: MockClock) -> None:
    """The bus loses word of it: when that is noticed, the database is asked, and the names are free."""
    async with world() as here:
        one, two, third = await three(here)
        guests = await pair(two)
        await alternate(guests, *LINE)
        here.board.part([two.me], [third.me], one_way=True)
        for guest in guests:
            await guest.leaves()
        await two.until(lambda: not two.server.tables.has(1))
        assert third.node.gossip.node_of(1) == two.me
        here.board.join()
        await third.until(lambda: third.node.gossip.node_of(1) is None)
        assert [member.server.lobby.names.choose("Anna", "") for member in (one, third)] == ["Anna", "Anna"]


async def test_a_resting_table_is_found_though_word_of_its_new_node_was_lost(autojump_clock: MockClock) -> None:
    """Its first node gave it to another one, lives on, and does not have it any more."""
    async with world(config(seats=Seats(grace_s=600.0))) as here:
        one, two, third = await three(here)
        anna, bert = await pair(two)
        await alternate([anna, bert], *LINE[:2])
        await anna.leaves()
        await bert.leaves()
        await two.until(lambda: 1 in two.server.tables.recovery)
        here.board.part([one.me, two.me], [third.me])
        here.nodes.drain("three", on=True)  # it is not to get the table
        here.nodes.drain("two", on=True)
        await one.until(lambda: 1 in one.server.tables.recovery)
        here.nodes.drain("two", on=False)
        here.nodes.drain("three", on=False)
        here.board.join()
        await trio.sleep(5.0)
        assert 1 in one.server.tables.recovery
        back = third.dial()
        assert await back.joins(ANNA) == 0
        assert await back.puts(LINE[2]) == (0,)


async def test_a_table_that_closes_at_rest_where_it_was_taken_over_is_forgotten_everywhere(
    autojump_clock: MockClock,
) -> None:
    """Its new node never listed it, for no player came back; it had said that the table was its own."""
    async with world(config(seats=Seats(grace_s=2.0))) as here:
        one, two, third = await three(here)
        assert await one.dial().joins(ANNA) == 0
        await third.until(lambda: third.node.gossip.node_of(1) == one.me)
        here.kill(one)
        await two.until(lambda: here.record.tables[1].row.status == Status.OVER)
        await trio.sleep(1.0)
        assert [member.node.gossip.node_of(1) for member in (two, third)] == [None, None]
        assert [member.server.lobby.table_of("Anna") for member in (two, third)] == [None, None]


async def test_who_sits_where_a_game_is_over_keeps_the_seat_though_a_dead_node_was_given_the_table(
    autojump_clock: MockClock,
) -> None:
    """The node that gave it lives on, and nobody takes a finished game over unasked: bert's own node does."""
    async with cast("one", "two", "three") as here:
        one, two, third = (here.nodes[name] for name in ("one", "two", "three"))
        anna, bert = await here.game("two", "three")
        number = bert.seen.table
        assert here.owner(bert) is two
        await here.asks(anna, cmd.Resign())
        await here.asks(anna, cmd.Leave(lost=False))
        here.world.kill(one)
        here.world.nodes.drain("two", on=True)
        await two.until(lambda: here.world.record.tables[number].row.node == one.me)
        await third.until(lambda: number in third.server.tables)
        assert bert.table is third.server.tables[number]
        await here.asks(bert, cmd.Say("all", "here I am"))
