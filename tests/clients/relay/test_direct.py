"""Attempts at a direct connection between two ports of this machine."""

from __future__ import annotations

from contextlib import closing

import pytest
import trio

from clients.joining import Address
from clients.relay.certificate import context
from clients.relay.code import Code, new_code
from clients.relay.direct import MOST_AT_ONCE, Attempts, LocalPort

LOOPBACK = "127.0.0.1"
WITHIN_S = 5.0


def attempts(code: Code) -> tuple[Attempts, Attempts]:
    return tuple(Attempts(context(code, server=first), first=first) for first in (True, False))  # type: ignore[return-value]


def at(port: LocalPort) -> list[Address]:
    return [Address(LOOPBACK, port.port)]


async def close(*those: Attempts) -> None:
    for one in those:
        if one.found is not None:
            await trio.aclose_forcefully(one.found[0].transport_stream)


@pytest.mark.parametrize("callers", ["both", "first", "second"])
async def test_both_agree_on_one_connection_whoever_calls(callers: str) -> None:
    """Dial, and simultaneous open; `first` decides."""
    one, two = attempts(new_code("k7fq9x"))
    with closing(LocalPort()) as here, closing(LocalPort()) as there:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(one.run, here, at(there) if callers != "second" else [], WITHIN_S)
            nursery.start_soon(two.run, there, at(here) if callers != "first" else [], WITHIN_S)
    assert one.found is not None
    assert two.found is not None
    await one.found[0].send_all(b"e2e4")
    assert await two.found[0].receive_some(100) == b"e2e4"
    await close(one, two)


async def test_a_stranger_at_the_port_is_not_the_friend() -> None:
    one, _ = attempts(new_code("k7fq9x"))
    _, stranger = attempts(new_code("k7fq9x"))
    with closing(LocalPort()) as here, closing(LocalPort()) as there:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(one.run, here, [], 1.0)
            nursery.start_soon(stranger.run, there, at(here), 1.0)
    assert one.found is None
    assert stranger.found is None


async def test_strangers_do_not_keep_the_friend_away() -> None:
    """A silent caller is waited for, not for long, and beside the others."""
    one, two = attempts(new_code("k7fq9x"))
    with closing(LocalPort()) as here, closing(LocalPort()) as there:
        strangers = [await trio.open_tcp_stream(LOOPBACK, here.port) for _ in range(MOST_AT_ONCE - 1)]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(one.run, here, [], WITHIN_S)
            nursery.start_soon(two.run, there, at(here), WITHIN_S)
        assert one.found is not None
        assert two.found is not None
        for stranger in strangers:
            await stranger.aclose()
    await close(one, two)


async def test_nobody_there_is_found_out_in_time() -> None:
    one, _ = attempts(new_code("k7fq9x"))
    since = trio.current_time()
    with closing(LocalPort()) as here, closing(LocalPort()) as there:
        where = at(there)
        there.close()
        await one.run(here, where, 0.5)
    assert one.found is None
    assert trio.current_time() - since < 1.5


async def test_the_server_sees_the_port_that_listens() -> None:
    """Dialling from the same local port: the server observes the address that the other may call."""
    (listener,) = await trio.open_tcp_listeners(0, host=LOOPBACK)
    async with listener:
        with closing(LocalPort()) as here:
            line = await here.call(Address("localhost", listener.socket.getsockname()[1]))
            seen = await listener.accept()
            assert seen.socket.getpeername() == (LOOPBACK, here.port)
            assert here.addresses(line) == [Address(LOOPBACK, here.port)]
            await line.aclose()
            await seen.aclose()
