"""The guard confines each connection's faults: other connections and the caller's nursery go on."""

from __future__ import annotations

import http.client
import socket
from contextlib import suppress

import pytest
import trio
from starlette.requests import Request
from starlette.types import Receive, Scope, Send
from structlog.testing import capture_logs

from gateway.config import Limits
from gateway.net.log_limiter import LINES
from gateway.web.app import make_app
from tests.web.serving import PATIENCE_S, ask, connect, everything, served

GET = b"GET /healthz HTTP/1.1\r\nHost: here\r\n"
UPGRADE = GET + b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

BROKEN = {
    "nothing at all": b"",
    "one byte": b"G",
    "an empty line": b"\r\n",
    "a thousand empty lines": b"\r\n" * 1000,
    "every byte": bytes(range(256)),
    "every byte backwards": bytes(range(255, -1, -1)),
    "zeros": bytes(5000),
    "no version": b"GET /healthz\r\n\r\n",
    "an unknown version": b"GET /healthz HTTP/9.9\r\nHost: here\r\n\r\n",
    "the version in lower case": b"GET /healthz http/1.1\r\nHost: here\r\n\r\n",
    "no method": b" /healthz HTTP/1.1\r\n\r\n",
    "a method of control characters": b"\x01\x02 / HTTP/1.1\r\nHost: here\r\n\r\n",
    "a path that is not ASCII": "GET /gespielt/für/dich HTTP/1.1\r\nHost: here\r\n\r\n".encode(),
    "a path of percent signs": b"GET /%%%zz%00%ff HTTP/1.1\r\nHost: here\r\n\r\n",
    "a whole address as the path": b"GET http://[::1/healthz HTTP/1.1\r\nHost: here\r\n\r\n",
    "a star as the path": b"OPTIONS * HTTP/1.1\r\nHost: here\r\n\r\n",
    "no host": b"GET /healthz HTTP/1.1\r\n\r\n",
    "two hosts": GET + b"Host: there\r\n\r\n",
    "a host that is not ASCII": b"GET /nowhere HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n",
    "a header without a colon": GET + b"nonsense\r\n\r\n",
    "a header without a name": GET + b": nonsense\r\n\r\n",
    "a header with a zero in it": GET + b"X: a\x00b\r\n\r\n",
    "a header that begins with a blank": GET + b" folded: no\r\n\r\n",
    "a huge header": GET + b"X: " + b"a" * 100_000 + b"\r\n\r\n",
    "ten thousand headers": GET + b"X: a\r\n" * 10_000 + b"\r\n",
    "a request line without an end": b"GET /" + b"a" * 100_000,
    "a negative content-length": b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: -5\r\n\r\nhello",
    "a content-length of letters": b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: many\r\n\r\nhello",
    "an absurd content-length": b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: " + b"9" * 40 + b"\r\n\r\nhello",
    "two content-lengths": b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "less body than promised": b"POST /healthz HTTP/1.1\r\nHost: here\r\nContent-Length: 500\r\n\r\nhello",
    "more body than promised": b"POST /healthz HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\nhello\r\n\r\n",
    "an unknown transfer encoding": b"POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: magic\r\n\r\nhello",
    "a chunk of no size": b"POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n",
    "a chunk without an end": b"POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhel",
    "a strange expectation": b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\nExpect: the worst\r\n\r\n",
    "100-continue without the rest": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n",
    "half a request": GET,
    "a request and half of the next": GET + b"\r\n" + GET[:20],
    "a request and then garbage": GET + b"\r\n\x00\x01\x02\x03garbage\r\n\r\n",
    "fifty requests at once": (GET + b"\r\n") * 50,
    "a TLS greeting": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
    "an HTTP/2 preface alone": PREFACE,
    "half an HTTP/2 preface": PREFACE[:20],
    "an HTTP/2 preface and garbage": PREFACE + bytes(range(256)),
    "an HTTP/2 preface and a frame of 16 MiB": PREFACE + b"\xff\xff\xff\x00\x00\x00\x00\x00\x01" + bytes(1000),
    "an HTTP/2 window of nothing": PREFACE + bytes(9) + b"\x00\x00\x04\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00",
    "an upgrade to h2c without settings": GET + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n",
    "an upgrade to h2c with broken settings": GET + b"Upgrade: h2c\r\nHTTP2-Settings: !!!\r\n\r\n",
    "a WebSocket without a key": UPGRADE + b"Sec-WebSocket-Version: 13\r\n\r\n",
    "a WebSocket without a version": UPGRADE + KEY + b"\r\n",
    "a WebSocket of a wrong version": UPGRADE + KEY + b"Sec-WebSocket-Version: 1\r\n\r\n",
    "a WebSocket nobody serves": UPGRADE + KEY + b"Sec-WebSocket-Version: 13\r\n\r\n",
    "a WebSocket and garbage": UPGRADE + KEY + b"Sec-WebSocket-Version: 13\r\n\r\n" + bytes(range(256)),
    "a WebSocket with broken extensions": UPGRADE
    + KEY
    + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=zz\r\n\r\n",
    "a WebSocket of HTTP/1.0": UPGRADE.replace(b"1.1", b"1.0") + KEY + b"\r\n",
    "an upgrade to h2c with settings that are none": GET
    + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__AAIAAAAF\r\n\r\n",
    "a frame together with an upgrade": UPGRADE + KEY + b"Sec-WebSocket-Version: 13\r\n\r\n\x81\x85\0\0\0\0hello",
    "a chunk of no size after one that is right": b"POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"
    + b"5\r\nhello\r\nZZ\r\n",
    "a Bogaprot handshake": b"\x00\x00\x00\x65\x00\x00\x00\x05Ludo\x00\x00\x00\x00\x01",
}


@pytest.mark.parametrize("name", BROKEN)
async def test_healthz_still_answers_after(name: str) -> None:
    async with served() as port:
        async with await connect(port) as held, await connect(port) as stream:
            await held.send_all(GET[:10])
            await _try_to_send(stream, BROKEN[name], end=True)
            await everything(stream)
            await held.send_all(GET[10:] + b"\r\n")
            assert (await held.receive_some()).startswith(b"HTTP/1.1 200 ")
        assert await ask(port, "/healthz") == (200, {"status": "ok"})


async def read_body(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that reads every request to its end, as the API does."""
    if scope["type"] == "http":
        await Request(scope, receive).body()
    await make_app(list)(scope, receive, send)


@pytest.mark.parametrize("name", BROKEN)
async def test_the_log_has_at_most_a_line_and_never_a_traceback_of(name: str) -> None:
    with capture_logs() as lines:
        async with served(read_body) as port:
            async with await connect(port) as stream:
                await _try_to_send(stream, BROKEN[name], end=True)
                await everything(stream)
            assert await ask(port, "/healthz") == (200, {"status": "ok"})
    logged = [line for line in lines if line["log_level"] != "debug"]
    assert [(line["event"], line["log_level"]) for line in logged] in ([], [("http connection broken", "info")])


async def test_of_many_broken_connections_some_are_logged_and_the_others_are_counted() -> None:
    with capture_logs() as lines:
        async with served(read_body) as port:
            for _ in range(LINES + 5):
                async with await connect(port) as stream:
                    await stream.send_all(BROKEN["a chunk of no size"])
                    await everything(stream)
            assert await ask(port, "/healthz") == (200, {"status": "ok"})
    assert len([line for line in lines if line["event"] == "http connection broken"]) == LINES


async def test_a_body_with_two_lengths_is_refused() -> None:
    """RFC 9112, section 6.3: "Such a message might indicate an attempt to perform request smuggling" """
    twice = b"POST /healthz HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    async with served() as port, await connect(port) as stream:
        await stream.send_all(twice)
        answers = await everything(stream)
    assert answers.startswith(b"HTTP/1.1 400 ")
    assert answers.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize("name", ["every byte", "half a request", "fifty requests at once", "a huge header"])
async def test_healthz_still_answers_after_a_reset_in_the_middle_of(name: str) -> None:
    async with served() as port:
        stream = await connect(port)
        await _try_to_send(stream, BROKEN[name])
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        stream.socket.close()
        assert await ask(port, "/healthz") == (200, {"status": "ok"})


async def _try_to_send(stream: trio.SocketStream, outgoing: bytes, *, end: bool = False) -> None:
    """Send, and say that nothing follows if this is the ``end``; the server may have hung up before that."""
    with suppress(trio.BrokenResourceError):
        await stream.send_all(outgoing)
        if end:
            await stream.send_eof()


async def test_a_connection_is_kept_for_further_requests() -> None:
    def ask_three_times(port: int) -> list[tuple[int, bytes]]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        answers = []
        for path in ("/healthz", "/readyz", "/healthz"):
            connection.request("GET", path)
            answer = connection.getresponse()
            answers.append((answer.status, answer.read()))
        connection.close()
        return answers

    async with served() as port:
        answers = await trio.to_thread.run_sync(ask_three_times, port)
    assert answers == [(200, b'{"status":"ok"}'), (200, b'{"status":"ready"}'), (200, b'{"status":"ok"}')]


async def test_a_request_in_single_bytes_is_answered() -> None:
    async with served() as port, await connect(port) as stream:
        for value in GET + b"Connection: close\r\n\r\n":
            await stream.send_all(bytes([value]))
        assert (await everything(stream)).endswith(b'{"status":"ok"}')


async def test_a_request_that_is_never_finished_is_hung_up_on() -> None:
    async with served(limits=Limits(handshake_s=0.1)) as port, await connect(port) as stream:
        await stream.send_all(GET)
        assert await everything(stream) == b""


async def test_a_peer_that_does_not_read_is_hung_up_on_and_its_place_given_back() -> None:
    async def endless(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while True:
            await send({"type": "http.response.body", "body": bytes(1 << 20), "more_body": True})

    async with served(endless, Limits(unread_s=0.1, connections=1)) as port, await connect(port) as stream:
        await stream.send_all(GET + b"\r\n")
        await _send_until_broken(stream, b"x")
        assert await _first_status(port) == 200


async def _send_until_broken(stream: trio.SocketStream, outgoing: bytes) -> None:
    with trio.fail_after(PATIENCE_S), suppress(trio.BrokenResourceError):
        while True:
            await stream.send_all(outgoing)
            await trio.sleep(0.001)


async def _first_status(port: int) -> int:
    """The status of the first answer that is not "full": a connection counts for a moment after its end."""
    with trio.fail_after(PATIENCE_S):
        while True:
            async with await connect(port) as stream:
                await _try_to_send(stream, GET + b"Connection: close\r\n\r\n")
                with suppress(trio.BrokenResourceError):
                    line = await stream.receive_some()
                    if line and not line.startswith(b"HTTP/1.1 503 "):
                        return int(line.split()[1])


async def test_a_peer_that_sends_without_end_is_hung_up_on() -> None:
    async def waits(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    async with served(waits) as port, await connect(port) as stream:
        await stream.send_all(b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 999999999\r\n\r\n")
        await _send_until_broken(stream, bytes(65_536))


async def test_a_body_that_nobody_reads_does_not_hold_the_connection() -> None:
    async with served() as port, await connect(port) as stream:
        await stream.send_all(b"POST /healthz HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n")
        await _try_to_send(stream, b"1\r\nx\r\n" * 5000)
        assert b" 405 " in await everything(stream)


async def test_cancelling_hangs_up_on_a_peer_that_does_not_read() -> None:
    started = trio.Event()

    async def large(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        started.set()
        await send({"type": "http.response.body", "body": bytes(1 << 26)})

    async with served(large) as port:
        stream = await connect(port)
        await stream.send_all(GET + b"\r\n")
        await started.wait()
        stopped_at = trio.current_time()
    assert trio.current_time() - stopped_at < Limits().unread_s / 10
    await stream.aclose()


async def test_a_full_server_says_so_and_recovers() -> None:
    async with served(limits=Limits(connections_per_address=1)) as port:
        first = await connect(port)
        await first.send_all(GET + b"\r\n")
        assert (await first.receive_some()).startswith(b"HTTP/1.1 200 ")
        async with await connect(port) as second:
            assert (await everything(second)).startswith(b"HTTP/1.1 503 ")
        await first.aclose()
        assert await _first_status(port) == 200
