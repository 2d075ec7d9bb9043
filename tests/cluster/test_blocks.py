"""A block holds at all nodes: for offers, for seeks at tables, and for words."""

from __future__ import annotations

from trio.testing import MockClock

from tests.cluster.lines import Lines
from tests.cluster.test_offers import all_know
from tests.cluster.world import Member, World, world
from tests.web.club import HASH, PASSWORD


async def logged_in(here: World, member: Member, name: str) -> Lines:
    """A person at telnet at this node who has logged in to an account, which is made."""
    here.accounts.add(name, HASH, "test")
    for each in here.members:
        each.server.lobby.names.own([name])
    found = Lines(member, "miniature")
    await found.says(f"tell gateway login {name} {PASSWORD}")
    await found.hears("tell gateway you are")
    return found


async def test_two_who_are_kept_apart_neither_see_nor_take_nor_meet_each_others_offers(
    autojump_clock: MockClock,
) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = await logged_in(here, one, "Anna"), await logged_in(here, two, "Bert")
        await two.server.circle.tie("blocks", "Bert", "Anna")
        await anna.says("tell gateway offer 5 0 u w")
        number = (await anna.hears("tell gateway 1")).split()[2].rstrip(":")
        await all_know(1, one, two)
        await bert.says("tell gateway offers", f"tell gateway take {number}", "tell gateway offer 5 0 u b")
        assert await bert.hears("tell gateway nothing") == "tell gateway nothing is offered"
        assert (await bert.hears("error")).endswith("one of you has blocked the other")
        await all_know(2, one, two)
        for person, name in ((anna, "Bert"), (bert, "Anna")):
            await person.says(f"tell gateway challenge {name} 9 0 u", f"tell {name} hello")
            refusal = f"error not-now you and {name} play no games: one of you has blocked the other"
            assert await person.hears("error") == refusal
            assert (await person.hears("error")).startswith(f"error not-now you and {name} hear nothing")
        carl = await logged_in(here, two, "Carl")
        await carl.says("tell gateway offer 5 0 u b")
        assert "Anna (White) - Carl (Black)" in await carl.hears("tell gateway game")


async def test_a_block_at_another_node_ends_offers_that_stand(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = await logged_in(here, one, "Anna"), await logged_in(here, two, "Bert")
        await anna.says("tell gateway offer 5 0 u w", "tell gateway challenge Bert 9 0 u")
        await bert.says("tell gateway challenge Anna 7 0 u")
        await all_know(3, one, two)
        await two.server.circle.tie("blocks", "Anna", "Bert")
        await all_know(0, one, two)


async def test_two_who_are_kept_apart_wait_at_two_tables(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = await logged_in(here, one, "Anna"), await logged_in(here, two, "Bert")
        await one.server.circle.tie("blocks", "Anna", "Bert")
        await anna.says("seek 5 0 u w")
        await one.until(lambda: len(list(one.server.lobby.notices.all())) == 1)
        await bert.says("seek 5 0 u b")
        await one.until(lambda: len(list(one.server.lobby.notices.all())) == 2)
        carl = await logged_in(here, two, "Carl")
        await carl.says("seek 5 0 u b")
        assert "Anna (White) - Carl (Black)" in await carl.hears("tell gateway game")
        await bert.says("tell gateway leave")
