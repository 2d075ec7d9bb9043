"""Chess programs of the peer-to-peer protocol meet, play and come back at nodes of their own, as if there was one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import pytest
import trio
from trio.testing import MockClock

from tests.cluster.lines import Lines
from tests.cluster.world import Member, world

FIVE_MINUTES: Final = ("new", "level 0 300 0")
TICKET: Final = "a-secret-that-pia-has-brought"


@asynccontextmanager
async def nodes() -> AsyncIterator[dict[str, Member]]:
    """Three by name that know each other; the first has the lobby."""
    async with world() as here:
        found = {name: await here.node(name) for name in ("one", "two", "three")}
        await found["one"].until(lambda: all(len(one.node.membership.living) == 3 for one in here.members))
        yield found


async def seeks(pia: Lines) -> None:
    """Pia proposes a game as White, with e2e4 as her first move."""
    await pia.says(f"ticket {TICKET}", "name pia", *FIVE_MINUTES, "move e2e4", "go")
    await pia.hears("text your game is proposed to whoever comes")


async def begins(pia: Lines, rob: Lines) -> None:
    """Rob sets up the game that Pia seeks: it is on, and both have been told her first move."""
    await rob.says("name rob", *FIVE_MINUTES, "go")
    await rob.hears("text the game with pia begins, you play Black")
    await pia.hears("text the game with rob begins, you play White")
    await pia.hears("go")
    await pia.says("accepted")
    await pia.hears("move e2e4")
    await rob.hears("move e2e4")
    await rob.hears("go")
    await rob.says("accepted", "move e2e4")


async def play(mover: Lines, other: Lines, *moves: str) -> None:
    """They move in turn. "... echo it back to the peer": both hear each move."""
    for move in moves:
        await mover.says(f"move {move}")
        assert await mover.hears("move ") == f"move {move}"
        assert await other.hears("move ") == f"move {move}"
        await other.says(f"move {move}")
        mover, other = other, mover


@pytest.mark.parametrize(("white", "black"), [("two", "three"), ("one", "two"), ("three", "one")])
async def test_two_programs_of_two_nodes_meet_and_are_told_each_move_once(
    autojump_clock: MockClock, white: str, black: str
) -> None:
    """Scholar's mate: Black proposes what White waits with, and both are told seven moves and the same end."""
    async with nodes() as members:
        pia, rob = Lines(members[white]), Lines(members[black])
        await seeks(pia)
        await begins(pia, rob)
        await play(rob, pia, "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7")
        for player in (pia, rob):
            assert await player.hears("result ") == "result 1-0 {White mates}"
            assert player.moves == ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"]


async def test_a_third_node_sees_a_seek_until_it_is_taken_and_then_the_game(autojump_clock: MockClock) -> None:
    """The protocol has no list of games and no word to look on: a visitor is told of who waits and that it waits no
    longer; the node's pages name the players, and a person there who looks on, in Miniature, is told the moves."""
    async with nodes() as members:
        pia, rob, zoe = Lines(members["two"]), Lines(members["three"]), Lines(members["one"])
        await seeks(pia)
        told = await zoe.hears("text pia ")
        assert told.startswith("text pia waits for a game, 300 s, unrated, as White: set up such a game and start it")
        await begins(pia, rob)
        assert await zoe.hears("text ") == "text pia no longer waits for a game, 300 s, unrated, as White"
        assert [one.name for one in members["one"].server.people()] == ["pia", "rob"]
        mia = Lines(members["one"], "miniature")
        await mia.says("tell gateway observe rob")
        await mia.hears("tell gateway pia (White) - rob (Black): chess, 5:00, unrated")
        await play(rob, pia, "e7e5", "g1f3", "b8c6")
        await mia.hears("move b8-c6")
        assert [move.partition(";")[0] for move in mia.moves] == ["e2-e4", "e7-e5", "g1-f3", "b8-c6"]


async def test_a_player_who_comes_back_by_another_node_is_brought_the_game(autojump_clock: MockClock) -> None:
    """Pia's connection is lost at her own node, which has the table; her ticket works at a third, and both play on."""
    async with nodes() as members:
        pia, rob = Lines(members["two"]), Lines(members["three"])
        await seeks(pia)
        await begins(pia, rob)
        await play(rob, pia, "e7e5")
        await pia.stream.aclose()
        await rob.hears("text pia has lost the connection, and may come back")
        pia = Lines(members["one"])
        await pia.says(f"ticket {TICKET}", "name pia", "text I am back")
        await pia.hears("text your game with rob goes on")
        await pia.hears("go")
        assert pia.moves == ["e2e4", "e7e5"]
        assert await rob.hears("text pia:") == "text pia: I am back"
        await pia.says("accepted")
        await play(pia, rob, "g1f3", "b8c6")
        assert pia.moves == rob.moves == ["e2e4", "e7e5", "g1f3", "b8c6"]


@pytest.mark.parametrize("node", ["one", "two"], ids=["at the lobby's node", "at another node"])
async def test_a_player_who_makes_room_waits_on_at_another_table(autojump_clock: MockClock, node: str) -> None:
    """Pia and Sue, who both want White, of different games, sit together in vain. Rob comes for Pia's game: Sue goes
    to a table of her own, and Bea, who comes for Sue's game, plays with her."""
    async with nodes() as members:
        pia, sue, rob, bea = (Lines(members[node]) for _ in range(4))
        await pia.says("name pia", "new", "level 0 300 0", "move e2e4", "go")
        await pia.hears("text your game is proposed to whoever comes")
        await sue.says("name sue", "new", "variant kingofthehill", "level 0 300 0", "move e2e4", "go")
        await sue.hears("text your game is proposed to pia")
        await rob.says("name rob", "new", "level 0 300 0", "go")
        await rob.hears("text the game with pia begins, you play Black")
        await bea.says("name bea", "new", "variant kingofthehill", "level 0 300 0", "go")
        with trio.fail_after(60.0):
            await bea.hears("text the game with sue begins, you play Black")
            await sue.hears("text the game with bea begins, you play White")


async def test_who_names_the_players_of_another_nodes_table(autojump_clock: MockClock) -> None:
    """Asked by a third node's visitor: both sit there and play."""
    async with nodes() as members:
        pia, rob = Lines(members["two"]), Lines(members["three"])
        await seeks(pia)
        await begins(pia, rob)
        mia = Lines(members["one"], "miniature")
        await mia.hears("welcome ")
        await mia.says("tell gateway who")
        told = await mia.hears("tell gateway ")
        assert (
            told == "tell gateway pia, rob (table 1, playing): pia (white) - rob (black), Chess normal, 5:00, unrated"
        )


async def test_tables_lists_the_open_table_of_another_node(autojump_clock: MockClock) -> None:
    """The same words at the node that has the table, the lobby's, and at another."""
    async with nodes() as members:
        pia = Lines(members["two"])
        await seeks(pia)
        for name in ("one", "three"):
            mia = Lines(members[name], "miniature")
            await mia.hears("seek ")
            await mia.says("tell gateway tables")
            told = await mia.hears("tell gateway ")
            assert told == "tell gateway table 1 (open): pia proposes Chess normal, 5:00, unrated, as white", name
