"""Serves an ASGI application over TCP so that no request, however broken, can end more than its own connection.

Hypercorn's own ``serve`` lets the exception of one connection cancel everything that shares its nursery. Here each
connection runs Hypercorn's TCPServer inside a guard: what goes wrong is logged and the connection is closed. Not here:
what is answered (app.py).
"""

from __future__ import annotations

import contextlib
import socket
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from itertools import count
from typing import Any, Final, Protocol, cast

import structlog
import trio
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.config import Config
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.utils import UnexpectedMessageError
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from gateway.config import Limits
from gateway.net.addresses import place_of
from gateway.net.log_limiter import LogLimiter
from gateway.net.share import shared
from gateway.net.sockets import keep_alive, take_in
from gateway.web.log import WebLog
from gateway.web.refusals import refusal
from gateway.web.secure import Pages, SecureStream
from gateway.web.stream import BoundedStream, TurnStream

PING_S: Final = 25.0
"""Seconds between WebSocket pings: shorter than the minute after which proxies and routers forget a connection."""
MESSAGE_BYTES: Final = 65_536
"""The longest WebSocket message: a browser's commands are some hundred bytes."""
STREAMS: Final = 16
"""Requests at once over one HTTP/2 connection: more is a flood, a reverse proxy opens further connections."""
FAREWELL_S: Final = 1.0
"""Seconds an answer may take once the peer has closed: after some HTTP/2 upgrades Hypercorn would wait for ever, and
an application that streams need not notice that nobody reads."""

PATIENCE: Final = "patience"
"""What a request's ASGI state calls the context in which an answer may take as long as its client waits."""

BROKEN: Final = "broken"
"""What a request's ASGI state calls the function that notes why its connection is broken."""

FULL: Final = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 10\r\nConnection: close\r\n\r\n"

_NUMBERS: Final = count(1)
"""Of connections, for the log: players' connections have numbers of their own."""

_log = structlog.get_logger()


class Places(Protocol):
    """Counts connections. One object may count those of every listener of a server."""

    def admits(self, address: str) -> bool:
        """Whether this host may come now; who may not is hung up on without a word."""

    def take(self, address: str) -> bool:
        """Count a connection of this host; False, and nothing counted, when there is no place."""

    def release(self, address: str) -> None:
        """Give the place back."""

    def no_tls(self, listener: str, address: str, why: str) -> None:
        """Somebody there has not come to TLS."""


class HttpPlaces:
    """The limits' connections and connections_per_address, for HTTP alone. Everybody may come."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._counts: Counter[str] = Counter()
        self._taken = 0

    def admits(self, address: str) -> bool:
        return True

    def take(self, address: str) -> bool:
        place = place_of(address)
        if self._taken >= self._limits.connections:
            return False
        if self._counts[place] >= self._limits.connections_per_address:
            return False
        self._counts[place] += 1
        self._taken += 1
        return True

    def release(self, address: str) -> None:
        place = place_of(address)
        self._taken -= 1
        self._counts[place] -= 1
        if not self._counts[place]:
            del self._counts[place]

    def no_tls(self, listener: str, address: str, why: str) -> None:
        _log.info("no TLS", listener=listener, peer=address, why=why)


async def serve(
    listeners: Sequence[Pages], app: ASGIApp, *, limits: Limits, lines: LogLimiter, places: Places | None = None
) -> None:
    """Serve ``app`` on ``listeners`` until cancelled; then hang up at once, whatever is being sent.

    Raises nothing for what a peer does. ``lines`` takes what is logged of broken connections, one line each. ``places``
    counts the connections; None counts HTTP's on their own. The listeners are closed at the end.
    """
    counted = places or HttpPlaces(limits)
    guard = _Guard(_shared_by_requests(_guarded_app(app)), limits, _settings(limits), counted, lines)
    async with trio.open_nursery() as nursery:
        for pages in listeners:
            enter = partial(_enter, nursery, guard, pages)
            nursery.start_soon(take_in, pages.sock, str(pages.shown), enter, lines)


@dataclass(frozen=True, slots=True)
class _Guard:
    """What every connection needs."""

    app: ASGIApp
    limits: Limits
    settings: Config
    places: Places
    lines: LogLimiter


class _Broken:
    """Notes why a connection is broken: the first reason is one line of the log, for others follow from it."""

    def __init__(self, lines: LogLimiter, peer: str) -> None:
        self._lines = lines
        self._peer = peer
        self._noted = False

    def __call__(self, error: BaseException) -> None:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        if not self._noted:
            self._noted = True
            self._lines.info(_log, "http connection broken", peer=self._peer, error=repr(error))


class _NotSent(Exception):
    """An answer could not be sent, for the peer has broken the protocol, or off."""


def _guarded_app(app: ASGIApp) -> ASGIApp:
    """``app``, without the errors that a peer causes: those of receiving a request and of sending its answer.

    A request whose body has two lengths is refused (RFC 9112, section 6.3: a sign of request smuggling).
    """
    smuggled = refusal(HTTPStatus.BAD_REQUEST, "bad_request", "Content-Length and Transfer-Encoding exclude each other")
    smuggled.headers["connection"] = "close"

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            try:
                await send(message)
            except UnexpectedMessageError:
                raise  # a defect of the application
            except Exception as error:
                raise _NotSent from error

        names = {name for name, _ in scope.get("headers", ())}
        wanted = smuggled if names >= {b"content-length", b"transfer-encoding"} else app
        try:
            await wanted(scope, receive, sent)
        except _NotSent as error:
            scope["state"][BROKEN](error.__cause__ or error)
        except ClientDisconnect as error:
            scope["state"][BROKEN](error)

    return answered


def _shared_by_requests(app: ASGIApp) -> ASGIApp:
    """The application, what it takes of the time counted."""

    async def counted(scope: Scope, receive: Receive, send: Send) -> None:
        await shared().timed(cast(Any, app(scope, receive, send)))

    return counted


def _enter(nursery: trio.Nursery, guard: _Guard, pages: Pages, sock: socket.socket, address: Any) -> bool:
    """Let somebody in who has connected, or hang up: with a word where there is no place, and no TLS before words."""
    peer = str(address[0])
    if guard.places.admits(peer):
        if guard.places.take(peer):
            nursery.start_soon(_guarded, guard, pages, trio.socket.from_stdlib_socket(sock), peer)
            return True
        if pages.certificate is None:
            with contextlib.suppress(OSError):  # it has gone by itself
                sock.send(FULL)  # into an empty buffer
                sock.shutdown(socket.SHUT_WR)
    sock.close()
    return False


async def _guarded(guard: _Guard, pages: Pages, sock: trio.socket.SocketType, peer: str) -> None:
    """One connection from accept to close; nothing but cancellation leaves this function."""
    bind_contextvars(connection=f"http-{next(_NUMBERS)}")
    broken = _Broken(guard.lines, peer)
    try:
        keep_alive(sock)
        if await _begins(sock, place_of(peer), guard.limits.handshake_s):
            await shared().timed(_converse(guard, pages, sock, peer, broken))
    except* Exception as errors:
        broken(errors)
    finally:
        sock.close()
        guard.places.release(peer)


async def _begins(sock: trio.socket.SocketType, place: str, within_s: float) -> bool:
    """Whether somebody says something in time, and is still there when it is the turn of this place.

    Until then a connection costs nothing. OSError: it is broken.
    """
    with trio.move_on_after(within_s):
        await trio.lowlevel.wait_readable(sock)
        await shared().turn(place)
        return bool(await sock.recv(1, socket.MSG_PEEK))
    return False


async def _converse(
    guard: _Guard, pages: Pages, sock: trio.socket.SocketType, peer: str, broken: Callable[[BaseException], None]
) -> None:
    """Requests and answers until either side closes; TLS comes first where the listener has it.

    ``terminated`` ends Hypercorn's keep-alive wait: set when the peer has closed, so that its place is free at once,
    while an answer on its way is still sent. That is why every connection has a context of its own.
    """
    context, stream = WorkerContext(None), TurnStream(sock, shared(), place_of(peer))
    bounded = BoundedStream(stream, guard.limits, context.terminated.set)
    if pages.certificate is not None:
        secured = trio.SSLStream(stream, pages.certificate.context, server_side=True, https_compatible=True)
        try:
            with trio.fail_after(guard.limits.handshake_s):
                await secured.do_handshake()
        except (trio.BrokenResourceError, trio.TooSlowError) as error:
            guard.places.no_tls(str(pages.shown), peer, str(error.__cause__ or "it took too long"))
            return
        bounded = SecureStream(secured, guard.limits, context.terminated.set)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_hang_up, sock, context, nursery.cancel_scope)
        state: Any = {PATIENCE: bounded.patience, BROKEN: broken}
        server = TCPServer(ASGIWrapper(cast(Any, guard.app)), guard.settings, context, state, cast(Any, bounded))
        try:
            await server.run()
        finally:
            vars(server).clear()  # its parts refer to it, and would all be there until a collection
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
