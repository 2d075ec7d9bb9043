"""Short answers over HTTP and HTTPS: what is read, what is not called, and what is no answer."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import pytest
import trio
import trustme

from gateway.net.asking import Address, Answer, BadAddress, NoAnswer
from gateway.openid import fetching
from gateway.openid.fetching import Fetcher, check_address


@asynccontextmanager
async def answering(said: bytes, heard: list[bytes], tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """A server that says this, gives what it heard, and hangs up; its port."""

    async def serve(stream: trio.abc.Stream) -> None:
        with suppress(trio.BrokenResourceError):  # who does not trust it hangs up
            async with stream:
                heard.append(bytes(await stream.receive_some(65_536)))
                if said:
                    await stream.send_all(said)
                else:
                    await trio.sleep_forever()

    listener: Any = (await trio.open_tcp_listeners(0, host="127.0.0.1"))[0]
    port: int = listener.socket.getsockname()[1]
    if tls is not None:
        listener = trio.SSLListener(listener, tls)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(trio.serve_listeners, serve, [listener]))
        yield port
        nursery.cancel_scope.cancel()


async def test_an_answer_is_read_whole() -> None:
    heard: list[bytes] = []
    said = b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n'
    async with answering(said, heard) as port:
        address = f"http://127.0.0.1:{port}/path?x=1"
        assert await Fetcher()(address, {"Authorization": "Bearer x"}) == Answer(200, b'{"a":1}')
        await Fetcher()(address, form=b"a=b")
    assert heard[0].startswith(b"GET /path?x=1 HTTP/1.1\r\n")
    assert f"host: 127.0.0.1:{port}".encode() in heard[0].lower()
    assert b"authorization: Bearer x" in heard[0].replace(b"A", b"a")
    assert heard[1].startswith(b"POST /path?x=1 HTTP/1.1\r\n")
    assert heard[1].endswith(b"\r\n\r\na=b")


async def test_a_certificate_has_to_be_of_the_host_and_trusted() -> None:
    authority = trustme.CA()
    server, client = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH), ssl.create_default_context()
    authority.issue_cert("127.0.0.1").configure_cert(server)
    authority.configure_trust(client)
    async with answering(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", [], server) as port:
        assert await Fetcher(client)(f"https://127.0.0.1:{port}/") == Answer(200, b"{}")
        with pytest.raises(NoAnswer, match=r"(?i)certificate"):
            await Fetcher()(f"https://127.0.0.1:{port}/")
        with pytest.raises(NoAnswer, match=r"(?i)certificate"):
            await Fetcher(client)(f"https://localhost:{port}/")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"SSH-2.0-x\r\n\r\n", "127.0.0.1"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", "127.0.0.1"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" + b"x" * 300_000, "more than 262,144 bytes"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 40_000 + b"\r\n\r\n", "127.0.0.1"),
    ],
)
async def test_what_is_no_short_answer_of_http_is_none(said: bytes, why: str) -> None:
    async with answering(said, []) as port:
        with pytest.raises(NoAnswer, match=why):
            await Fetcher()(f"http://127.0.0.1:{port}/")


async def test_who_cannot_be_called_is_named_with_the_reason() -> None:
    async with answering(b"", []) as port:
        pass
    with pytest.raises(NoAnswer, match=r"^127\.0\.0\.1: \[Errno \d+\] .*Connection refused$"):
        await Fetcher()(f"http://127.0.0.1:{port}/")


async def test_who_says_nothing_is_waited_for_not_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "TIMEOUT_S", 0.1)
    async with answering(b"", []) as port:
        with pytest.raises(NoAnswer, match="did not answer within"):
            await Fetcher()(f"http://127.0.0.1:{port}/")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "http://login.example.org",
        "ftp://login.example.org",
        "https://",
        "https://a@login.example.org",
        "https://login.example.org/#x",
        "https://login.example.org/a b",
        "https://login.example.org/\r\nX: y",
        "https://[::1",
        "https://login.example.org:port",
        "https://lögin.example.org",
        "http://localhost.example.org",
        "https://x/" + "y" * 2000,
    ],
)
async def test_such_an_address_is_not_called(address: str) -> None:
    with pytest.raises(BadAddress):
        await Fetcher()(address)


def test_addresses_of_https_and_of_this_machine_are() -> None:
    assert check_address("https://login.example.org/realms/x?y=1") == Address(
        True, "login.example.org", 443, "/realms/x?y=1"
    )
    assert check_address("http://localhost:9400") == Address(False, "localhost", 9400, "/")
    assert check_address("http://127.0.0.1") == Address(False, "127.0.0.1", 80, "/")
    assert check_address("http://[::1]:1") == Address(False, "::1", 1, "/")
