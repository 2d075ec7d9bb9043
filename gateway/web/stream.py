"""Listeners of HTTP, and their streams for Hypercorn: reading waits for its turn, sending has a deadline, input a cap.

With TLS only HTTP/1.1 is offered, as without: pages are few, and WebSockets and long polls gain nothing from sharing a
connection.
"""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

import trio

from gateway.admission.fair_throttle import FairThrottle
from gateway.config import Limits
from gateway.sessions.peer import Peer, SocketPeer
from gateway.sessions.tls_peer import TlsPeer

READ_S: Final = 75
"""Seconds without a byte inside a request or a WebSocket: three pings."""

UNANSWERED_BYTES: Final = 1 << 20
"""Bytes one peer may send without our sending anything: a large request fits, an endless one does not. This is what
bounds Hypercorn's queue of request bodies, for a bounded queue of its own never empties once the application has
answered without reading."""


class TurnStream(trio.abc.HalfCloseableStream):
    """A TCP stream that waits for the turn of ``key``, its address key, after each read: bytes are work for us."""

    def __init__(self, sock: trio.socket.SocketType, share: FairThrottle, key: str) -> None:
        self._tcp = trio.SocketStream(sock)
        self._share = share
        self._key = key
        self.socket = sock

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        received = await self._tcp.receive_some(max_bytes)
        if received:  # the end is not delayed: the next request is to find a free place
            await self._share.turn(self._key)
        return received

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._tcp.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._tcp.wait_send_all_might_not_block()

    async def send_eof(self) -> None:
        await self._tcp.send_eof()

    async def aclose(self) -> None:
        await self._tcp.aclose()

    def handed_over(self, early: bytes) -> Peer:
        """The socket as a peer, which owns it from then on, and serves ``early`` first; this stream is closed."""
        return SocketPeer(socket.socket(fileno=self.socket.detach()), early)

    def close(self) -> None:
        """Close at once: what waits here ends."""
        self.socket.close()


class SecureTurnStream:
    """The same over ``peer``, which speaks TLS; ``sock`` is its socket."""

    def __init__(self, peer: TlsPeer, sock: trio.socket.SocketType, share: FairThrottle, key: str) -> None:
        self.socket = sock
        self._peer = peer
        self._share = share
        self._key = key
        self._handed_over = False

    async def receive_some(self, max_bytes: int) -> bytes:
        received: list[bytes] = []

        def serve(data: bytes) -> bool:
            received.append(data)
            return False

        await self._peer.receive(max_bytes, serve)
        if received[0]:
            await self._share.turn(self._key)
        return received[0]

    async def send_all(self, data: bytes) -> None:
        try:
            await self._peer.send_rest(data)
        except OSError as error:
            raise trio.BrokenResourceError from error

    async def send_eof(self) -> None:
        """Nothing: TLS has no half of a connection to close."""

    async def aclose(self) -> None:
        self.close()
        await trio.lowlevel.checkpoint()

    def handed_over(self, early: bytes) -> Peer:
        """The peer with its socket, which serves ``early`` first; this stream is closed."""
        self._handed_over = True
        self._peer.put_back(early)
        return self._peer

    def close(self) -> None:
        """Close at once: what waits here ends."""
        if not self._handed_over:
            self._peer.close()


Stream: TypeAlias = TurnStream | SecureTurnStream
"""Plain or encrypted."""


class NamedSocket:
    """The addresses of a socket whose client is at ``host``: behind a proxy, or of IPv4 at a port of both families."""

    def __init__(self, sock: trio.socket.SocketType, host: str) -> None:
        self.family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.getsockname = sock.getsockname
        self._host = host

    def getpeername(self) -> tuple[str, int]:
        """The client's address; nobody asks for its port."""
        return self._host, 0


class BoundedStream:
    """Stands between Hypercorn's TCPServer and a socket. ``gone`` is called when the peer has closed or broken off.

    ``client`` is the address by which it was let in; "": the socket's own peer's.
    """

    def __init__(self, stream: Stream, limits: Limits, gone: Callable[[], Awaitable[None]], client: str = "") -> None:
        self._stream = stream
        self._client = client
        self._limits = limits
        self._gone = gone
        self._unanswered = 0
        self._waiting = 0
        self._early = b""

    @property
    def socket(self) -> trio.socket.SocketType | NamedSocket:
        """The socket that Hypercorn asks for addresses."""
        return NamedSocket(self._stream.socket, self._client) if self._client else self._stream.socket

    def put_back(self, data: bytes) -> None:
        """Give these bytes, which were received already, once more."""
        self._early = data

    @contextmanager
    def patience(self) -> Iterator[None]:
        """While an answer may take as long as the peer waits for it."""
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """The next bytes, b"" when the peer closed. BrokenResourceError when it sends without end, or nothing."""
        if self._early:
            early, self._early = self._early, b""
            return early
        try:
            received = await self._next()
        except trio.BrokenResourceError:
            await self._gone()
            raise
        self._unanswered += len(received)
        if self._unanswered > UNANSWERED_BYTES:
            await self._gone()
            raise trio.BrokenResourceError(f"more than {UNANSWERED_BYTES} bytes without an answer")
        if not received:
            await self._gone()
        return bytes(received)

    async def _next(self) -> bytes | bytearray:
        """The next bytes; BrokenResourceError when none come, and it is the peer's turn to say something."""
        while True:
            with trio.move_on_after(READ_S):
                return await self._stream.receive_some(self._limits.receive_bytes)
            if not self._waiting:
                raise trio.BrokenResourceError(f"nothing in {READ_S} seconds")

    async def send_all(self, outgoing: bytes) -> None:
        """Send, or close and raise BrokenResourceError when the peer has not taken it in time.

        Hypercorn shields its sends from cancellation: without a deadline inside the shield a peer that does not
        read would hold its task, and the whole shutdown, for ever.
        """
        self._unanswered = 0
        try:
            with trio.fail_after(self._limits.unread_s):
                await self._stream.send_all(outgoing)
        except (trio.BrokenResourceError, trio.TooSlowError) as error:
            await self._gone()
            self._stream.close()
            raise trio.BrokenResourceError("the peer did not take what was sent") from error

    async def send_eof(self) -> None:
        await self._stream.send_eof()

    async def aclose(self) -> None:
        await self._stream.aclose()


class SecureStream(BoundedStream):
    """Hypercorn knows by these three names that a stream is encrypted; hands are shaken before it gets the stream."""

    async def do_handshake(self) -> None:
        """Nothing: it is done."""

    def selected_alpn_protocol(self) -> str:
        return "http/1.1"

    @property
    def transport_stream(self) -> SecureStream:
        """The stream with the socket."""
        return self
