"""A WebSocket is taken over from HTTP and becomes a connection like any other; every other request stays HTTP."""

from __future__ import annotations

import http.client
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest
import trio

from gateway.admission.admission import WebAdmission
from gateway.config import Config
from gateway.metrics import DEAF
from gateway.web.app import Unbanned, make_app
from gateway.web.forwarded import Forwarded, ProxyLimiter
from gateway.web.takeover import takeover_of, upgrade_routes
from gateway.web.upgrade import HEAD_BYTES
from protocols.core.commands import Command
from protocols.core.dialect import Dialect
from protocols.core.notifications import Notification
from tests.certificates import Authority
from tests.hall import Hall, config, hall
from tests.web.serving import PATIENCE_S, ask, connect, everything, served

FIRST = b"GET /ws HTTP/1.1\r\n"
WISHES = b"Host: localhost\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
VERSION = b"Sec-WebSocket-Version: 13\r\n"
OPENING = FIRST + WISHES + KEY + VERSION
ACCEPT = b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
"""The answer to that key, RFC 6455, section 1.3."""

FORWARDED = b"X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https\r\n"


class Echo(Dialect):
    """Says what it hears, from the first byte behind the request."""

    name = "echo"
    websocket = "/ws"
    said: ClassVar[list[bytes]] = []

    def receive_data(self, data: bytes) -> list[Command]:
        self._queue.append(data)
        return []

    def send(self, message: Notification) -> None:
        """It has no word for anything."""


@dataclass(frozen=True, slots=True)
class Server:
    hall: Hall
    port: int


@asynccontextmanager
async def server(settings: Config | None = None, options: str = "") -> AsyncIterator[Server]:
    """A server with its HTTP listener, where Echo is at /ws."""
    settings = settings or config()
    async with hall(settings) as here:
        takeover = takeover_of(here.server, [Echo])
        assert takeover is not None
        pages = make_app(list, upgrade_routes(takeover.paths))
        application = Unbanned(pages, here.server.ban_enforcer.address)
        proxied = "proxy=yes" in options
        limiter = (
            ProxyLimiter(settings.limits)
            if proxied
            else WebAdmission(here.server.connection_limits, here.server.metrics, here.server.admission)
        )
        app = Forwarded(application) if proxied else application
        async with served(app, settings.limits, limiter, takeover, options) as port:
            yield Server(here, port)


async def receives(stream: trio.abc.ReceiveStream, count: int) -> bytes:
    """So many bytes, or those until the end."""
    found = b""
    with trio.fail_after(PATIENCE_S):
        while len(found) < count and (data := await stream.receive_some(count - len(found))):
            found += data
    return found


async def head(stream: trio.abc.ReceiveStream) -> bytes:
    """An answer's head."""
    found = b""
    while not found.endswith(b"\r\n\r\n"):
        data = await receives(stream, 1)
        if not data:
            break
        found += data
    return found


async def answer(port: int, *parts: bytes) -> bytes:
    """All that is answered to these bytes, sent one after the other, until the server closes."""
    async with await connect(port) as stream:
        for part in parts:
            await stream.send_all(part)
        return await everything(stream)


async def error(port: int, *parts: bytes) -> tuple[int, str]:
    """Status and code of a refusal, after which the connection is closed."""
    first, _, body = (await answer(port, *parts)).partition(b"\r\n\r\n")
    found = json.loads(body)
    assert found["message"]
    return int(first.split()[1]), found["error"]


async def test_an_upgrade_is_accepted_and_its_bytes_reach_the_dialect() -> None:
    async with server() as here, await connect(here.port) as stream:
        await stream.send_all(OPENING + b"\r\n")
        lines = (await head(stream)).split(b"\r\n")
        assert lines[0] == b"HTTP/1.1 101 Switching Protocols"
        assert set(lines[1:-2]) == {b"Upgrade: websocket", b"Connection: Upgrade", b"Sec-WebSocket-Accept: " + ACCEPT}
        await stream.send_all(b"hello")
        assert await receives(stream, 5) == b"hello"
        assert here.hall.server.metrics.entered["echo"] == 1


async def test_a_frame_that_came_with_the_request_is_not_lost() -> None:
    async with server() as here, await connect(here.port) as stream:
        await stream.send_all(OPENING + b"\r\nfirst")
        await head(stream)
        assert await receives(stream, 5) == b"first"
        await stream.send_all(b", second")
        assert await receives(stream, 8) == b", second"


async def test_more_bytes_than_are_read_at_once_may_come_with_the_request() -> None:
    async with server(config(receive_bytes=64)) as here, await connect(here.port) as stream:
        sent = bytes(range(256)) * 16
        await stream.send_all(OPENING + b"\r\n" + sent)
        await head(stream)
        assert await receives(stream, len(sent)) == sent


async def test_a_request_in_single_bytes_is_accepted() -> None:
    async with server() as here, await connect(here.port) as stream:
        for value in OPENING + b"\r\nX":
            await stream.send_all(bytes([value]))
        assert (await head(stream)).startswith(b"HTTP/1.1 101 ")
        assert await receives(stream, 1) == b"X"


@pytest.mark.parametrize("cut", [1, 3, 4, 5, 7, 8, 9, 30])
async def test_a_page_whose_request_comes_in_two_parts_is_served_by_http(cut: int) -> None:
    request = b"GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"
    async with server() as here, await connect(here.port) as stream:
        await stream.send_all(request[:cut])
        await trio.testing.wait_all_tasks_blocked(0.01)
        await stream.send_all(request[cut:])
        assert (await everything(stream)).endswith(b'{"status":"ok"}')


@pytest.mark.parametrize(
    ("request_", "refused"),
    [
        (FIRST + WISHES + KEY + b"Sec-WebSocket-Version: 8\r\n\r\n", (426, "upgrade_required")),
        (FIRST + WISHES + KEY + b"\r\n", (426, "upgrade_required")),
        (FIRST + WISHES + VERSION + b"\r\n", (400, "bad_request")),
        (FIRST + WISHES + VERSION + b"Sec-WebSocket-Key: short\r\n\r\n", (400, "bad_request")),
        (FIRST + WISHES + VERSION + b"Sec-WebSocket-Key: !!!!\r\n\r\n", (400, "bad_request")),
        (OPENING + b"Content-Length: 5\r\n\r\nhello", (400, "bad_request")),
        (OPENING + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", (400, "bad_request")),
        (OPENING + b"Origin: http://evil.example.net\r\n\r\n", (403, "foreign_origin")),
        (OPENING + b"Origin: null\r\n\r\n", (403, "foreign_origin")),
        (OPENING + b"Cookie: a=b; boardgate=1\r\n\r\n", (403, "foreign_origin")),
        (OPENING + b"Cookie: __Host-boardgate=1\r\n\r\n", (403, "foreign_origin")),
        (OPENING + b"X: " + b"x" * HEAD_BYTES + b"\r\n\r\n", (431, "too_long")),
        (OPENING + b"X: x\r\n" * 2000, (431, "too_long")),
    ],
)
async def test_a_wrong_request_is_refused_for_its_own_reason(request_: bytes, refused: tuple[int, str]) -> None:
    async with server() as here:
        assert await error(here.port, request_) == refused
        assert await ask(here.port, "/healthz") == (200, {"status": "ok"})


async def test_a_wrong_version_is_told_the_right_one() -> None:
    async with server() as here:
        found = await answer(here.port, FIRST + WISHES + KEY + b"Sec-WebSocket-Version: 8\r\n\r\n")
        assert b"\r\nSec-WebSocket-Version: 13\r\n" in found
        assert b"\r\nx-content-type-options: nosniff\r\n" in found


@pytest.mark.parametrize(
    "origin",
    [
        b"",
        b"Origin: \r\n",
        b"Cookie: \r\n",
        b"Cookie: a=b\r\n",
        b"Content-Length: 0\r\n",
        b"Origin: http://localhost\r\n",
        b"Origin: http://localhost:80\r\nCookie: boardgate=b\r\n",
    ],
)
async def test_a_program_and_a_page_of_ours_may_connect(origin: bytes) -> None:
    """A header means what it says: without a body, an origin or a cookie of ours it is as if it were not there."""
    async with server() as here, await connect(here.port) as stream:
        await stream.send_all(OPENING + origin + b"\r\n")
        assert (await head(stream)).startswith(b"HTTP/1.1 101 ")


@pytest.mark.parametrize(
    "garbage",
    [
        b"GET /ws",
        b"GET /ws \r\n\r\n",
        b"GET /ws HTTP/9.9\r\n\r\n",
        FIRST + b"\r\n",
        FIRST + WISHES.replace(b"Host: localhost\r\n", b"") + KEY + VERSION + b"\r\n",
        FIRST.replace(b"1.1", b"1.0") + WISHES + KEY + VERSION + b"\r\n",
        FIRST + b"nonsense\r\n\r\n",
        FIRST + b": x\r\n\r\n",
        FIRST + b"X: a\x00b\r\n\r\n",
        b"GET /ws?" + bytes(range(256)) + b" HTTP/1.1\r\n\r\n",
        b"GET /wsx HTTP/1.1\r\nHost: here\r\n\r\n",
    ],
)
async def test_anything_else_is_left_to_http(garbage: bytes) -> None:
    async with server() as here:
        async with await connect(here.port) as stream:
            await stream.send_all(garbage)
            await stream.send_eof()
            found = await everything(stream)
        assert not found.startswith(b"HTTP/1.1 101")
        assert here.hall.server.metrics.entered["echo"] == 0
        assert await ask(here.port, "/healthz") == (200, {"status": "ok"})


async def test_a_query_behind_the_path_is_no_other_path() -> None:
    async with server() as here, await connect(here.port) as stream:
        await stream.send_all(OPENING.replace(b"/ws", b"/ws?v=1") + b"\r\n")
        assert (await head(stream)).startswith(b"HTTP/1.1 101 ")


async def test_a_head_that_never_ends_is_hung_up_on() -> None:
    async with server(config(handshake_s=0.1)) as here:
        assert await answer(here.port, OPENING) == b""


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
async def test_an_ordinary_request_for_the_path_is_told_what_it_is(method: str) -> None:
    async with server() as here:
        status, body = await ask(here.port, "/ws", method)
        assert status == 426
        assert method == "HEAD" or body["error"] == "upgrade_required"


async def test_an_upgrade_on_a_used_connection_is_refused_with_426() -> None:
    def asks_twice(port: int) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        connection.request("GET", "/healthz")
        connection.getresponse().read()
        wishes = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
        connection.request("GET", "/ws", headers={**wishes, "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="})
        status = connection.getresponse().status
        connection.close()
        return status

    async with server() as here:
        assert await trio.to_thread.run_sync(asks_twice, here.port) == 426


async def test_a_connection_taken_over_counts_once_and_its_place_is_given_back() -> None:
    async with server() as here:
        limiter = here.hall.server.connection_limits
        async with await connect(here.port) as stream:
            await stream.send_all(OPENING + b"\r\nX")
            await head(stream)
            assert await receives(stream, 1) == b"X"
            assert limiter.inside == 1
        await here.hall.until(lambda: limiter.inside == 0)


async def test_a_banned_address_is_refused() -> None:
    """Even on a connection that it opened before it was banned."""
    async with server() as here, await connect(here.port) as stream:
        await stream.send_all(OPENING)
        await here.hall.until(lambda: here.hall.server.connection_limits.inside == 1)
        here.hall.server.ban_enforcer.address = lambda host: "you are banned"  # type: ignore[method-assign]
        await stream.send_all(b"\r\n")
        assert (await everything(stream)).startswith(b"HTTP/1.1 403 ")


async def test_a_server_that_stops_lets_no_websocket_in() -> None:
    async with server() as here:
        await here.hall.server.farewell()
        assert await error(here.port, OPENING + b"\r\n") == (503, "full")


async def test_a_proxys_client_has_the_address_and_the_scheme_that_the_proxy_says() -> None:
    async with server(options="proxy=yes") as here, await connect(here.port) as stream:
        await stream.send_all(OPENING + FORWARDED + b"Origin: https://localhost:8443\r\n\r\nX")
        assert (await head(stream)).startswith(b"HTTP/1.1 101 ")
        assert await receives(stream, 1) == b"X"
        (connection,) = here.hall.server.connections
        assert connection.address == "203.0.113.9"


async def test_a_proxy_that_does_not_say_who_asks_is_told_to() -> None:
    async with server(options="proxy=yes") as here:
        assert await error(here.port, OPENING + b"\r\n") == (400, "bad_request")


async def test_a_page_of_http_is_foreign_behind_a_proxy_with_tls() -> None:
    async with server(options="proxy=yes") as here:
        asked = OPENING + FORWARDED + b"Origin: http://localhost\r\n\r\n"
        assert await error(here.port, asked) == (403, "foreign_origin")


async def test_a_proxys_clients_are_limited_by_their_own_addresses() -> None:
    async with server(config(connections_per_address=1), "proxy=yes") as here, await connect(here.port) as first:
        await first.send_all(OPENING + FORWARDED + b"\r\n")
        assert (await head(first)).startswith(b"HTTP/1.1 101 ")
        assert await error(here.port, OPENING + FORWARDED + b"\r\n") == (503, "full")
        async with await connect(here.port) as other:
            await other.send_all(OPENING + FORWARDED.replace(b"203.0.113.9", b"203.0.113.8") + b"\r\n")
            assert (await head(other)).startswith(b"HTTP/1.1 101 ")


async def test_a_listener_with_tls_serves_websockets_and_pages(tmp_path: Path) -> None:
    club = Authority(tmp_path)
    club.issues("localhost")
    async with server(options=club.options()) as here:

        async def dial() -> trio.SSLStream[trio.SocketStream]:
            stream = await connect(here.port)
            return trio.SSLStream(stream, club.trust, server_hostname="localhost", https_compatible=True)

        async with await dial() as stream:
            await stream.send_all(OPENING + b"Origin: https://localhost\r\n\r\nearly")
            assert (await head(stream)).startswith(b"HTTP/1.1 101 ")
            assert await receives(stream, 5) == b"early"
            sent = bytes(range(256)) * 400
            async with trio.open_nursery() as nursery:
                nursery.start_soon(stream.send_all, sent)
                assert await receives(stream, len(sent)) == sent
        await here.hall.until(lambda: here.hall.server.connection_limits.inside == 0)
        async with await dial() as stream:
            await stream.send_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert (await head(stream)).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("options", ["wire_log=yes", ""])
async def test_a_listener_writes_the_conversations_of_its_websockets_if_it_is_asked_to(
    options: str, tmp_path: Path
) -> None:
    async with server(config(tmp_path), options) as here, await connect(here.port) as stream:
        await stream.send_all(OPENING + b"\r\nhello\n")
        await head(stream)
        assert await receives(stream, 6) == b"hello\n"
        written = [path.read_text() for path in (tmp_path / "wire").glob("echo-*.txt")]
    assert len(written) == (1 if options else 0)
    assert all(">> hello" in text for text in written)


async def test_a_slow_reader_is_hung_up_on() -> None:
    async with server(config(unread_bytes=10_000)) as here, await connect(here.port) as stream:
        await stream.send_all(OPENING + b"\r\n")
        await head(stream)
        with trio.fail_after(PATIENCE_S), suppress(trio.BrokenResourceError):
            while True:
                await stream.send_all(bytes(65536))
        assert here.hall.server.metrics.closed[DEAF] == 1


async def test_bytes_without_end_are_read_at_the_rate_of_commands() -> None:
    """64 bytes count as a command: 60 of them are 50 more than the burst, and cost half a second at 100 a second."""
    limits = replace(config().limits, messages_per_second=100.0, messages_burst=10)
    async with server(replace(config(), limits=limits)) as here, await connect(here.port) as stream:
        begun = trio.current_time()
        await stream.send_all(OPENING + b"\r\n" + bytes(60 * 64))
        await head(stream)
        await receives(stream, 60 * 64)
        await stream.send_all(b"X")
        assert await receives(stream, 1) == b"X"
        assert trio.current_time() - begun > 0.45
