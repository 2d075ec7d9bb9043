"""Players of two nodes: they meet, play, lose connections, and do not notice which node has their table."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from protocols.core.commands import Join
from tests.cluster.cast import cast, ticket
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


async def test_a_refusal_names_squares_as_the_client_does_at_every_node(autojump_clock: MockClock) -> None:
    """The table is at one of the nodes; b3 is the square that Bogaprot counts as position 1."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = one.dial(), two.dial()
        assert await anna.joins("tic_tac_toe") == 0
        assert await bert.joins("tic_tac_toe") == 1
        assert await anna.puts(1) == (0,)
        assert await bert.puts(1) == (1, "position 1 is occupied")
        assert await bert.puts(0) == (0,)
        assert await anna.puts(1) == (1, "position 1 is occupied")


async def test_a_seat_is_taken_however_long_its_record_is_read(autojump_clock: MockClock) -> None:
    """The grant of the seat may be heard of before the record is read; trio's order of tasks differs each time."""
    for seed in range(10):
        async with world(seed=seed) as here:
            one, two = await here.node("one"), await here.node("two")
            anna, bert = one.dial(), two.dial()
            assert await anna.joins("tic_tac_toe") == 0
            assert await bert.joins("tic_tac_toe") == 1


async def test_a_client_whose_connection_ends_hears_nothing_untrue_of_what_it_had_asked(
    autojump_clock: MockClock,
) -> None:
    """Its move is on the way to the table's node, which may serve it: it is not told that it is refused."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = one.dial(), two.dial()
        assert await anna.joins("tic_tac_toe") == 0
        assert await bert.joins("tic_tac_toe") == 1
        assert await anna.puts(0) == (0,)
        here.board.cut(two.me)
        await bert.hear("REQ_MOVE")
        await bert.say("MSG_MOVE", -1, 3, "")
        await trio.sleep(0.1)
        (connection,) = two.server.connections
        connection.close()
        assert await bert.next() is None


@pytest.mark.parametrize(("time", "known_ms"), [("300+3", 80), ("none", 20)])
async def test_how_long_a_network_takes_is_said_with_each_move_where_a_clock_runs(
    autojump_clock: MockClock, time: str, known_ms: int
) -> None:
    """The table's node gives the delay back to the clock; without a clock it knows how it was at the beginning."""
    async with cast("one", "two") as here:
        anna, bert = here.comes("anna", "one"), here.comes("bert", "two")
        for player in (anna, bert):
            player.delay_s = 0.02
            await here.asks(player, Join("tic_tac_toe", ticket=ticket(player.seen.name), wishes=(("time", time),)))
        await trio.sleep(1.0)
        for player in (anna, bert):
            player.delay_s = 0.08
        await here.plays(anna, 0)
        await here.plays(bert, 4)
        away = bert if here.owner(bert) is here.nodes["one"] else anna
        there = await here.owner(away).server.tables.presence(away.seen.table)
        assert away.seat is not None
        assert there.seats[away.seat].lag_ms == known_ms
