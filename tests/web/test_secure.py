"""HTTP over TLS gives the same answers behind the guard, and broken bytes affect only their connection."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import ClassVar

import pytest
import trio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from gateway.config import Limits, parse_listener
from gateway.net.log_limiter import LogLimiter
from gateway.web import guard
from gateway.web.forwarded import open_pages
from gateway.web.limiters import HttpLimiter, WebLimiter
from tests.certificates import Authority

ASK = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

Client = trio.SSLStream[trio.SocketStream]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    found = Authority(tmp_path_factory.mktemp("club"))
    found.issues("localhost")
    return found


async def _how(request: Request) -> PlainTextResponse:
    return PlainTextResponse(f"by {request.url.scheme}")


@asynccontextmanager
async def served(club: Authority, limiter: WebLimiter | None = None) -> AsyncIterator[int]:
    """The port of a guard that says how it is asked."""
    page = open_pages(parse_listener(f"http=127.0.0.1:0,{club.options()}"))
    app = Starlette(routes=[Route("/", _how)])
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(guard.serve, [page], app, limits=Limits(), lines=LogLimiter(), limiter=limiter))
            yield page.shown.port
            nursery.cancel_scope.cancel()


async def dial(club: Authority, port: int) -> Client:
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    return trio.SSLStream(stream, club.trust, server_hostname="localhost", https_compatible=True)


async def answered(client: Client, word: bytes) -> bytes:
    """Ask, and what is answered up to this word."""
    await client.send_all(ASK)
    found = b""
    while word not in found:
        data = await client.receive_some(65536)
        assert data, found
        found += data
    return found


async def until_hung_up(client: Client) -> None:
    """Read until the connection is closed or reset."""
    with contextlib.suppress(trio.BrokenResourceError):
        while await client.receive_some():
            pass


async def test_one_connection_carries_many_requests_and_the_application_knows_that_it_is_encrypted(
    club: Authority,
) -> None:
    async with served(club) as port, await dial(club, port) as client:
        for _ in range(3):
            assert (await answered(client, b"by https")).startswith(b"HTTP/1.1 200")


async def test_a_connection_that_is_broken_after_the_handshake_ends_alone(club: Authority) -> None:
    async with served(club) as port, await dial(club, port) as other:
        await answered(other, b"by https")
        async with await dial(club, port) as broken:
            await answered(broken, b"by https")
            await broken.transport_stream.send_all(b"\x17\x03\x03\x00\x20" + b"x" * 32)
            await until_hung_up(broken)
        assert b"by https" in await answered(other, b"by https")


async def test_whoever_does_not_come_to_tls_is_hung_up_on_and_reported(club: Authority) -> None:
    class Reported(HttpLimiter):
        """Keeps who did not."""

        said: ClassVar[list[tuple[str, str]]] = []

        def no_tls(self, listener: str, address: str, why: str) -> None:
            self.said.append((address, why))

    async with served(club, Reported(Limits())) as port, await dial(club, port) as other:
        await answered(other, b"by https")
        async with await trio.open_tcp_stream("127.0.0.1", port) as stranger:
            await stranger.send_all(ASK)
            with contextlib.suppress(trio.BrokenResourceError):
                while await stranger.receive_some():
                    pass
        ((address, why),) = Reported.said
        assert address == "127.0.0.1"
        assert "http request" in why.lower().replace("_", " ")
        assert b"by https" in await answered(other, b"by https")


async def test_there_is_no_place_for_more_and_who_is_turned_away_is_hung_up_on(club: Authority) -> None:
    limiter = HttpLimiter(Limits(connections_per_address=1))
    async with served(club, limiter) as port, await dial(club, port) as first:
        await answered(first, b"by https")
        async with await dial(club, port) as second:
            with pytest.raises(trio.BrokenResourceError):
                await second.do_handshake()
        await first.aclose()
        while not limiter.take("127.0.0.1"):  # noqa: ASYNC110  # no event is set for it
            await trio.sleep(0.01)


async def test_browsers_are_told_to_ask_over_tls_alone_where_nothing_else_is_spoken(club: Authority) -> None:
    """RFC 6797, section 7.1: "an HSTS Host ... MUST include in the response message an STS header field" """
    async with served(club) as port:
        client = await dial(club, port)
        assert b"strict-transport-security: max-age=15552000\r\n" in await answered(client, b"by https")
        await client.aclose()


async def test_a_host_that_speaks_plain_http_too_does_not_forbid_it(club: Authority) -> None:
    """It counts for all ports of a host: a browser would not find the other listener any more."""
    both = [open_pages(parse_listener(f"http=127.0.0.1:0{options}")) for options in (f",{club.options()}", "")]
    app = Starlette(routes=[Route("/", _how)])
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(guard.serve, both, app, limits=Limits(), lines=LogLimiter()))
            client = await dial(club, both[0].shown.port)
            assert b"strict-transport-security" not in await answered(client, b"by https")
            await client.aclose()
            nursery.cancel_scope.cancel()
