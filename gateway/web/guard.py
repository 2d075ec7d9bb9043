"""Serves an ASGI application over TCP so that no request, however broken, can end more than its own connection.

Hypercorn's own ``serve`` lets the exception of one connection cancel everything that shares its nursery. Here each
connection runs Hypercorn's TCPServer inside a guard: what goes wrong is logged and the connection is closed. Not here:
what is answered (app.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import count
from typing import Any, Final, Protocol, cast

import structlog
import trio
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.config import Config
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from starlette.types import ASGIApp
from structlog.contextvars import bind_contextvars

from gateway.config import Limits
from gateway.net.sockets import keep_alive
from gateway.net.streams import Stream, tcp
from gateway.web.log import WebLog
from gateway.web.secure import Listener, SecureStream
from gateway.web.stream import BoundedStream

PING_S: Final = 25.0
"""Seconds between WebSocket pings: shorter than the minute after which proxies and routers forget a connection."""
MESSAGE_BYTES: Final = 65_536
"""The longest WebSocket message: a browser's commands are some hundred bytes."""
STREAMS: Final = 16
"""Requests at once over one HTTP/2 connection: more is a flood, a reverse proxy opens further connections."""
FAREWELL_S: Final = 1.0
"""Seconds an answer may take once the peer has closed: after some HTTP/2 upgrades Hypercorn would wait for ever, and
an application that streams need not notice that nobody reads."""
REFUSAL_S: Final = 1.0
"""Seconds for telling a client that the server is full: its send buffer is empty, so it never waits."""

PATIENCE: Final = "patience"
"""What a request's ASGI state calls the context in which an answer may take as long as its client waits."""

FULL: Final = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 10\r\nConnection: close\r\n\r\n"

_NUMBERS: Final = count(1)
"""Of connections, for the log: players' connections have numbers of their own."""

_log = structlog.get_logger()


class Places(Protocol):
    """Counts connections. One object may count those of every listener of a server."""

    def take(self, address: str) -> bool:
        """Count a connection of this host; False, and nothing counted, when there is no place."""

    def release(self, address: str) -> None:
        """Give the place back."""


class HttpPlaces:
    """The limits' connections and connections_per_address, for HTTP alone."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._counts: Counter[str] = Counter()
        self._taken = 0

    def take(self, address: str) -> bool:
        if self._taken >= self._limits.connections:
            return False
        if self._counts[address] >= self._limits.connections_per_address:
            return False
        self._counts[address] += 1
        self._taken += 1
        return True

    def release(self, address: str) -> None:
        self._taken -= 1
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]


async def serve(listeners: Sequence[Listener], app: ASGIApp, *, limits: Limits, places: Places | None = None) -> None:
    """Serve ``app`` on ``listeners`` until cancelled; then hang up at once, whatever is being sent.

    Raises nothing for what a peer does. ``places`` counts the connections; None counts HTTP's on their own. The
    listeners are closed at the end.
    """
    counted = places or HttpPlaces(limits)
    settings = _settings(limits)
    guarded: Any = partial(_guarded, app, limits, settings, counted)
    await trio.serve_listeners(guarded, cast(Any, list(listeners)))


async def _guarded(app: ASGIApp, limits: Limits, settings: Config, places: Places, stream: Stream) -> None:
    """One connection from accept to close; nothing but cancellation leaves this function."""
    sock = tcp(stream).socket
    peer = _peer(sock)
    if peer is None or not places.take(peer):
        await _turn_away(stream)
        return
    bind_contextvars(connection=f"http-{next(_NUMBERS)}")
    try:
        keep_alive(sock)
        await _converse(app, limits, settings, stream)
    except* Exception as broken:
        _log.info("http connection broken", peer=peer, error=repr(broken.exceptions[0]))
    finally:
        sock.close()
        places.release(peer)


async def _converse(app: ASGIApp, limits: Limits, settings: Config, stream: Stream) -> None:
    """Requests and answers until either side closes; TLS comes first where the listener has it.

    ``terminated`` ends Hypercorn's keep-alive wait: set when the peer has closed, so that its place is free at once,
    while an answer on its way is still sent. That is why every connection has a context of its own.
    """
    context, bound = WorkerContext(None), BoundedStream
    if isinstance(stream, trio.SSLStream):
        with trio.fail_after(limits.handshake_s):
            await stream.do_handshake()
        bound = SecureStream
    bounded = bound(stream, limits, context.terminated.set)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_hang_up, bounded.socket, context, nursery.cancel_scope)
        state: Any = {PATIENCE: bounded.patience}
        await TCPServer(ASGIWrapper(cast(Any, app)), settings, context, state, cast(Any, bounded)).run()
        nursery.cancel_scope.cancel()


async def _hang_up(sock: trio.socket.SocketType, context: WorkerContext, conversation: trio.CancelScope) -> None:
    """End the conversation a moment after the peer has closed, and at once when cancelled.

    Hypercorn shields its sends from cancellation; closing the socket ends them.
    """
    try:
        await context.terminated.wait()
        await trio.sleep(FAREWELL_S)
        conversation.cancel()
    finally:
        sock.close()


async def _turn_away(stream: Stream) -> None:
    """With a word, where that takes no handshake."""
    with trio.move_on_after(REFUSAL_S):
        try:
            if isinstance(stream, trio.SocketStream):
                await stream.send_all(FULL)
                await stream.send_eof()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass  # it has gone by itself
    tcp(stream).socket.close()


def _peer(sock: trio.socket.SocketType) -> str | None:
    """The host at the other end; None when it has gone already."""
    try:
        return str(sock.getpeername()[0])
    except OSError:
        return None


def _settings(limits: Limits) -> Config:
    settings = Config()
    settings.logger_class = WebLog
    settings.include_server_header = False
    settings.keep_alive_timeout = limits.handshake_s
    settings.read_timeout = None  # BoundedStream's, for requests may wait
    settings.websocket_ping_interval = PING_S
    settings.websocket_max_message_size = MESSAGE_BYTES
    settings.h2_max_concurrent_streams = STREAMS
    settings.max_app_queue_size = 1 << 30  # never full; BoundedStream says why and bounds it in bytes
    return settings
