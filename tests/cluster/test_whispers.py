"""Words to a name are heard by its holder, at whichever node that is, and by nobody else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
from trio.testing import MockClock

from gateway.config import Seats
from gateway.store.bans import Ban
from tests.cluster.lines import Lines
from tests.cluster.world import Member, world
from tests.hall import config

MINIATURE: Final = "miniature"


@asynccontextmanager
async def nodes(*, heard: bool = False, **bus: Any) -> AsyncIterator[dict[str, Member]]:
    """Three by name that know each other; the first has the lobby. ``heard``: observers may speak to players."""
    async with world(config(seats=Seats(observers_speak=heard)), **bus) as here:
        found = {name: await here.node(name) for name in ("one", "two", "three")}
        await found["one"].until(lambda: all(len(one.node.membership.living) == 3 for one in here.members))
        yield found


async def called(member: Member, name: str) -> Lines:
    """A person at telnet at this node."""
    found = Lines(member, MINIATURE)
    await found.says(f"tell gateway name {name}")
    await found.hears(f"tell gateway you sit down as {name}")
    return found


async def playing(first: Member, second: Member) -> tuple[Lines, Lines]:
    """Sara and Tom at nodes of their own, in a game."""
    sara, tom = await called(first, "Sara"), await called(second, "Tom")
    await sara.says("seek 5 0 u w")
    await sara.hears("tell gateway nobody else is here yet")
    await tom.says("play Sara")
    for player in (sara, tom):
        await player.hears("tell gateway game 1:")
    return sara, tom


@pytest.mark.parametrize("lost", [0.0, 0.1], ids=["", "the bus loses and doubles"])
@pytest.mark.parametrize("node", ["one", "two", "three"])
async def test_a_visitor_of_any_node_speaks_to_players_of_others(
    autojump_clock: MockClock, node: str, lost: float
) -> None:
    """The table is at one node, one of its players at another."""
    async with nodes(lost=lost, doubled=lost) as members:
        sara, tom = await playing(members["two"], members["three"])
        carol = await called(members[node], "Carol")
        for player, name in ((sara, "Sara"), (tom, "Tom")):
            await carol.says(f"tell {name} good luck, {name}")
            assert await player.hears("tell Carol") == f"tell Carol good luck, {name}"
            await player.says(f"tell carol thank you from {name}")
            assert await carol.hears(f"tell {name}") == f"tell {name} thank you from {name}"


async def test_visitors_of_two_nodes_speak_to_each_other(autojump_clock: MockClock) -> None:
    async with nodes() as members:
        carol, dan = await called(members["two"], "Carol"), await called(members["three"], "Dan")
        await carol.says("tell Eve hi")
        assert await carol.hears("error ") == "error not-now nobody called 'Eve' is here"
        await dan.says("tell Carol hi")
        assert await carol.hears("tell Dan") == "tell Dan hi"
        await carol.says("tell Dan hello")
        assert await dan.hears("tell Carol") == "tell Carol hello"


async def test_a_visitor_does_not_pass_for_a_player_of_another_node(autojump_clock: MockClock) -> None:
    async with nodes() as members:
        sara, tom = await playing(members["two"], members["three"])
        mallory = Lines(members["one"], MINIATURE)
        await mallory.says("tell gateway name Tom")
        await mallory.hears("tell gateway Tom is somebody else's name here: you are here as Tom-2")
        await mallory.says("tell Sara I resign")
        assert await sara.hears("tell Tom") == "tell Tom-2 I resign"
        await sara.says("tell Tom was that you?")
        assert await tom.hears("tell Sara") == "tell Sara was that you?"


async def test_a_player_whose_program_has_no_words_is_named_across_nodes(autojump_clock: MockClock) -> None:
    async with nodes() as members:
        pia, carol = members["two"].dial(), await called(members["three"], "Carol")
        await pia.joins("tic_tac_toe?name=Pia")
        await carol.says("tell Pia hi")
        assert await carol.hears("error ") == "error not-now Pia plays with a program that has no words for talk"
        await pia.stream.aclose()
        await carol.says("tell Pia hi")
        assert (await carol.hears("error ")).startswith("error not-now ")


async def test_a_silent_node_costs_the_speaker_seconds_and_no_seat(autojump_clock: MockClock) -> None:
    async with world() as here:
        members = {name: await here.node(name) for name in ("one", "two", "three")}
        await members["one"].until(lambda: all(len(one.node.membership.living) == 3 for one in here.members))
        sara, tom = await playing(members["two"], members["three"])
        here.freeze(members["one"])
        await tom.says("tell nobody-here hi", "tell Sara still here")
        assert await tom.hears("error ") == "error not-now nobody-here cannot be told anything just now"
        assert await sara.hears("tell Tom") == "tell Tom still here"


async def test_observers_of_another_node_speak_to_players_where_the_table_lets_them(autojump_clock: MockClock) -> None:
    async with nodes(heard=True) as members:
        sara, tom = await playing(members["two"], members["three"])
        olga = await called(members["one"], "Olga")
        await olga.says("tell gateway observe Sara")
        await olga.hears("tell gateway White to move")
        await olga.says("tell Tom castle!")
        for player in (sara, tom):
            assert await player.hears("tell Olga") == "tell Olga castle!"
            await player.says("tell Olga thank you")
        for name in ("Sara", "Tom"):
            await olga.hears(f"tell {name} thank you")


async def test_what_an_address_says_to_names_is_limited_as_all_talk_is(autojump_clock: MockClock) -> None:
    async with world(config(sayings_burst=3)) as here:
        one = await here.node("one")
        carol, dan = await called(one, "Carol"), await called(one, "Dan")
        await carol.says("tell Eve are you there?")
        await carol.hears("error not-now ")
        await dan.says("tell Carol who are you?")
        await carol.hears("tell Dan")
        await carol.says("tell Dan first", "tell Dan second")
        assert await dan.hears("tell Carol") == "tell Carol first"
        assert await carol.hears("error ") == "error too-fast you say too much at once; try again in 2 s"


async def test_nobody_speaks_under_a_banned_name(autojump_clock: MockClock) -> None:
    async with world() as here:
        one = await here.node("one")
        carol = await called(one, "Carol")
        await carol.says("tell Dan hi")
        await carol.hears("error not-now ")
        one.server.bans.add(Ban("name", "Carol", "spam"), "test")
        await one.server.ban_enforcer.learn()
        await carol.says("tell Dan hi")
        assert (await carol.hears("error ")).startswith("error banned ")
