"""A page looks on aside at tables of several nodes: in order, through a death and a move, and leaves nothing behind."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from tests.cluster.world import Member, World, world
from tests.onlooking import page, playing, plays, watches

LINE = (0, 3, 1, 4, 2)
WON = ["a3", "a2", "b3", "b2", "c3"]


def owner(here: World, table: int) -> Member:
    node = here.record.tables[table].row.node
    return next(member for member in here.members if member.me == node)


async def nodes(here: World) -> list[Member]:
    found = [await here.node(name) for name in ("one", "two", "three")]
    await trio.sleep(1.0)
    return found


async def test_tables_of_two_nodes_are_watched_at_a_third(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two, three = await nodes(here)
        tables = [await playing(one, one), await playing(two, two)]
        await trio.sleep(3.0)
        assert {owner(here, number).name for number, _ in tables} == {"one", "two"}
        watcher = await page(three)
        await watches(watcher, *(number for number, _ in tables))
        for ply, square in enumerate(LINE):
            for _, players in tables:
                await plays(players, ply, square)
        for number, _ in tables:
            await watcher.until("GameEnded", table=number)
            assert [text for _, text in watcher.moves(number)] == WON


async def test_a_watched_table_goes_on_at_another_node_when_its_own_is_killed(autojump_clock: MockClock) -> None:
    """Another watched table does not wait for it; what the new node says of it follows on without a gap."""
    async with world() as here:
        one, two, three = await nodes(here)
        (near, others), (far, players) = await playing(one, one), await playing(two, three)
        await trio.sleep(3.0)
        watcher = await page(one)
        await watches(watcher, far, near)
        await plays(players, 0, LINE[0])
        await plays(others, 0, LINE[0])
        died = owner(here, far)
        assert died in (two, three)
        here.kill(died)
        await plays(others, 1, LINE[1])
        await watcher.until("MoveMade", table=near)
        await watcher.until("GameEnded", table=far)
        assert owner(here, far) is not died
        assert [text for _, text in watcher.moves(far)] == WON[:1]
        assert [text for _, text in watcher.moves(near)] == WON[:2]


async def test_a_watched_table_that_moves_to_another_node_is_watched_there(autojump_clock: MockClock) -> None:
    """To a third node, and to the page's own."""
    async with world() as here:
        one, two, three = await nodes(here)
        tables = [await playing(two, two), await playing(three, three)]
        watcher = await page(three)
        await watches(watcher, *(number for number, _ in tables))
        for _, players in tables:
            await plays(players, 0, LINE[0])
        await trio.sleep(3.0)
        assert [owner(here, number) for number, _ in tables] == [two, three]
        for ply in range(1, 5):
            for _, players in tables:
                await plays(players, ply, LINE[ply])
        for number, _ in tables:
            await watcher.until("GameEnded", table=number)
            assert [text for _, text in watcher.moves(number)] == WON
        assert one.living


async def test_another_node_has_no_observer_left_when_the_page_lets_go_or_is_lost(autojump_clock: MockClock) -> None:
    async with world() as here:
        _, two, three = await nodes(here)
        tables = [(await playing(two, two))[0] for _ in range(2)]
        await trio.sleep(3.0)
        observed = [two.server.tables[number].subscribers for number in tables]
        watcher = await page(three)
        await watches(watcher, *tables)
        assert [followers.observers for followers in observed] == [1, 1]
        await watcher.says("unwatch", table=tables[0])
        await watcher.until("unwatched", table=tables[0])
        await two.until(lambda: [followers.observers for followers in observed] == [0, 1])
        await watcher.closes()
        await two.until(lambda: [followers.observers for followers in observed] == [0, 0])


async def test_words_of_an_onlooker_are_heard_at_another_node(autojump_clock: MockClock) -> None:
    """And are answered, so that what it sends behind them is served."""
    async with world() as here:
        _, two, three = await nodes(here)
        number, _ = await playing(two, two)
        await trio.sleep(3.0)
        hearer, speaker = await page(two), await page(three)
        for one in (hearer, speaker):
            await watches(one, number)
        await speaker.says("say", to="observers", text="well played", table=number)
        assert (await hearer.until("Said", table=number))["body"]["text"] == "well played"
        await speaker.says("unwatch", table=number)
        await speaker.until("unwatched", table=number)
