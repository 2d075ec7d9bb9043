"""PROXY headers on real sockets: who is let in by which address, who is hung up on, and what is left to be read."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import trio

from gateway.admission.connection_limiter import ConnectionLimiter
from gateway.config import BadSetting, Limits, parse_listener
from gateway.net.log_limiter import LogLimiter
from gateway.net.proxy_reader import PROXY_PROTOCOL, ProxyReader, TrustedProxies
from gateway.net.sockets import bound, take_in
from tests.net.proxy_headers import LOCAL, binary, line

HOST = "127.0.0.1"
CLIENT = ("203.0.113.9", 56324)
SHOWN = "miniature=127.0.0.1:5010"
PATIENCE_S = 20.0
SOON_S = 0.2
"""A limit that a test waits for; others are as long as its patience."""

HEADERS = [line("203.0.113.9"), binary("203.0.113.9"), binary("203.0.113.9", tlvs=bytes(600))]
SLOW_HEADERS = [line("203.0.113.9"), binary("203.0.113.9")]


@dataclass(slots=True)
class Entrance:
    """A listening socket behind proxies. ``entered`` gets each socket that is let in, with its address."""

    port: int
    limits: ConnectionLimiter
    refused: list[tuple[str, str, str]] = field(default_factory=list)
    entered: list[tuple[socket.socket, Any]] = field(default_factory=list)

    def enter(self, sock: socket.socket, address: Any) -> bool:
        self.entered.append((sock, address))
        return True

    async def let_in(self, count: int = 1) -> tuple[trio.SocketStream, Any]:
        """The last of the connections that came in, once there are so many."""
        await until(lambda: len(self.entered) == count)
        sock, address = self.entered[-1]
        return trio.SocketStream(trio.socket.from_stdlib_socket(sock)), address[:2]

    async def dial(self) -> trio.SocketStream:
        return await trio.open_tcp_stream(HOST, self.port)


async def until(reached: Any) -> None:
    with trio.fail_after(PATIENCE_S):
        while not reached():  # noqa: ASYNC110  # sockets set no events
            await trio.sleep(0.005)


@asynccontextmanager
async def entrance(
    trusted: str = "127.0.0.0/8", within_s: float = PATIENCE_S, connections: int = 100
) -> AsyncIterator[Entrance]:
    limits = ConnectionLimiter(Limits(connections=connections), spare=0)
    sock = bound(HOST, 0)
    here = Entrance(sock.getsockname()[1], limits)
    reader = ProxyReader(TrustedProxies(trusted), limits, within_s, lambda *told: here.refused.append(told))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(take_in, sock, SHOWN, reader.before(here.enter, nursery, SHOWN), LogLimiter())
        yield here
        nursery.cancel_scope.cancel()
    for accepted, _ in here.entered:
        accepted.close()


async def all_of(stream: trio.SocketStream, count: int) -> bytes:
    """So many bytes, or what came until the end."""
    found = b""
    with trio.fail_after(PATIENCE_S):
        while len(found) < count and (data := await stream.receive_some(4096)):
            found += data
    return found


async def hung_up_on(stream: trio.SocketStream) -> None:
    """Wait until the other end has closed, without a word."""
    with trio.fail_after(PATIENCE_S), contextlib.suppress(trio.BrokenResourceError):  # or with bytes unread
        assert await stream.receive_some(1) == b""


@pytest.mark.parametrize("header", HEADERS)
async def test_a_client_is_let_in_by_the_address_in_the_header_and_its_words_are_left(header: bytes) -> None:
    async with entrance() as here, await here.dial() as proxy:
        await proxy.send_all(header + b"PROXY first words\r\n")
        client, address = await here.let_in()
        assert address == CLIENT
        assert await all_of(client, 19) == b"PROXY first words\r\n"
        assert (here.limits.inside, here.refused) == (0, [])


@pytest.mark.parametrize("header", SLOW_HEADERS)
async def test_a_header_may_come_byte_by_byte_and_its_last_byte_with_the_clients_first(header: bytes) -> None:
    async with entrance() as here, await here.dial() as proxy:
        proxy.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(len(header) - 1):
            await proxy.send_all(header[at : at + 1])
            await trio.sleep(0.001)
        await until(lambda: here.limits.inside == 1)
        assert not here.entered
        await proxy.send_all(header[-1:] + b"first")
        client, address = await here.let_in()
        assert address == CLIENT
        await proxy.send_all(b" words")
        assert await all_of(client, 11) == b"first words"
        assert here.limits.inside == 0


@pytest.mark.parametrize("header", [LOCAL, b"PROXY UNKNOWN\r\n"])
async def test_a_connection_of_the_proxys_own_comes_from_the_proxy(header: bytes) -> None:
    async with entrance() as here, await here.dial() as proxy:
        await proxy.send_all(header)
        _, address = await here.let_in()
        assert address == proxy.socket.getsockname()


async def test_who_is_no_trusted_proxy_is_hung_up_on_before_a_word() -> None:
    async with entrance(trusted="10.0.0.0/8 127.0.0.2") as here, await here.dial() as stranger:
        await hung_up_on(stranger)
        assert here.refused == [(SHOWN, HOST, "not one of server.trusted_proxies")]
        assert here.limits.inside == 0


async def test_a_wrong_header_is_hung_up_on_at_once_and_later() -> None:
    async with entrance() as here:
        async with await here.dial() as hasty:
            await hasty.send_all(b"GET / HTTP/1.1\r\n\r\n")
            await hung_up_on(hasty)
        async with await here.dial() as slow:
            await slow.send_all(b"PRO")
            await until(lambda: here.limits.inside == 1)
            await slow.send_all(b"FILE")
            await hung_up_on(slow)
        assert [(at, host) for at, host, _ in here.refused] == [(SHOWN, HOST)] * 2
        assert all(why.startswith("no PROXY header: ") for _, _, why in here.refused)
        assert (here.entered, here.limits.inside) == ([], 0)


async def test_a_header_that_does_not_come_in_time_is_not_waited_for() -> None:
    async with entrance(within_s=SOON_S) as here, await here.dial() as silent, await here.dial() as slow:
        await slow.send_all(binary("203.0.113.9")[:20])
        await hung_up_on(silent)
        await hung_up_on(slow)
        assert [why for _, _, why in here.refused] == ["took more than 0.2 s"] * 2
        assert here.limits.inside == 0


async def test_a_proxy_that_closes_inside_its_header_is_uncounted() -> None:
    async with entrance() as here:
        async with await here.dial() as proxy:
            await proxy.send_all(b"PROXY TCP4 ")
            await until(lambda: here.limits.inside == 1)
        await until(lambda: here.refused)
        assert here.refused[0][2] == "closed before its PROXY header was complete"
        assert here.limits.inside == 0


async def test_half_headers_take_the_places_of_connections() -> None:
    """Two places: two who send half a header have both, the third is hung up on; a whole header gives one back."""
    async with (
        entrance(connections=2) as here,
        await here.dial() as first,
        await here.dial() as second,
        await here.dial() as third,
    ):
        for proxy in (first, second):
            await proxy.send_all(b"PROXY")
        await until(lambda: here.limits.inside == 2 and here.refused)
        await hung_up_on(third)
        assert here.refused == [(SHOWN, HOST, "no place to wait for its header")]
        await first.send_all(line("203.0.113.9").removeprefix(b"PROXY"))
        assert (await here.let_in())[1] == CLIENT
        assert here.limits.inside == 1


async def test_half_headers_end_with_the_server() -> None:
    async with entrance() as here:
        proxy = await here.dial()
        await proxy.send_all(b"PROXY ")
        await until(lambda: here.limits.inside == 1)
    async with proxy:
        await hung_up_on(proxy)
    assert (here.limits.inside, here.entered) == (0, [])


def test_a_ban_or_a_crowd_at_the_proxys_address_does_not_shut_its_clients_out() -> None:
    limits = ConnectionLimiter(Limits(connections_per_address=1), banned=lambda address: "no")
    assert [limits.take_unnamed(), limits.take_unnamed()] == [True, True]
    assert not limits.take(HOST)


@pytest.mark.parametrize("host", ["127.9.9.9", "::ffff:127.0.0.1", "::1", "fe80::7%eth0"])
def test_trusted_networks_hold_addresses_in_every_form(host: str) -> None:
    assert host in TrustedProxies("127.0.0.0/8 ::1 fe80::/64")
    assert host not in TrustedProxies("10.0.0.0/8 2001:db8::/32")


@pytest.mark.parametrize("written", ["localhost", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.1,10.0.0.2"])
def test_what_is_no_network_is_refused_with_its_setting(written: str) -> None:
    with pytest.raises(BadSetting, match=r"\[server\] trusted_proxies: "):
        TrustedProxies(written)


def test_a_listener_says_whether_it_is_behind_proxies() -> None:
    written = ("", ",proxy_protocol=no", ",proxy_protocol=yes")
    assert [parse_listener(f"x=127.0.0.1:0{one}").switch(PROXY_PROTOCOL) for one in written] == [False, False, True]
    with pytest.raises(BadSetting, match="proxy_protocol is yes or no, not 'v2'"):
        parse_listener("x=127.0.0.1:0,proxy_protocol=v2").switch(PROXY_PROTOCOL)
