"""An address that a stranger gave is called only where it is a push service's, and what it answers is bounded."""

from __future__ import annotations

import ssl
from contextlib import suppress
from pathlib import Path

import pytest
import trio

from gateway.net.asking import Address, BadAddress, NoAnswer
from gateway.push import posting
from gateway.push.posting import post, read_address
from tests.certificates import Authority

TRUST = ssl.create_default_context()


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "x",
            "ftp://a.example/",
            "http://a.example/",
            "https://a.example:8443/",
            "https:///x",
            "https://u@a.example/",
        ),
        *(
            "https://a.example:99999/",
            "https://[::1/",
            "https://a.example/ x",
            "https://a.example/\r\nX: y",
            "https://ä/",
        ),
        "https://a.example/" + "x" * 1000,
    ],
)
def test_what_is_no_address_of_a_push_service_is_refused(text: str) -> None:
    with pytest.raises(BadAddress):
        read_address(text, private=False)


def test_an_address_is_taken_apart() -> None:
    found = read_address("https://push.example/a/b?c=d", private=False)
    assert found == Address(True, "push.example", 443, "/a/b?c=d")
    assert found.origin == "https://push.example"
    assert read_address("http://127.0.0.1:81", private=True) == Address(False, "127.0.0.1", 81, "/")
    assert read_address("http://[::1]:81/", private=True).origin == "http://[::1]:81"


@pytest.mark.parametrize(
    "host",
    [
        *(
            "127.0.0.1",
            "10.1.2.3",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "::1",
            "fe80::1",
        ),
        *("fd00::1", "::ffff:127.0.0.1", "2002:7f00:1::1", "ff02::1", "localhost"),
    ],
)
async def test_a_host_in_a_private_network_is_not_called(host: str) -> None:
    with pytest.raises((BadAddress, NoAnswer)) as refused:
        await post(Address(True, host, 443, "/"), {}, b"", TRUST, private=False)
    assert refused.type is BadAddress


@pytest.mark.parametrize(
    ("said", "status", "retry_s"),
    [
        (b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n", 201, 0.0),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 429 Slow\r\nRetry-After: 120\r\n\r\n", 429, 120.0),
        (b"HTTP/1.1 503 No\r\nRetry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n\r\n", 503, 0.0),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n", 302, 0.0),
    ],
)
async def test_the_status_of_an_answer_is_read(said: bytes, status: int, retry_s: float) -> None:
    async def serve(stream: trio.SocketStream) -> None:
        received = b""
        while not received.endswith(b"\r\n\r\nbody"):
            received += bytes(await stream.receive_some())
        assert received.startswith(b"POST /x HTTP/1.1\r\nHost: 127.0.0.1:")
        await stream.send_all(said)

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_tcp, serve, 0)
        port = listeners[0].socket.getsockname()[1]
        answer = await post(Address(False, "127.0.0.1", port, "/x"), {"TTL": "5"}, b"body", TRUST, private=True)
        assert (answer.status, answer.retry_after_s) == (status, retry_s)
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("said", [b"", b"SSH-2.0-x\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: " + b"y" * 70_000])
async def test_what_does_not_answer_as_http_does_is_no_answer(said: bytes) -> None:
    async def serve(stream: trio.SocketStream) -> None:
        await stream.receive_some()
        with suppress(trio.BrokenResourceError):
            await stream.send_all(said)

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_tcp, serve, 0)
        port = listeners[0].socket.getsockname()[1]
        with pytest.raises(NoAnswer):
            await post(Address(False, "127.0.0.1", port, "/"), {}, b"", TRUST, private=True)
        nursery.cancel_scope.cancel()


async def test_a_service_that_is_silent_or_not_there_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "TIMEOUT_S", 0.05)

    async def serve(stream: trio.SocketStream) -> None:
        await trio.sleep_forever()

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_tcp, serve, 0)
        port = listeners[0].socket.getsockname()[1]
        with pytest.raises(NoAnswer, match="did not answer"):
            await post(Address(False, "127.0.0.1", port, "/"), {}, b"", TRUST, private=True)
        nursery.cancel_scope.cancel()
    with pytest.raises(NoAnswer):
        await post(Address(False, "127.0.0.1", port, "/"), {}, b"", TRUST, private=True)


async def test_a_service_is_called_by_tls_and_its_certificate_is_checked(tmp_path: Path) -> None:
    club = Authority(tmp_path)
    club.issues("localhost")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(club.cert, club.key)

    async def serve(stream: trio.SSLStream[trio.SocketStream]) -> None:
        with suppress(trio.BrokenResourceError):
            await stream.receive_some()
            await stream.send_all(b"HTTP/1.1 201 Created\r\n\r\n")

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_ssl_over_tcp, serve, 0, context)
        port = listeners[0].transport_listener.socket.getsockname()[1]
        local = Address(True, "localhost", port, "/")
        assert (await post(local, {}, b"", club.trust, private=True)).status == 201
        with pytest.raises(NoAnswer):
            await post(local, {}, b"", TRUST, private=True)
        nursery.cancel_scope.cancel()
