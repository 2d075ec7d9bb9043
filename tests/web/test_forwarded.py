"""HTTP behind a reverse proxy: who is asking, and how many connections the proxy may have."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from gateway.config import BadSetting, Limits, parse_listener
from gateway.web.app import Unbanned
from gateway.web.forwarded import Forwarded, ProxyLimiter, open_pages
from tests.web.serving import connect, everything, served


async def whose(request: Request) -> JSONResponse:
    """The address that the application sees."""
    return JSONResponse("nobody" if request.client is None else request.client.host)


APP = Starlette(routes=[Route("/", whose)])


async def seen(port: int, *headers: str) -> str:
    """The address of a request with these headers."""
    async with await connect(port) as stream:
        lines = "".join(f"{header}\r\n" for header in headers)
        await stream.send_all(f"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n{lines}\r\n".encode("latin-1"))
        answer = await everything(stream)
    return answer.rpartition(b"\r\n\r\n")[2].decode().strip('"')


@pytest.mark.parametrize(
    ("headers", "address"),
    [
        (["X-Forwarded-For: 203.0.113.9"], "203.0.113.9"),
        (["X-Forwarded-For: 198.51.100.1, 203.0.113.9"], "203.0.113.9"),
        (["X-Forwarded-For: 198.51.100.1", "X-Forwarded-For: 203.0.113.9"], "203.0.113.9"),
        (["X-Forwarded-For: 2001:DB8::0:1"], "2001:db8::1"),
        ([], "nobody"),
        (["X-Forwarded-For: "], "nobody"),
        (["X-Forwarded-For: a friend"], "nobody"),
        (["X-Forwarded-For: 203.0.113.9, \xff"], "nobody"),
    ],
)
async def test_the_address_the_nearest_proxy_has_seen_counts(headers: list[str], address: str) -> None:
    async with served(Forwarded(APP)) as port:
        assert await seen(port, *headers) == address


async def test_who_is_banned_is_refused_by_the_address_that_the_proxy_has_seen() -> None:
    def banned(host: str) -> str:
        return "you are banned here" if host == "203.0.113.9" else ""

    async with served(Forwarded(Unbanned(APP, banned))) as port:
        assert "you are banned here" in await seen(port, "X-Forwarded-For: 203.0.113.9")
        assert await seen(port, "X-Forwarded-For: 203.0.113.8") == "203.0.113.8"


async def test_a_ban_ends_what_an_older_connection_may_ask() -> None:
    bans: set[str] = set()

    def banned(host: str) -> str:
        return "you are banned here" if host in bans else ""

    async with served(Unbanned(APP, banned)) as port, await connect(port) as stream:
        await stream.send_all(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        answer = b""
        while b'"127.0.0.1"' not in answer:
            answer += await stream.receive_some()
        bans.add("127.0.0.1")
        await stream.send_all(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        assert (await stream.receive_some()).startswith(b"HTTP/1.1 403 ")


@pytest.mark.parametrize("chain", ["127.0.0.1", "198.51.100.9, 127.0.0.1", "127.0.0.1, 198.51.100.9"])
async def test_whoever_is_banned_cannot_forge_the_chain(chain: str) -> None:
    def banned(host: str) -> str:
        return "you are banned here" if host == "203.0.113.9" else ""

    async with served(Forwarded(Unbanned(APP, banned))) as port:
        assert "you are banned here" in await seen(port, f"X-Forwarded-For: {chain}, 203.0.113.9")
        forged = await seen(port, f"X-Forwarded-For: {chain}", "X-Forwarded-For: ::ffff:203.0.113.8")
        assert forged == "203.0.113.8"


async def test_without_a_proxy_the_header_is_anybodys_and_means_nothing() -> None:
    async with served(APP) as port:
        assert await seen(port, "X-Forwarded-For: 203.0.113.9") == "127.0.0.1"


async def test_a_proxy_may_have_every_connection_there_is() -> None:
    limits = Limits(connections=5, connections_per_address=1)
    async with served(Forwarded(APP), limits, ProxyLimiter(limits)) as port, AsyncExitStack() as held:
        for _ in range(limits.connections):
            stream = await held.enter_async_context(await connect(port))
            await stream.send_all(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
            assert (await stream.receive_some()).startswith(b"HTTP/1.1 200 ")
        async with await connect(port) as refused:
            assert (await everything(refused)).startswith(b"HTTP/1.1 503 ")


@pytest.mark.parametrize(("options", "proxied"), [("", False), (",proxy=no", False), (",proxy=yes", True)])
def test_a_listener_says_whether_it_is_for_a_proxy(options: str, proxied: bool) -> None:
    pages = open_pages(parse_listener(f"http=127.0.0.1:0{options}"))
    with pages.sock:
        assert pages.proxied is proxied


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("proxy=maybe", "proxy is yes or no"),
        ("colour=red", "http has no option 'colour'"),
        ("proxy=yes,proxy_protocol=yes", "proxy_protocol for a header: choose one"),
    ],
)
def test_anything_else_is_refused(options: str, said: str) -> None:
    with pytest.raises(BadSetting, match=said):
        open_pages(parse_listener(f"http=127.0.0.1:0,{options}"))
