"""``boardgate xboard --relay CODE``: two adapters that meet at a server by a code and need nothing else of it."""

from __future__ import annotations

from clients.relay.code import new_code
from tests.clients.relay.relay_server import line_to, relay_server
from tests.clients.xboard_process import SOON_S, Gui, running


async def meet(white: Gui, black: Gui) -> None:
    for gui in (white, black):
        await gui.introduce()
    await black.shows('feature myname="alice"')
    await white.shows('feature myname="bob"')
    await black.sends("go")
    await white.until("wants to play Black")


async def moves(mover: Gui, waiter: Gui, move: str) -> None:
    await mover.sends(f"usermove {move}")
    await waiter.until(f"move {move}")


async def test_two_guis_with_one_code_play() -> None:
    async with relay_server() as here:
        options = (str(here.address), "--relay", str(new_code(here.room())), "--name")
        async with running(*options, "alice") as white, running(*options, "bob") as black:
            await meet(white, black)
            await white.shows("onnected directly to 127.0.0.1:")
            await moves(white, black, "e2e4")
            await moves(black, white, "e7e5")
            await white.sends("quit")
            assert await white.ends() < SOON_S
            await black.until("alice has left")


async def test_a_line_that_breaks_is_a_pause_for_both_users_and_no_move_is_lost() -> None:
    async with relay_server() as here, line_to(here.address) as (line, address):
        options = (str(address), "--no-direct", "--relay", str(new_code(here.room())), "--name")
        async with running(*options, "alice") as white, running(*options, "bob") as black:
            await meet(white, black)
            await moves(white, black, "e2e4")
            line.open = False
            line.cut()
            await black.sends("usermove e7e5")
            await white.shows("onnection lost, trying again")
            line.open = True
            await white.until("move e7e5")
            await moves(white, black, "g1f3")


async def test_a_code_that_there_is_not_is_told_and_the_gui_stays_usable() -> None:
    async with relay_server() as here, running(str(here.address), "--relay", str(new_code("23456789"))) as gui:
        await gui.introduce()
        await gui.shows("there is no such code; it may have expired")
        await gui.sends("option Connect", "rejected x", "ping 7")
        await gui.shows("This end meets the other by a code")
        await gui.shows("pong 7")
        await gui.sends("quit")
        assert await gui.ends() < SOON_S


async def test_it_exits_within_a_second_of_quit_though_nobody_has_come() -> None:
    async with relay_server() as here, running(str(here.address), "--relay", str(new_code(here.room()))) as gui:
        await gui.introduce()
        await gui.shows("Waiting for the other side")
        await gui.sends("quit")
        assert await gui.ends() < SOON_S


async def test_a_friend_who_vanishes_is_told() -> None:
    async with relay_server() as here:
        options = (str(here.address), "--relay", str(new_code(here.room())), "--name")
        async with running(*options, "alice") as white:
            async with running(*options, "bob") as black:
                await meet(white, black)
                await moves(white, black, "e2e4")
            await white.shows("onnection lost, trying again")
