"""A node dies: its tables go on at another, and players who are there do not notice more than a wait."""

from __future__ import annotations

from random import Random
from typing import Any
from unittest.mock import patch

import pytest
import trio
from sqlalchemy.exc import OperationalError
from trio.testing import MockClock

from gateway.cluster.branch import STANDS_S
from gateway.cluster.calls import WAIT_S
from gateway.cluster.homecoming import GOES_ON, WAITS
from gateway.cluster.membership import LEAST_S, SPREAD_S
from gateway.store.nodes import LEASE_S
from gateway.store.records import TableRow
from protocols.core import commands as cmd
from protocols.core.events import Said
from protocols.core.model import SeatKind
from tests.cluster.cast import cast
from tests.cluster.world import three, world
from tests.faults.guests import GAME, TICKET


async def test_the_players_of_the_node_that_takes_a_table_over_play_on_too(autojump_clock: MockClock) -> None:
    """Anna is at the second node, bert at the third, the first had their table: one of them takes it over."""
    async with world() as here:
        one, two, three = [await here.node(name) for name in ("one", "two", "three")]
        anna, bert = two.dial(), three.dial()
        assert await anna.joins(GAME) == 0
        assert await bert.joins(GAME) == 1
        assert await anna.puts(0) == (0,)
        here.kill(one)
        for guest, square in ((bert, 3), (anna, 1), (bert, 4), (anna, 2)):
            assert await guest.puts(square) == (0,)
        for guest in (anna, bert):
            assert (await guest.hear("MSG_GAMEOVER"))[0] == 0


@pytest.mark.parametrize("at_once_s", [0.0, 1.5, 2.9])
@pytest.mark.parametrize("seed", range(4))
async def test_a_player_of_a_dead_node_sits_down_elsewhere_before_its_lease_has_ended(
    autojump_clock: MockClock, seed: int, at_once_s: float
) -> None:
    """Whichever node takes the table over, the one that was asked or another."""
    async with world(seed=seed) as here:
        one, two, three = [await here.node(name) for name in ("one", "two", "three")]
        anna, bert = one.dial(), two.dial()
        assert await anna.joins(f"{GAME}?name=Anna#{TICKET}") == 0
        assert await bert.joins(GAME) == 1
        assert await anna.puts(0) == (0,)
        here.kill(one)
        await trio.sleep(at_once_s)
        back = three.dial()
        assert await back.joins(f"{GAME}?name=Anna#{TICKET}") == 0
        for guest, square in ((bert, 3), (back, 1), (bert, 4), (back, 2)):
            assert await guest.puts(square) == (0,)


async def test_players_are_told_that_a_dead_nodes_game_waits_and_that_it_goes_on(autojump_clock: MockClock) -> None:
    """Once each, while another node takes the table over."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = one.dial(), two.dial()
        assert await anna.joins(GAME) == 0
        assert await bert.joins(GAME) == 1
        assert await anna.puts(0) == (0,)
        (connection,) = two.server.connections
        told: list[str] = []
        tell = connection.dialect.send

        def listen(message: object) -> None:
            if isinstance(message, Said):
                told.append(message.text)
            tell(message)  # type: ignore[arg-type]

        connection.dialect.send = listen  # type: ignore[method-assign]
        here.kill(one)
        assert await bert.puts(3) == (0,)
        await two.until(lambda: len(told) == 2)
        assert told == [WAITS, GOES_ON]


async def test_a_player_who_waits_for_an_opponent_keeps_the_seat(autojump_clock: MockClock) -> None:
    """The node dies that had the open table; the opponent comes to the same one afterwards."""
    async with world() as here:
        one, two, three = [await here.node(name) for name in ("one", "two", "three")]
        anna, bert = two.dial(), three.dial()
        assert await anna.joins(GAME) == 0
        here.kill(one)
        await trio.sleep(10.0)
        assert await bert.joins(GAME) == 1
        assert await anna.puts(0) == (0,)


async def test_a_ticket_that_no_other_node_has_heard_of_takes_its_seat_back(autojump_clock: MockClock) -> None:
    """The node dies that gave it out, before it has told the others anything: the record has it."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        await trio.sleep(1.0)
        here.board.hold(one.me)
        anna, bert = one.dial(), one.dial()
        assert await anna.joins(GAME) == 0
        assert await bert.joins(f"{GAME}#{TICKET}") == 1
        assert await anna.puts(0) == (0,)
        here.kill(one)
        back = two.dial()
        assert await back.joins(f"{GAME}#{TICKET}") == 1
        assert await back.puts(3) == (0,)


async def test_a_newcomer_waits_while_the_database_is_started_again(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ticket that nobody knows is looked up in the record, when that can be read."""
    async with world() as here:
        one = await here.node("one")
        log, begun = one.commits.log, trio.current_time()
        look_up = log.ticketed

        def ticketed(digest: bytes) -> int | None:
            if trio.current_time() < begun + 2.0:
                raise OperationalError("SELECT", {}, OSError("the database is away"))
            return look_up(digest)

        monkeypatch.setattr(log, "ticketed", ticketed)
        assert await one.dial().joins(f"{GAME}#{TICKET}") == 0
        assert trio.current_time() >= begun + 2.0


async def test_a_seat_that_was_given_by_a_lobby_that_died_before_it_said_so_is_not_given_twice(
    autojump_clock: MockClock,
) -> None:
    """Bert's node asks the next lobby, and finds that he has a seat."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna = one.dial()
        assert await anna.joins(GAME) == 0
        await trio.sleep(1.0)
        here.board.part([one.me], [two.me], one_way=True)  # what the first says is not heard
        bert = two.dial()
        async with trio.open_nursery() as nursery:
            seats: list[int] = []

            async def joins() -> None:
                seats.append(await bert.joins(f"{GAME}#{TICKET}"))

            nursery.start_soon(joins)
            await two.until(lambda: bool(here.record.tables[1].tickets))
            here.kill(one)
        assert (seats, list(here.record.tables)) == ([1], [1])


async def test_the_other_player_is_told_the_end_of_a_game_whose_node_died_with_it(autojump_clock: MockClock) -> None:
    """The last move is in the record. The player sits there still, at a table of its own node now."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = one.dial(), two.dial()
        assert await anna.joins(GAME) == 0
        assert await bert.joins(GAME) == 1
        for guest, square in ((anna, 0), (bert, 3), (anna, 1), (bert, 4)):
            assert await guest.puts(square) == (0,)
        owner = next(member for member in here.members if member.me == here.record.tables[1].row.node)
        other = bert if owner is one else anna
        here.board.hold(owner.me)
        last = anna.puts(2) if owner is one else None
        assert last is not None
        assert await last == (0,)
        here.kill(owner)
        assert (await other.hear("MSG_GAMEOVER"))[0] == 0
        rest = next(member for member in here.members if member is not owner)
        await trio.sleep(5)
        assert here.record.tables[1].row.node == rest.me
        assert rest.server.tables[1].state.seats[1].kind is SeatKind.PLAYER


async def test_a_player_at_a_finished_game_waits_no_longer_than_one_whose_game_is_on(autojump_clock: MockClock) -> None:
    """The player's own node claims the table, as soon as its last one is buried: nobody does unasked."""
    async with cast("one", "two", "three") as here:
        one, third = here.nodes["one"], here.nodes["three"]
        anna, bert = await here.game("one", "three")
        number = bert.seen.table
        await here.asks(anna, cmd.Resign())
        assert here.owner(bert) is one
        here.world.kill(one)
        await third.until(lambda: not third.server.tables.settled)
        buried_at = trio.current_time()
        await third.until(lambda: number in third.server.tables)
        assert trio.current_time() - buried_at < STANDS_S
        await here.asks(bert, cmd.Say("all", "here I am"))


async def test_who_leaves_between_a_nodes_death_and_the_takeover_has_left(autojump_clock: MockClock) -> None:
    """Bert's word that he goes is for a dead node, and his own node takes the table over before it gives that up."""
    async with cast("two", "one") as here:
        one, two = here.nodes["one"], here.nodes["two"]
        _, bert = await here.game("two", "one")
        number, claim = bert.seen.table, here.world.nodes.claim
        assert here.owner(bert) is two
        buried = False

        def refused(*asked: Any, **how: Any) -> list[TableRow]:
            if not buried:
                raise OperationalError("UPDATE", {}, OSError("the database is away"))
            return claim(*asked, **how)

        with patch.object(here.world.nodes, "claim", refused):
            here.world.kill(two)
            await one.until(lambda: two.me not in one.node.membership.living)
            bert.asks(cmd.Leave(lost=False))
            await trio.sleep(0.1)
            buried = True
            await one.until(lambda: number in one.server.tables)
            await trio.sleep(WAIT_S)
        assert bert.table is None
        assert one.server.tables[number].state.seats[1].kind is SeatKind.ABANDONED


@pytest.mark.parametrize("killed", [True, False], ids=["is killed", "drains"])
async def test_two_who_look_for_a_game_while_the_lobby_moves_find_each_other(
    autojump_clock: MockClock, *, killed: bool
) -> None:
    """At whatever moment: the one who waits is on the way to the next lobby, and the newcomer waits for that."""
    for tenths in range(0, 30, 2):
        async with world(seed=tenths) as here:
            three, one, two = [await here.node(name) for name in ("three", "one", "two")]
            await trio.sleep(1.0)
            anna, bert = one.dial(), two.dial()
            assert await anna.joins(f"{GAME}?name=Anna") == 0
            await trio.sleep(0.5)
            if killed:
                here.kill(three)
            else:
                here.nodes.drain("three", on=True)
            await trio.sleep(tenths / 10)
            assert await bert.joins(f"{GAME}?name=Bert") == 1, f"{tenths / 10} s later"
            assert await anna.puts(0) == (0,)


@pytest.mark.parametrize("seed", range(20))
async def test_a_dead_node_is_buried_as_soon_as_its_lease_ends(autojump_clock: MockClock, seed: int) -> None:
    """The others look at that moment, wherever they are between two looks."""
    async with world(seed=seed) as here:
        one, two, _ = await three(here)
        await trio.sleep(LEASE_S + Random(seed).uniform(0.0, 1.0))
        (left_s,) = [node.lease_s for node in here.nodes.living() if node.id == one.me]
        here.kill(one)
        await trio.sleep(left_s - 0.01)
        assert one.me in two.node.membership.living
        await trio.sleep(0.01 + LEAST_S + SPREAD_S + 0.01)
        assert one.me not in two.node.membership.living
