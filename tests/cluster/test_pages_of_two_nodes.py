"""Pages at another node than their table's: whose a seat is, and what its turn is told."""

from __future__ import annotations

import json
from typing import Any

import trio
from trio.testing import MockClock

from gateway import registry
from gateway.lobby.claims import ticket_digest
from gateway.lobby.registration import Registration
from gateway.seating.registrar import THE_HOUSE
from gateway.sessions.listener import EntryPoint
from gateway.store.guest_seats import GuestTicket
from protocols.core.model import HouseRules, SeatKind
from protocols.web import frames
from protocols.web.dialect import Web
from tests.cluster.world import Member, world
from tests.hall import FirstMove, Guest

KEY = "a secret of Bert's own browser"


class Page:
    """A page at a node: the messages it has not looked at yet."""

    def __init__(self, member: Member) -> None:
        self._guest: Guest = member.dial(listener=EntryPoint(Web, {}, member.server.house_rules))
        self._heard: list[dict[str, Any]] = []

    async def says(self, **message: Any) -> None:
        await self._guest.stream.send_all(frames.client_frame(json.dumps(message).encode()))

    async def until(self, *names: str) -> dict[str, Any]:
        """The first message of one of these types, or event of one of these kinds."""
        with trio.fail_after(60.0):
            while True:
                while not self._heard:
                    self._heard = [
                        json.loads(text) for text in frames.texts(bytes(await self._guest.stream.receive_some(65536)))
                    ]
                message = self._heard.pop(0)
                if message["type"] in names or message.get("kind") in names:
                    return message

    async def leaves(self) -> None:
        """The connection is lost."""
        await self._guest.stream.aclose()


async def joins(member: Member, **wishes: Any) -> Page:
    page = Page(member)
    await page.says(type="hello", v=1)
    await page.says(type="join", **{"game": "tic_tac_toe"} | wishes)
    return page


async def test_an_invitation_is_used_up_at_every_node(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        settings = registry.game("tic_tac_toe").settings("")
        made = await one.server.registrar.register(Registration(settings, ("open", "open"), private=True), THE_HOUSE)
        anna = await joins(one, ticket=made.tickets[0], name="anna")
        await anna.until("seated")
        await trio.sleep(1.0)
        bert = await joins(two, ticket=made.tickets[1], name="bert", key=KEY)
        told = await bert.until("seated")
        assert (told["seat"], told["ticket"]) == (1, KEY)
        await trio.sleep(1.0)
        for member in (one, two):
            carl = await joins(member, ticket=made.tickets[1], name="carl")
            assert (await carl.until("rejected", "seated"))["type"] == "rejected"
        again = await joins(one, ticket=made.tickets[1], key=KEY)
        assert (await again.until("seated"))["seat"] == 1
        assert (await bert.until("goodbye"))["why"] == "replaced"


async def test_who_comes_for_the_first_seat_at_another_node_may_move_at_once(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna = await joins(one, name="anna")
        await anna.until("seated")
        await trio.sleep(1.0)
        bert = await joins(two, name="bert", side=0)
        assert (await bert.until("turn"))["seat"] == 0
        assert (await bert.until("moves"))["legal"]
        await bert.says(type="play", move=[None, 4, ""])
        for page in (anna, bert):
            assert (await page.until("MoveMade"))["body"]["seat"] == 0


async def test_an_account_takes_its_seat_back_from_a_house_bot_at_another_node(autojump_clock: MockClock) -> None:
    """The node that is asked has heard of the table, and another that begins later reads of it."""
    async with world() as here:
        one, two = await here.node("one", FirstMove()), await here.node("two")
        settings, house = registry.game("go").settings(), HouseRules(1.0, None, "bot", private=True)
        made = await one.server.registrar.register(Registration(settings, ("anna", "bert"), house), THE_HOUSE)
        anna, bert = [await joins(one, ticket=ticket, game="go") for ticket in made.tickets]
        await anna.until("turn")
        table = one.server.tables[made.table]
        await anna.leaves()
        while (await bert.until("SeatTaken"))["body"]["kind"] != SeatKind.BOT:
            pass
        await trio.sleep(1.0)
        for member in (two, await here.node("three")):
            page = Page(member)
            next(iter(member.server.connections)).account = "anna"
            await page.says(type="hello", v=1, table=made.table, account=True)
            assert (await page.until("seated", "rejected"))["seat"] == 0
            assert table.state.seats[0].kind is SeatKind.PLAYER
            await page.leaves()
            while (await bert.until("SeatTaken"))["body"]["kind"] != SeatKind.BOT:
                pass


async def test_an_account_that_has_kept_a_guests_seat_takes_it_at_another_node(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        settings = registry.game("tic_tac_toe").settings("")
        made = await one.server.registrar.register(Registration(settings, ("guest", "bert"), private=True), THE_HOUSE)
        one.server.accounts.add("anna", "", "anna", seats=[GuestTicket(made.table, ticket_digest(made.tickets[0]))])
        for member in (two, one):
            anna = Page(member)
            next(iter(member.server.connections)).account = "anna"
            await anna.says(type="hello", v=1, table=made.table, account=True)
            assert (await anna.until("seated", "rejected"))["seat"] == 0
            assert one.server.tables[made.table].state.seats[0].kind is SeatKind.PLAYER
            await anna.leaves()
            await trio.sleep(1.0)


async def test_an_account_takes_its_seat_at_another_node(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        settings = registry.game("tic_tac_toe").settings("")
        made = await one.server.registrar.register(Registration(settings, ("anna", "bert"), private=True), THE_HOUSE)
        await trio.sleep(1.0)
        anna = Page(two)
        connection = next(iter(two.server.connections))
        connection.account = "anna"
        await anna.says(type="hello", v=1, table=made.table, account=True)
        assert (await anna.until("seated"))["seat"] == 0
        assert one.server.tables[made.table].state.seats[0].kind is SeatKind.PLAYER
