"""Games that are offered without a seat: to one player, to everybody, at any node; taken once, by one of two."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
import trio
from trio.testing import MockClock

from gateway import registry
from gateway.seating.called import COMES_S
from gateway.seating.offerers import Offerer
from protocols.core import time_text
from protocols.core.proposals import Start
from tests.cluster.lines import Lines
from tests.cluster.world import Member, world

MINIATURE = "miniature"


async def entered(member: Member, name: str) -> Lines:
    """A person at telnet at this node, who has given a name."""
    found = Lines(member, MINIATURE)
    await found.says(f"tell gateway name {name}")
    await found.hears(f"tell gateway you sit down as {name}")
    return found


async def all_know(number: int, *members: Member) -> None:
    """Until so many offers stand, as each of these nodes sees it."""
    for offers, until in [(member.server.lobby.offers, member.until) for member in members]:
        await until(partial(lambda known: len(known) == number, offers))


@pytest.mark.parametrize("lost", [0.0, 0.1], ids=["", "the bus loses and doubles"])
async def test_a_challenge_is_told_at_another_node_and_taken_there(autojump_clock: MockClock, lost: float) -> None:
    async with world(lost=lost, doubled=lost) as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = await entered(one, "Anna"), await entered(two, "Bert")
        await two.until(lambda: len(two.server.people()) == 2)
        await one.until(lambda: len(one.server.people()) == 2)
        await anna.says("tell gateway challenge Bert 5 0 u w")
        made = await anna.hears("tell gateway 1")
        number = made.split()[2].rstrip(":")
        assert made == f"tell gateway {number}: you offer Bert chess normal 8x8, time 300, and play white"
        told = await bert.hears("tell gateway 1")
        assert told == f"tell gateway {number}: Anna offers you chess normal 8x8, time 300, and plays white"
        assert await bert.hears("tell gateway tell") == (
            "tell gateway tell gateway take N takes one; tell gateway withdraw N declines it, or withdraws your own"
        )
        await bert.says(f"tell gateway take {number}")
        game = f"tell gateway game {number}: Anna (White) - Bert (Black): chess, 5:00, unrated; you are "
        assert await bert.hears("tell gateway game") == f"{game}Black"
        assert await anna.hears("tell gateway game") == f"{game}White"
        await all_know(0, one, two)
        await anna.says("e4")
        assert (await bert.hears("move")).startswith("move e2-e4;")


async def test_two_who_offer_the_same_at_two_nodes_play_each_other(autojump_clock: MockClock) -> None:
    """Neither knows of the other when it offers."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = await entered(one, "Anna"), await entered(two, "Bert")
        await anna.says("tell gateway offer 5 0 u")
        await bert.says("tell gateway offer 5 0 u b")
        first, second = await anna.hears("tell gateway game"), await bert.hears("tell gateway game")
        assert first.partition(";")[0] == second.partition(";")[0]
        assert "Anna (White) - Bert (Black)" in first
        await all_know(0, one, two)


async def test_of_two_who_take_one_offer_at_two_nodes_one_gets_it(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna = await entered(one, "Anna")
        takers = [await entered(one, "Bert"), await entered(two, "Carl")]
        await anna.says("tell gateway offer 5 0 u w")
        number = (await anna.hears("tell gateway 1")).split()[2].rstrip(":")
        await all_know(1, one, two)
        for taker in takers:
            await taker.says(f"tell gateway take {number}")
        heard: list[str] = []

        async def first(taker: Lines) -> None:
            while not (line := await taker.hears("")).startswith(("tell gateway game", "error")):
                pass
            heard.append(line)

        async with trio.open_nursery() as nursery:
            for taker in takers:
                nursery.start_soon(first, taker)
        game, refused = sorted(heard, reverse=True)
        assert game.startswith(f"tell gateway game {number}: Anna (White)")
        assert refused == f"error not-now offer {number} does not stand any more"


async def test_an_offer_goes_with_its_maker_its_seat_its_time_and_its_node(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = await entered(one, "Anna"), await entered(one, "Bert")
        carl = await entered(two, "Carl")
        for person in (anna, bert, carl):
            await person.says("tell gateway offer 5 0 u w")
        await all_know(3, one, two)
        await anna.says("seek 9 0 u w")
        await all_know(2, one, two)
        await bert.stream.aclose()
        await all_know(1, one, two)
        await trio.sleep(3600)
        assert (await carl.hears("tell gateway nobody took offer")).endswith("1")
        await all_know(0, one, two)
        await carl.says("tell gateway offer 5 0 u w")
        await all_know(1, one, two)
        here.kill(two)
        await all_know(0, one)


async def test_an_offer_stands_again_where_its_taker_does_not_come(autojump_clock: MockClock) -> None:
    """Its maker waits a minute at the table, at another node; the offer has a new number then, and another takes it."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna = await entered(two, "Anna")
        await anna.says("tell gateway offer 5 0 u w")
        number = int((await anna.hears("tell gateway 1")).split()[2].rstrip(":"))
        await all_know(1, one, two)
        await one.server.offering.take_as(Offerer("bert", False, "192.0.2.7"), number, None)
        assert await anna.hears(f"tell gateway offer {number}") == f"tell gateway offer {number} was taken"
        begun = trio.current_time()
        assert await anna.hears("tell gateway bert has") == "tell gateway bert has not come: you have left the table"
        assert COMES_S <= trio.current_time() - begun < COMES_S + 3
        again = await anna.hears("tell gateway bert did")
        assert again == "tell gateway bert did not come: your offer stands again"
        made = await anna.hears("tell gateway 1")
        fresh = int(made.split()[2].rstrip(":"))
        assert made == f"tell gateway {fresh}: you offer everybody chess normal 8x8, time 300, and play white"
        assert fresh > number
        await all_know(1, one, two)
        carl = await entered(one, "Carl")
        await carl.says(f"tell gateway take {number}", f"tell gateway take {fresh}")
        assert await carl.hears("error") == f"error not-now offer {number} does not stand any more"
        game = "tell gateway game 1: Anna (White) - Carl (Black): chess, 5:00, unrated; you are "
        assert await carl.hears("tell gateway game") == f"{game}Black"
        assert await anna.hears("tell gateway game") == f"{game}White"
        await one.until(lambda: not one.server.tables.unfinished(number))
        await all_know(0, one, two)


async def test_of_two_offers_that_met_the_one_of_who_came_stands_again(autojump_clock: MockClock) -> None:
    """Anna has offered over HTTP and stays away; Bert's offer took hers."""
    async with world() as here:
        one = await here.node("one")
        bert = await entered(one, "Bert")
        start = Start(replace(registry.game("chess").settings(), time=time_text.read("300")), 0)
        await one.server.offering.make(Offerer("anna", True, "192.0.2.7"), start, "", 10)
        await bert.says("tell gateway offer 5 0 u a")
        assert await bert.hears("tell gateway anna plays") == "tell gateway anna plays that"
        assert await bert.hears("tell gateway anna did") == "tell gateway anna did not come: your offer stands again"
        (again,) = one.server.lobby.offers
        assert await bert.hears(f"tell gateway {again.number}: you offer everybody chess")
        assert again.by == "Bert"


async def test_who_took_an_offer_and_waits_in_vain_is_in_the_lobby_again(autojump_clock: MockClock) -> None:
    """Its connection stays; what it has not offered itself does not stand."""
    async with world() as here:
        one = await here.node("one")
        start = Start(registry.game("chess").settings())
        made = await one.server.offering.make(Offerer("anna", True, "192.0.2.7"), start, "", 10)
        bert = await entered(one, "Bert")
        await bert.says(f"tell gateway take {made.offer.number}")
        assert await bert.hears("tell gateway anna has") == "tell gateway anna has not come: you have left the table"
        await trio.sleep(COMES_S)
        assert len(one.server.lobby.offers) == 0
        await bert.says("tell gateway who")
        assert await bert.hears("tell gateway Bert") == "tell gateway Bert (at no table)"


async def test_who_is_challenged_declines_at_another_node(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = await entered(one, "Anna"), await entered(two, "Bert")
        await one.until(lambda: len(one.server.people()) == 2)
        await anna.says("tell gateway challenge Bert 5 0 u w")
        number = (await bert.hears("tell gateway 1")).split()[2].rstrip(":")
        carl = await entered(two, "Carl")
        await carl.says(f"tell gateway take {number}", f"tell gateway withdraw {number}")
        assert await carl.hears("error") == "error not-now this offer is made to Bert"
        assert await carl.hears("error") == f"error not-now offer {number} is neither yours nor made to you"
        await bert.says(f"tell gateway withdraw {number}")
        assert await anna.hears("tell gateway Bert") == f"tell gateway Bert declines offer {number}"
        await all_know(0, one, two)


async def test_who_offers_what_somebody_at_a_table_waits_for_is_led_there(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = await entered(one, "Anna"), await entered(two, "Bert")
        await anna.says("tell gateway offer 5 0 u w")
        await all_know(1, one, two)
        await bert.says("seek 5 0 u b")
        assert await anna.hears("tell gateway Bert waits") == "tell gateway Bert waits for that at a table"
        assert "Anna (White) - Bert (Black)" in await bert.hears("tell gateway game")
        assert "Anna (White) - Bert (Black)" in await anna.hears("tell gateway game")
        await all_know(0, one, two)


async def test_a_challenge_that_lasts_outlives_the_node_that_holds_it(autojump_clock: MockClock) -> None:
    """Another node holds it from then on, under its number; each living node knows it once."""
    async with world() as here:
        one, two, three = [await here.node(name) for name in ("one", "two", "three")]
        for member in (one, two, three):
            member.server.lobby.names.own(["anna", "bert"])
        start = Start(replace(registry.game("chess").settings(), time=time_text.read("3d/move")), 0)
        anna, bert = Offerer("anna", True, "192.0.2.7"), Offerer("bert", True, "192.0.2.8")
        made = await two.server.offering.make(anna, start, "bert", 3 * 24 * 60)
        await all_know(1, one, two, three)
        here.kill(two)

        def holders() -> list[str]:
            living = (one, three)
            assert all(len(member.server.lobby.offers) <= 1 for member in living)
            return [member.name for member in living if member.server.lobby.offers.own()]

        await one.until(lambda: len(holders()) == 1)
        await all_know(1, one, three)
        (offer,) = three.server.lobby.offers
        assert (offer.number, offer.by, offer.lasts) == (made.offer.number, "anna", True)
        assert (await three.server.offering.take_as(bert, offer.number, None)).seat == 1
        await all_know(0, one, three)
        await one.until(lambda: not here.accounts.held_offers(one.me) and not here.accounts.held_offers(three.me))
