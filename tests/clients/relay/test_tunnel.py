"""Two helpers join programs through a real relay, and tell their users how they are connected."""

from __future__ import annotations

import random

import pytest
import trio

from clients.joining import Address
from clients.relay.code import new_code
from clients.relay.tunnel import Patience
from tests.clients.relay.relay_server import LOOPBACK, line_to, relay_server
from tests.clients.relay.two import PATIENCE_S, Helper, exchange, running

MILLION = 1_000_000
PLAIN = b"a move that only the two of them know\n"


def two_random(seed: int) -> tuple[bytes, bytes]:
    chance = random.Random(seed)
    return chance.randbytes(MILLION), chance.randbytes(MILLION)


@pytest.mark.parametrize(
    ("direct", "words"), [(False, "connected through the relay at"), (True, "connected directly to")]
)
async def test_a_million_bytes_each_way_and_both_ends_of_them(direct: bool, words: str) -> None:
    """Try a direct connection first, and fall back to the relay, telling the user which it became."""
    async with relay_server() as here:
        code = new_code(here.room())
        helpers = Helper(code, here.address, direct=direct), Helper(code, here.address, direct=direct)
        async with running(*helpers):
            said = two_random(1)
            heard = await exchange(*helpers, said)
            assert heard == (said[1], said[0])
            for helper in helpers:
                await helper.ends()
                assert helper.told[0] == "waiting for the other side"
                assert helper.told[1].startswith(f"{words} {LOOPBACK}:")
                assert len(helper.told) == 2
    assert helpers[0].tunnel.first is not helpers[1].tunnel.first


async def test_one_that_wants_no_direct_connection_is_enough_for_the_relay() -> None:
    async with relay_server() as here:
        code = new_code(here.room())
        helpers = Helper(code, here.address, direct=True), Helper(code, here.address, direct=False)
        async with running(*helpers):
            assert await exchange(*helpers, (b"1", b"2")) == (b"2", b"1")
            assert all("through the relay" in helper.told[-1] for helper in helpers)


async def test_the_server_cannot_read_what_it_relays_and_never_gets_the_secret() -> None:
    """End-to-end encrypted between the helpers, keyed by the code, so that the server relays what it cannot read."""
    async with relay_server() as here, line_to(here.address) as (line, address):
        code = new_code(here.room())
        helpers = Helper(code, address), Helper(code, address)
        async with running(*helpers):
            await exchange(*helpers, (PLAIN * 1000, PLAIN * 1000))
            for helper in helpers:
                await helper.ends()
    assert len(line.seen) > 2000 * len(PLAIN)
    assert b"MEET " + code.room.encode() in line.seen
    assert PLAIN[:8] not in line.seen
    assert code.secret.encode() not in line.seen


async def test_who_has_another_secret_is_not_talked_to() -> None:
    async with relay_server() as here:
        room = here.room()
        helpers = Helper(new_code(room), here.address), Helper(new_code(room), here.address)
        async with running(*helpers):
            assert [await helper.fails() for helper in helpers] == [
                "the other side has another secret: compare your codes, symbol by symbol"
            ] * 2


async def test_a_third_is_turned_away() -> None:
    """A third is answered `NO this code is in use by two others`."""
    async with relay_server() as here:
        code = new_code(here.room())
        helpers = [Helper(code, here.address) for _ in range(3)]
        async with running(*helpers[:2]):
            await helpers[0].is_told("through the relay")
            async with running(helpers[2]):
                assert await helpers[2].fails() == "this code is in use by two others"


async def test_a_room_that_there_is_not_is_said_at_once() -> None:
    async with relay_server() as here:
        helper = Helper(new_code("23456789"), here.address)
        async with running(helper):
            assert await helper.fails() == "there is no such code; it may have expired"
        assert helper.told == []


@pytest.mark.parametrize("cuts", [1, 5])
async def test_a_line_that_breaks_loses_and_doubles_nothing(cuts: int) -> None:
    """Reconnect and resume without a lost or doubled byte when the network drops for less than the grace."""
    async with relay_server() as here, line_to(here.address) as (line, address):
        code, said = new_code(here.room()), two_random(2)
        helpers = Helper(code, address), Helper(code, here.address)
        async with running(*helpers) as nursery:

            async def cut() -> None:
                for times in range(1, cuts + 1):
                    await helpers[0].is_told("through the relay", times)
                    await trio.sleep(0.05)
                    line.cut()

            nursery.start_soon(cut)
            heard = await exchange(*helpers, said, pause=cuts / 500)
            assert heard == (said[1], said[0])
            for helper in helpers:
                await helper.ends()
                assert helper.told.count("connection lost, trying again") >= cuts


async def test_a_direct_connection_outlives_the_server() -> None:
    """Only a helper that has lost the other one needs the server again."""
    async with relay_server() as here, line_to(here.address) as (line, address):
        code = new_code(here.room())
        helpers = Helper(code, address, direct=True), Helper(code, address, direct=True)
        async with running(*helpers):
            for helper in helpers:
                await helper.is_told("connected directly to")
            line.open = False
            line.cut()
            await trio.sleep(1.5)  # three times what the doubt lasts here
            assert await exchange(*helpers, (b"1", b"2")) == (b"2", b"1")
            for helper in helpers:
                await helper.ends()
                assert len(helper.told) == 2


async def test_a_line_that_falls_silent_is_noticed_and_taken_up_again() -> None:
    async with relay_server() as here, line_to(here.address) as (line, address):
        code = new_code(here.room())
        helpers = Helper(code, address), Helper(code, here.address)
        async with running(*helpers):
            await helpers[1].program.send_all(b"before")
            assert await helpers[0].program.receive_some(100) == b"before"
            line.passing = False
            await helpers[0].program.send_all(b"into the void")
            await helpers[1].program.send_all(b"likewise")
            await helpers[0].is_told("connection lost, trying again")
            line.passing = True
            assert await helpers[1].program.receive_some(100) == b"into the void"
            assert await helpers[0].program.receive_some(100) == b"likewise"


async def test_a_quiet_pair_stays_connected() -> None:
    """Silence of both programs is no silence of the line."""
    async with relay_server() as here:
        code = new_code(here.room())
        helpers = Helper(code, here.address), Helper(code, here.address)
        async with running(*helpers):
            for helper in helpers:
                await helper.is_told("through the relay")
            await trio.sleep(2.5)  # twice and a half the silence that counts as a lost connection here
            assert await exchange(*helpers, (b"1", b"2")) == (b"2", b"1")
            assert [len(helper.told) for helper in helpers] == [2, 2]


async def test_a_program_that_does_not_read_is_waited_for_while_the_connection_lives_on() -> None:
    """Back-pressure instead of memory: bytes that the program does not take are not received."""
    async with relay_server() as here:
        code, said = new_code(here.room()), random.Random(3).randbytes(8 * MILLION)
        fast, slow = Helper(code, here.address), Helper(code, here.address)
        async with running(fast, slow) as nursery:
            sent = 0

            async def say() -> None:
                nonlocal sent
                for at in range(0, len(said), 65536):
                    await fast.program.send_all(said[at : at + 65536])
                    sent += 65536
                await fast.program.send_eof()

            nursery.start_soon(say)
            await trio.sleep(2.5)
            assert sent < len(said) / 2
            assert len(fast.told) == 2, "still the first connection"
            assert await slow.hears_all() == said
            await slow.says(b"")
            await fast.ends()


async def test_a_connection_that_does_not_come_back_is_given_up_after_the_grace() -> None:
    async with relay_server() as here, line_to(here.address) as (line, address):
        code = new_code(here.room())
        patience = Patience(grace_s=1, silence_s=1, ping_s=0.3)
        helpers = [Helper(code, address, patience=patience) for _ in range(2)]
        async with running(*helpers):
            await helpers[0].is_told("through the relay")
            line.open = False
            line.cut()
            assert (await helpers[0].fails()).startswith("no connection for 1 s, given up: ")
            assert line.calls > 3, "it has tried"
            assert await helpers[0].hears_all() == b""


async def test_who_has_waited_longer_than_the_grace_still_comes_back_from_a_lost_line() -> None:
    """A friend may come late: the grace counts from when the server was there last."""
    async with relay_server() as here, line_to(here.address) as (line, address):
        code, patience = new_code(here.room()), Patience(grace_s=1, silence_s=1, ping_s=0.3)
        helpers = [Helper(code, address, patience=patience) for _ in range(2)]
        async with running(helpers[0]):
            await helpers[0].is_told("waiting for the other side")
            await trio.sleep(1.5)
            line.cut()
            async with running(helpers[1]):
                assert await exchange(helpers[0], helpers[1], (b"1", b"2")) == (b"2", b"1")


async def test_the_last_words_of_a_helper_that_leaves_reach_the_other_program() -> None:
    async with relay_server() as here:
        code = new_code(here.room())
        helpers = Helper(code, here.address), Helper(code, here.address)
        async with running(*helpers):
            await helpers[0].says(b"resign\n")
            await helpers[0].is_told("through the relay")
            with trio.fail_after(PATIENCE_S):
                await helpers[0].tunnel.said()
            await helpers[0].tunnel.leave()
            assert await helpers[1].hears_all() == b"resign\n"
            assert await helpers[1].fails() == "the other side has left"


async def test_a_helper_that_leaves_tells_the_other_and_its_program_gets_the_end() -> None:
    async with relay_server() as here:
        code = new_code(here.room())
        helpers = Helper(code, here.address), Helper(code, here.address)
        async with running(*helpers):
            await helpers[0].is_told("through the relay")
            await helpers[0].tunnel.leave()
            assert await helpers[1].fails() == "the other side has left"
            assert await helpers[1].hears_all() == b""


async def test_a_program_that_is_gone_ends_the_other_ones_stream() -> None:
    async with relay_server() as here:
        code = new_code(here.room())
        talks, gone = Helper(code, here.address), Helper(code, here.address)
        async with running(talks, gone):
            await gone.is_told("through the relay")
            await gone.program.aclose()
            await talks.program.send_all(b"is anybody there?")
            assert await talks.hears_all() == b""
            await talks.ends()
            await gone.ends()


async def test_where_no_relay_is_that_is_said_at_once() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host=LOOPBACK)
    where = Address(LOOPBACK, listener.socket.getsockname()[1])
    await listener.aclose()
    helper = Helper(new_code("23456789"), where)
    async with running(helper):
        assert await helper.fails() == f"no relay answers at {where}: Connection refused"


async def test_what_is_no_relay_is_called_so() -> None:
    async def answer(stream: trio.SocketStream) -> None:
        await stream.send_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    listeners = await trio.open_tcp_listeners(0, host=LOOPBACK)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, answer, listeners)
        helper = Helper(new_code("23456789"), Address(LOOPBACK, listeners[0].socket.getsockname()[1]))
        async with running(helper):
            assert await helper.fails() == "this is no Boardgate relay: it says 'HTTP/1.1 400 Bad Request'"
        nursery.cancel_scope.cancel()
