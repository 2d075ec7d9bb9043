"""A client that has entered at one node is here at every node, under a name that is nobody else's."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from tests.cluster.lines import Lines
from tests.cluster.world import Member, world

MINIATURE = "miniature"


async def until_here(member: Member, *people: tuple[str, str]) -> None:
    """Until just these are here, as this node sees it, and do that."""
    await member.until(lambda: [(one.name, one.doing) for one in member.server.people()] == list(people))


async def entered(member: Member, name: str) -> Lines:
    """A person at telnet at this node, who has given a name."""
    found = Lines(member, MINIATURE)
    await found.says(f"tell gateway name {name}")
    return found


@pytest.mark.parametrize("lost", [0.0, 0.1], ids=["", "the bus loses and doubles"])
async def test_names_come_to_every_node_and_go_with_their_connections(autojump_clock: MockClock, lost: float) -> None:
    async with world(lost=lost, doubled=lost) as here:
        one, two = await here.node("one"), await here.node("two")
        anna, _ = await entered(one, "Anna"), await entered(two, "Bert")
        for member in (one, two):
            await until_here(member, ("Anna", "lobby"), ("Bert", "lobby"))
        three = await here.node("three")  # which came later, and heard nothing of it
        await until_here(three, ("Anna", "lobby"), ("Bert", "lobby"))
        await anna.says("seek 5 0 u w")
        await until_here(three, ("Anna", "waits"), ("Bert", "lobby"))
        await anna.stream.aclose()
        for member in (one, two, three):
            await until_here(member, ("Bert", "lobby"))
        here.kill(two)
        for member in (one, three):
            await until_here(member)


async def test_the_node_that_takes_the_lobby_over_knows_who_is_here(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two, three = [await here.node(name) for name in ("one", "two", "three")]
        await one.until(lambda: one.node.has_lobby)
        anna = await entered(two, "Anna")
        await anna.hears("tell gateway you sit down as Anna")
        here.kill(one)
        await two.until(lambda: two.node.has_lobby or three.node.has_lobby)
        mallory = await entered(three, "Anna")
        said = await mallory.hears("tell gateway Anna ")
        assert said == "tell gateway Anna is somebody else's name here: you are here as Anna-2"
        await anna.says("seek 5 0 u w")
        assert (await anna.hears("tell gateway table ")).endswith(": Anna - nobody yet")


async def test_two_who_enter_under_one_name_in_the_same_moment_are_told_apart(autojump_clock: MockClock) -> None:
    """Each node knows of its own alone when both are answered: one of them gets another name, and is told so."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        await one.until(lambda: all(len(member.node.membership.living) == 2 for member in (one, two)))
        people = [Lines(member, MINIATURE) for member in (one, two)]
        for person in people:
            await person.says("tell gateway name Anna")
        for member in (one, two):
            await until_here(member, ("Anna", "lobby"), ("Anna-2", "lobby"))
        first, second = sorted(one.server.lobby.here, key=lambda entry: entry.name)
        assert first.number < second.number


async def test_who_has_entered_is_called_so_at_a_table_of_any_node(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = await entered(one, "Anna"), await entered(two, "Bert")
        await anna.says("seek 5 0 u w")
        await anna.hears("tell gateway nobody else is here yet")
        await bert.says("play Anna")
        for person in (anna, bert):
            assert "Anna (White) - Bert (Black)" in await person.hears("tell gateway game 1:")
        for member in (one, two):
            await until_here(member, ("Anna", "plays"), ("Bert", "plays"))


async def test_who_says_nothing_is_idle_at_every_node_until_the_next_word(autojump_clock: MockClock) -> None:
    """However much is said, other nodes hear of it when it begins and when it ends."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = await entered(one, "Anna"), await entered(one, "Bert")
        await until_here(two, ("Anna", "lobby"), ("Bert", "lobby"))

        def idle() -> dict[str, bool]:
            return {person.name: person.idle is not None for person in two.server.people()}

        assert {person.dialects for person in two.server.people()} == {("miniature",)}
        for _ in range(7):
            await trio.sleep(60)
            await bert.says("tell gateway who")
        await two.until(lambda: idle() == {"Anna": True, "Bert": False})
        began = two.server.people()[0].idle
        await trio.sleep(300)
        assert two.server.people()[0].idle == began
        await bert.says("tell gateway who")
        assert (await bert.hears("tell gateway Anna (at no table, idle for")).endswith("minutes)")
        await anna.says("tell gateway who")
        await two.until(lambda: not idle()["Anna"])
