"""News of games and of people come to every node, wherever a game is played and whoever owns its table."""

from __future__ import annotations

import json

import msgspec
from trio.testing import MockClock

from gateway import registry
from gateway.cluster.messages import ANY, Listed
from protocols.core.model import HouseRules, Outcome, Reason
from tests.cluster.chess_server import ChessServer
from tests.cluster.world import Member, World, world


async def nodes(here: World) -> list[Member]:
    found = [await here.node(name) for name in ("one", "two", "three")]
    await found[0].until(lambda: all(len(one.node.membership.living) == 3 for one in here.members))
    return found


async def challenged(white: ChessServer, black: ChessServer) -> str:
    """They play a game: its number and players, as lines of it begin."""
    await white.says(f"match {black.name} 5 0 white")
    await black.hears("Challenge: ")
    await black.says("accept")
    for one in (white, black):
        told = await one.hears("{Game ")
        await one.hears("<12> ")
    return told.removesuffix("Creating unrated blitz match.}")


async def test_a_game_of_two_nodes_is_told_at_a_third_when_it_begins_and_when_it_ends(
    autojump_clock: MockClock,
) -> None:
    async with world() as here:
        one, two, three = await nodes(here)
        listener = await ChessServer(three).comes("set gin 1", "iset pin 1")
        white, black = await ChessServer(one).comes(), await ChessServer(two).comes("set gin 1")
        for player in (white, black):
            await listener.hears(f"<wa> {player.name} 010P")
        game = await challenged(white, black)
        await listener.hears(f"{game}Creating unrated blitz match.}}")
        await white.says("e4")
        await black.hears("<12> ")
        await black.says("resign")
        for player in (listener, white, black):
            await player.hears(f"{game}{black.name} resigns}} 1-0")
        await white.stream.aclose()
        await listener.hears(f"<wd> {white.name}")


async def test_a_game_whose_node_has_died_goes_on_and_is_told_to_end_once(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two, three = await nodes(here)
        listener = await ChessServer(three).comes("set gin 1")
        white, black = await ChessServer(two).comes(), await ChessServer(three).comes()
        game = await challenged(white, black)
        await listener.hears(f"{game}Creating")
        number = int(game.split()[1])
        await two.until(lambda: here.record.tables[number].row.node in (two.me, three.me))
        died = next(member for member in (two, three) if member.me == here.record.tables[number].row.node)
        if died is three:
            listener = await ChessServer(two).comes("set gin 1")
        here.kill(died)
        player = white if died is three else black
        await player.says("resign")
        told = await listener.hears("{Game ")
        assert told == f"{game}{player.name} resigns}} {'0-1' if player is white else '1-0'}"
        assert one.living


async def test_who_looks_on_from_several_nodes_is_named_at_each(autojump_clock: MockClock) -> None:
    async with world() as here:
        _, two, three = members = await nodes(here)
        white, black = await ChessServer(two).comes(), await ChessServer(three).comes()
        game = await challenged(white, black)
        number = game.split()[1]
        watchers = [await ChessServer(member).comes() for member in members]
        for at, watcher in enumerate(watchers, 1):
            await watcher.says(f"observe {number}")
            await watcher.hears("You are now observing")
            shown = " ".join(f"{each.name}(U)" for each in watchers[:at])
            names = f"[{white.name} vs. {black.name}]: {shown} ({at} user{'s' * (at > 1)})"
            for each in (*watchers[:at], white, black):
                await each.says("allob")
                assert await each.hears("Observing ") == f"Observing {number} {names}"


def test_an_older_node_that_says_no_outcome_is_understood() -> None:
    """A table's end is told in a new field of the message that says how tables stand."""
    chess = registry.game("chess").settings()
    outcome = Outcome(0, Reason.TIME)
    listed = Listed(7, 1, 9, "chess", "over", chess, (), (), (), HouseRules(), (), (), outcome)
    said = json.loads(msgspec.json.encode(listed))
    assert msgspec.json.decode(json.dumps(said), type=ANY) == listed
    del said["outcome"]
    assert msgspec.json.decode(json.dumps(said), type=Listed).outcome is None


async def test_a_list_of_games_has_those_of_other_nodes(autojump_clock: MockClock) -> None:
    """Their positions are not heard there."""
    async with world() as here:
        one, two, three = await nodes(here)
        game = await challenged(await ChessServer(two).comes(), await ChessServer(two).comes())
        for member in (one, three):
            idle = await ChessServer(member).comes()
            await idle.says("games")
            await idle.hears(game.split()[1])
            await idle.hears("1 games displayed.")
