"""A caller of the relay names a room, and the node that has it is found among the others."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from trio.testing import MockClock

from gateway.relay.passing import Pass
from gateway.relay.rendezvous import Refusal
from tests.cluster.world import Member, World, world

CODE = "k7fq9xbc"
CALLER = ("192.0.2.9", 40_000)


def has_room(gives: list[tuple[str, int]]) -> Callable[[str, tuple[str, int]], Pass | None]:
    """A relay with this one room, which notes for whom it gives passes."""

    def invite(code: str, client: tuple[str, int]) -> Pass | None:
        if code != CODE:
            return None
        gives.append(client)
        return Pass("192.0.2.2", 5031, "a secret")

    return invite


async def nodes(here: World, count: int) -> list[Member]:
    """So many that know each other."""
    made = [await here.node(str(number)) for number in range(count)]
    await made[0].until(lambda: all(len(one.node.membership.living) == count for one in made))
    return made


async def test_the_node_that_has_the_room_gives_a_pass_for_the_callers_address(autojump_clock: MockClock) -> None:
    """One of the others has a relay without that room, one has no relay."""
    async with world() as here:
        one, two, _, four = await nodes(here, 4)
        given: list[tuple[str, int]] = []
        two.node.rooms.invite_by(has_room(given))
        four.node.rooms.invite_by(lambda code, client: None)
        assert await one.node.rooms.find(CODE, CALLER) == Pass("192.0.2.2", 5031, "a secret")
        assert given == [CALLER]


async def test_no_node_has_it(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await nodes(here, 2)
        two.node.rooms.invite_by(has_room([]))
        assert await one.node.rooms.find("aaaaaaaa", CALLER) is None


async def test_a_node_alone_asks_nobody(autojump_clock: MockClock) -> None:
    async with world() as here:
        assert await (await here.node("one")).node.rooms.find(CODE, CALLER) is None


async def test_a_node_that_does_not_answer_may_have_it(autojump_clock: MockClock) -> None:
    """Another one that has it is enough."""
    async with world() as here:
        one, two, three = await nodes(here, 3)
        here.freeze(three)
        with pytest.raises(Refusal, match="try again") as refusal:
            await one.node.rooms.find(CODE, CALLER)
        assert refusal.value.reason == "no_answer"
        two.node.rooms.invite_by(has_room([]))
        assert await one.node.rooms.find(CODE, CALLER) is not None


async def test_a_question_that_the_bus_loses_is_asked_again(autojump_clock: MockClock) -> None:
    async with world(seed=3, lost=0.3) as here:
        one, two = await nodes(here, 2)
        two.node.rooms.invite_by(has_room([]))
        found = []
        for _ in range(20):
            try:
                found.append(await one.node.rooms.find(CODE, CALLER))
            except Refusal as refusal:
                assert refusal.reason == "no_answer"  # noqa: PT017
        assert None not in found
        assert len(found) > 15
