"""A seek whose player confirms the challenge itself is on the notice boards of all nodes, for as long as it stands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import pytest
from trio.testing import MockClock

from gateway.web.pages.every_table import every_table
from gateway.web.pages.open_tables import OpenTable, open_tables
from protocols.miniature.wire import write_seek
from tests.cluster.lines import Lines
from tests.cluster.world import Member, World, three, world

MANUAL: Final = "seek 5 0 u w manual"


def seeks(member: Member) -> list[str]:
    """The seeks that a node knows, in Miniature's words behind the name."""
    found = member.server.lobby.notices.page(lambda game: True).notices
    return [f"{notice.name}: {write_seek(notice.start)}" for notice in found]


def knows(member: Member, expected: list[str]) -> bool:
    return seeks(member) == expected


async def all_know(members: Sequence[Member], *expected: str) -> None:
    """Return when each of these nodes knows just these seeks."""
    for member in members:
        await member.until(partial(knows, member, list(expected)))


def rows(member: Member) -> list[OpenTable]:
    """The open tables of a node's pages."""
    return list(open_tables(every_table(member.server).values(), member.server.seat_ratings.words))


@asynccontextmanager
async def sought() -> AsyncIterator[tuple[World, list[Member], Lines]]:
    """Three nodes, the first with the lobby, and Mia at the second, who seeks: all know of it."""
    async with world() as here:
        members = await three(here)
        mia = Lines(members[1], "miniature")
        await mia.says("tell gateway name mia", MANUAL)
        await all_know(members, f"mia: {MANUAL}")
        yield here, members, mia


async def test_visitors_of_every_node_are_told_that_it_comes_and_that_it_goes(autojump_clock: MockClock) -> None:
    """In the words of their dialects, and on the pages."""
    async with world() as here:
        members = await three(here)
        mia, *visitors = (Lines(member, "miniature") for member in (members[1], *members))
        pia = Lines(members[2])
        for visitor in visitors:
            await visitor.hears("welcome ")
        await pia.hears("hallo ")
        await mia.says("tell gateway name mia", MANUAL)
        for visitor in visitors:
            assert await visitor.hears("tell gateway ") == "tell gateway mia seeks a game; play mia accepts"
            assert await visitor.hears("") == MANUAL
        assert (await pia.hears("text ")).startswith("text mia waits for a game, 300 s, unrated, as White: ")
        for member in members:
            assert [row.needs for row in rows(member)] == ["plays white, asks before the game begins"]
        await mia.says("tell gateway leave")
        for visitor in visitors:
            assert await visitor.hears("") == f"tell gateway mia no longer waits: {MANUAL}"
        assert await pia.hears("text ") == "text mia no longer waits for a game, 300 s, unrated, as White"
        assert [rows(member) for member in members] == [[], [], []]


async def test_another_takes_its_place_at_every_node(autojump_clock: MockClock) -> None:
    async with sought() as (_, members, mia):
        await mia.says("seek 3 0 u b manual")
        await all_know(members, "mia: seek 3 0 u b manual")
        await mia.says("seek 1 0 u w")
        await all_know(members, "mia: seek 1 0 u w")


async def test_it_is_on_no_board_once_its_game_begins(autojump_clock: MockClock) -> None:
    """Tom accepts it by name at a third node, and Mia confirms."""
    async with sought() as (_, members, mia):
        tom = Lines(members[2], "miniature")
        await tom.hears(MANUAL)
        await tom.says("play mia")
        await mia.hears("play")
        await mia.says("play")
        for player in (mia, tom):
            await player.hears("tell gateway clock")
        await all_know(members)


@pytest.mark.parametrize("ends", ["dies", "drains"])
async def test_it_stands_where_another_node_gets_the_lobby(autojump_clock: MockClock, ends: str) -> None:
    """It is accepted and confirmed afterwards, as before."""
    async with sought() as (here, members, mia):
        one, two, third = members
        if ends == "dies":
            here.kill(one)
        else:
            one.server.drain.begin("a host")
        await two.until(lambda: here.record.tables[1].row.node in (two.me, third.me))
        await two.until(lambda: 1 in two.server.tables or 1 in third.server.tables)
        await all_know(here.living, f"mia: {MANUAL}")
        tom = Lines(third, "miniature")
        await tom.hears(MANUAL)
        await tom.says("play mia")
        await mia.hears("play")
        await mia.says("play")
        await tom.hears("tell gateway clock")
        await all_know(here.living)
