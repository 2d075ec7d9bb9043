"""A game of chess between two GUIs whose hosts do not reach each other, by ``boardgate xboard --relay``."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio

from tests import peers
from tests.clients.xboard_process import SOON_S, Gui, running
from tests.conformance.relay_networks.networks import SERVER, Host, Street
from tests.conformance.relay_networks.programs import new_code
from tests.conformance.relay_networks.test_exchange import CUT_S, DIRECTLY, RELAYED, street

pytestmark = peers.needed

MOVES = """
e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 c4b5 b8d7
e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8
"""
"""Morphy against two in a box at the opera, Paris 1858: castling, and mate on move 17."""
GAME = MOVES.split()


@asynccontextmanager
async def two_guis(alice: Host, bob: Host, code: str) -> AsyncIterator[tuple[Gui, Gui]]:
    """Two GUIs that have introduced themselves to adapters with the same code."""
    options = (SERVER, "--relay", code, "--name")
    async with (
        running(*options, "alice", before=alice.prefix()) as white,
        running(*options, "bob", before=bob.prefix()) as black,
    ):
        for gui in (white, black):
            await gui.introduce()
        yield white, black


async def play(white: Gui, black: Gui, moves: list[str], at: int = 0) -> None:
    """Both users play these moves in turn, from ply ``at`` on; each is shown to the other."""
    for ply, move in enumerate(moves, at):
        mover, waiter = (white, black) if ply % 2 == 0 else (black, white)
        await mover.sends(f"usermove {move}")
        await waiter.until(f"move {move}")


async def begin(white: Gui, black: Gui) -> None:
    await black.shows('feature myname="alice"')
    await white.shows('feature myname="bob"')
    await black.sends("go")
    await white.until("wants to play Black")


@pytest.mark.parametrize(
    ("network", "words"),
    [
        ("apart", RELAYED),
        ("behind_routers", DIRECTLY),
        pytest.param("in_the_open", DIRECTLY, marks=pytest.mark.nightly),
    ],
)
async def test_a_whole_game_is_played(network: str, words: str, request: pytest.FixtureRequest) -> None:
    """A chess-p2p game between two `boardgate xboard` adapters goes through; with the NATs removed the same commands go
    direct."""
    there = street(network, request)
    async with two_guis(there.alice, there.bob, new_code(there.alice)) as (white, black):
        await begin(white, black)
        for gui in (white, black):
            await gui.shows(words[1:])  # it begins with a capital where it is a window of its own
        await play(white, black, GAME)
        for gui in (white, black):
            await gui.sends("result 1-0 {White mates}")
        await white.sends("quit")
        assert await white.ends() < SOON_S
        await black.shows("alice has left")


@pytest.mark.parametrize("how", [pytest.param("down", marks=pytest.mark.nightly), "reset"])
async def test_a_game_goes_on_when_a_link_was_cut_for_five_seconds(apart: Street, how: str) -> None:
    """The link of either host cut for five seconds: nothing lost or doubled."""
    async with two_guis(apart.alice, apart.bob, new_code(apart.bob)) as (white, black):
        await begin(white, black)
        await play(white, black, GAME[:14])
        apart.alice.cut_off(how)
        await white.sends(f"usermove {GAME[14]}")
        await trio.sleep(CUT_S)
        apart.alice.mend(how)
        await black.until(f"move {GAME[14]}")
        await play(white, black, GAME[15:], 15)
        shown = [line.split()[1] for gui in (white, black) for line in gui.lines if line.startswith("move ")]
        assert sorted(shown) == sorted(GAME)
