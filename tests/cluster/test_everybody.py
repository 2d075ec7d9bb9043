"""Words to everybody are heard at all nodes, by those who listen and whom no block keeps apart."""

from __future__ import annotations

import json
from typing import Final

from trio.testing import MockClock

from gateway.cluster import messages
from gateway.cluster.messages import Counted
from gateway.seating.everybody import Line
from tests.cluster.test_offers import all_know
from tests.cluster.world import Member, World, world
from tests.onlooking import Page, page
from tests.web.club import HASH, PASSWORD

NAMES: Final = ("Anna", "Bert", "Carl")


async def pages(here: World, *members: Member) -> list[Page]:
    """A page of each account at these nodes, one after the other, which listens."""
    for name in NAMES:
        here.accounts.add(name, HASH, "test")
    found = []
    for at, name in enumerate(NAMES):
        member = members[at % len(members)]
        member.server.lobby.names.own(NAMES)
        one = await page(member, everybody=True)
        await one.says("login", name=name, secret=PASSWORD)
        await one.until("logged_in")
        found.append(one)
    await all_know(0, *members)
    return found


async def said(listener: Page) -> tuple[str, str]:
    words = (await listener.until("Said"))["body"]
    return words["name"], words["text"]


async def test_words_to_everybody_are_heard_at_every_node(autojump_clock: MockClock) -> None:
    async with world() as here:
        members = [await here.node(name) for name in ("one", "two", "three")]
        await members[0].until(lambda: all(len(one.node.membership.living) == 3 for one in here.members))
        people = await pages(here, *members)
        for name, one in zip(NAMES, people, strict=True):
            await one.says("say", to="everybody", text=f"good morning from {name}")
            assert [await said(other) for other in people] == [(name, f"good morning from {name}")] * 3


async def test_a_block_holds_for_words_to_everybody_of_another_node(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert, carl = await pages(here, one, two)
        await two.server.circle.tie("blocks", "Bert", "Anna")
        await anna.says("say", to="everybody", text="hi")
        assert await said(carl) == ("Anna", "hi")
        await carl.says("say", to="everybody", text="hello")
        assert [await said(listener) for listener in (anna, anna, bert)] == [
            ("Anna", "hi"),
            ("Carl", "hello"),
            ("Carl", "hello"),
        ]


def test_an_older_node_reads_the_numbers_beside_the_words() -> None:
    """It passes over the field that it does not know, as this version does over one that comes later."""
    told = json.loads(messages._encode(Counted(3, 1, lines=(Line("Anna", "Anna", "hi"),))))
    known = {name: value for name, value in told.items() if name != "lines"}
    reader = messages._reader(Counted)
    assert reader.decode(json.dumps(known)) == Counted(3, 1)
    assert reader.decode(json.dumps(told | {"later": 1})) == Counted(3, 1, lines=(Line("Anna", "Anna", "hi"),))
