"""A stream over TCP as Hypercorn uses it: reading waits for a turn, sending has a deadline, and what may come in
unanswered a cap.

Not here: HTTP, and the deadlines of a request, which are Hypercorn's own settings (guard.py).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

import trio

from gateway.config import Limits
from gateway.net.share import Share

READ_S: Final = 75
"""Seconds without a byte inside a request or a WebSocket: three pings."""

UNANSWERED_BYTES: Final = 1 << 20
"""Bytes one peer may send without our sending anything: a large request fits, an endless one does not. This is what
bounds Hypercorn's queue of request bodies, for a bounded queue of its own never empties once the application has
answered without reading."""


class TurnStream(trio.abc.HalfCloseableStream):
    """A TCP stream: what comes in is had in turn, because it is work for us. ``place`` is where it comes from."""

    def __init__(self, sock: trio.socket.SocketType, share: Share, place: str) -> None:
        self._tcp = trio.SocketStream(sock)
        self._share = share
        self._place = place
        self.socket = sock

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        received = await self._tcp.receive_some(max_bytes)
        if received:  # the end waits for nobody: what is asked after it is to find its place free
            await self._share.turn(self._place)
        return received

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._tcp.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._tcp.wait_send_all_might_not_block()

    async def send_eof(self) -> None:
        await self._tcp.send_eof()

    async def aclose(self) -> None:
        await self._tcp.aclose()


Stream: TypeAlias = TurnStream | trio.SSLStream[TurnStream]
"""As it comes, or encrypted."""


class BoundedStream:
    """Stands between Hypercorn's TCPServer and a socket. ``gone`` is called when the peer has closed or broken off."""

    def __init__(self, stream: Stream, limits: Limits, gone: Callable[[], Awaitable[None]]) -> None:
        self._stream = stream
        self._limits = limits
        self._gone = gone
        self._unanswered = 0
        self._waiting = 0

    @property
    def socket(self) -> trio.socket.SocketType:
        stream = self._stream
        return (stream.transport_stream if isinstance(stream, trio.SSLStream) else stream).socket

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
        """What is read next; BrokenResourceError when nothing comes, and it is the peer's turn to say something."""
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
            self.socket.close()
            raise trio.BrokenResourceError("the peer did not take what was sent") from error

    async def send_eof(self) -> None:
        if isinstance(self._stream, TurnStream):  # TLS has no half of a connection to close
            await self._stream.send_eof()

    async def aclose(self) -> None:
        await self._stream.aclose()
