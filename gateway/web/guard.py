"""Serves an ASGI application over TCP so that no request, however broken, can end more than its own connection.

Hypercorn's own ``serve`` lets the exception of one connection cancel everything that shares its nursery. Here each
connection runs Hypercorn's TCPServer inside a guard: what goes wrong is logged and the connection is closed.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from itertools import count
from typing import Any, Final, cast

import structlog
import trio
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.config import Config
from hypercorn.logging import Logger
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.utils import UnexpectedMessageError
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from gateway.admission.fair_throttle import shared
from gateway.config import Limits
from gateway.net.addresses import address_key
from gateway.net.listening import OpenListener
from gateway.net.log_limiter import LogLimiter
from gateway.net.proxy_reader import ProxyReader
from gateway.net.sockets import Enter, keep_alive, take_in
from gateway.sessions.peer import SocketPeer
from gateway.sessions.tls_peer import TlsPeer
from gateway.web.headers import HSTS, NOSNIFF
from gateway.web.limiters import HttpLimiter, WebLimiter
from gateway.web.refusals import refusal
from gateway.web.stream import BoundedStream, SecureStream, SecureTurnStream, Stream, TurnStream
from gateway.web.takeover import Takeover
from gateway.web.upgrade import NotAccepted, may_be

PING_S: Final = 25.0
"""Seconds between WebSocket pings: shorter than the minute after which proxies and routers forget a connection."""
MESSAGE_BYTES: Final = 65_536
"""The longest WebSocket message: a browser's commands are some hundred bytes."""
STREAMS: Final = 16
"""Requests at once over one HTTP/2 connection: more is a flood, a reverse proxy opens further connections."""
FAREWELL_S: Final = 1.0
"""Seconds an answer may take once the peer has closed: after some HTTP/2 upgrades Hypercorn would wait for ever, and
an application that streams need not notice a client that does not read."""

PEEKED_BYTES: Final = 64
"""Bytes of a request that are looked at to see whether it may be for a WebSocket: longer than any path of one."""

PATIENCE: Final = "patience"
"""The ASGI state's name for the context in which an answer may take as long as its client waits."""

BROKEN: Final = "broken"
"""The ASGI state's name for the function that notes why its connection is broken."""

PAGES: Final = "pages"
"""The ASGI state's name for the listener, an OpenListener."""

FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 10\r\n%b\r\nConnection: close\r\n\r\n"
    % ": ".join(NOSNIFF).encode()
)

_NUMBERS: Final = count(1)
"""Numbers of connections, for the log: players' connections have their own."""

_log = structlog.get_logger()


async def serve(
    listeners: Sequence[OpenListener],
    app: ASGIApp,
    *,
    limits: Limits,
    lines: LogLimiter,
    limiter: WebLimiter | None = None,
    takeover: Takeover | None = None,
    proxies: ProxyReader | None = None,
) -> None:
    """Serve ``app`` on ``listeners`` until cancelled; then hang up at once, even while sending, and close them.

    No peer makes it raise. ``lines`` gets a line of the log for each broken connection. ``limiter`` counts the
    connections; None counts HTTP's on their own. ``takeover`` gets the WebSockets of its paths, whose connections are
    not counted here any more. ``proxies`` is for listeners with ``proxy_protocol``.
    """
    counted = limiter or HttpLimiter(limits)
    guard = _Guard(
        _shared_by_requests(_guarded_app(app)), limits, _settings(limits, listeners), counted, lines, takeover
    )
    async with trio.open_nursery() as nursery:
        for pages in listeners:
            shown = str(pages.shown)
            enter: Enter = partial(_enter, nursery, guard, pages)
            if pages.proxy_protocol:
                assert proxies is not None
                enter = proxies.before(enter, nursery, shown)
            nursery.start_soon(take_in, pages.sock, shown, enter, lines)


@dataclass(frozen=True, slots=True)
class _Guard:
    """Collaborators that all connections share."""

    app: ASGIApp
    limits: Limits
    settings: Config
    limiter: WebLimiter
    lines: LogLimiter
    takeover: Takeover | None


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


def _enter(nursery: trio.Nursery, guard: _Guard, pages: OpenListener, sock: socket.socket, address: Any) -> bool:
    """Let a new connection in, or hang up: with a word at the limit, where no TLS comes before words."""
    peer = str(address[0])
    if guard.limiter.admits(peer):
        if guard.limiter.take(peer):
            nursery.start_soon(_guarded, guard, pages, sock, peer)
            return True
        if pages.certificate is None:
            with contextlib.suppress(OSError):  # it has gone by itself
                sock.send(FULL)  # into an empty buffer
                sock.shutdown(socket.SHUT_WR)
    sock.close()
    return False


async def _guarded(guard: _Guard, pages: OpenListener, accepted: socket.socket, peer: str) -> None:
    """One connection from accept to close, or to its takeover; nothing but cancellation leaves this function."""
    bind_contextvars(connection=f"http-{next(_NUMBERS)}")
    broken = _Broken(guard.lines, peer)
    sock = trio.socket.from_stdlib_socket(accepted)
    close, enter = sock.close, _nothing
    try:
        keep_alive(sock)
        begun = await _begins(sock, address_key(peer), guard.limits.handshake_s)
        if begun and (stream := await _stream(guard, pages, accepted, sock, peer)) is not None:
            close = stream.close
            enter = await shared().timed(_converse(guard, pages, stream, peer, broken, begun))
    except* Exception as errors:
        broken(errors)
    finally:
        close()
        guard.limiter.release(peer)
    enter()


def _nothing() -> None:
    """The connection is over."""


async def _begins(sock: trio.socket.SocketType, key: str, within_s: float) -> bytes:
    """The first bytes of what the client sends in time, which stay to be read; b"" when it does not.

    It is still there at the turn of its address then. Until then a connection costs nothing. OSError: it is broken.
    """
    with trio.move_on_after(within_s):
        await trio.lowlevel.wait_readable(sock)
        await shared().turn(key)
        return await sock.recv(PEEKED_BYTES, socket.MSG_PEEK)
    return b""


async def _stream(
    guard: _Guard, pages: OpenListener, accepted: socket.socket, sock: trio.socket.SocketType, peer: str
) -> Stream | None:
    """The stream of requests, behind TLS where the listener has it; None when there is no TLS with this peer."""
    if pages.certificate is None:
        return TurnStream(sock, shared(), address_key(peer))
    secured = TlsPeer(SocketPeer(accepted), pages.certificate.context, address_key(peer))
    why = "it took too long"
    try:
        with trio.move_on_after(guard.limits.handshake_s):
            await secured.shake_hands()
            return SecureTurnStream(secured, sock, shared(), address_key(peer))
    except OSError as error:
        why = str(getattr(error, "reason", None) or error)
    except BaseException:
        secured.close()
        raise
    secured.close()
    guard.limiter.no_tls(str(pages.shown), peer, why)
    return None


async def _converse(
    guard: _Guard, pages: OpenListener, stream: Stream, peer: str, broken: Callable[[BaseException], None], begun: bytes
) -> Callable[[], None]:
    """Requests and answers until either side closes, or until the socket is taken over: what is to be done then.

    ``terminated`` ends Hypercorn's keep-alive wait: set when the peer has closed, so that it counts no more,
    while an answer on its way is still sent. That is why every connection has a context of its own.
    """
    context = WorkerContext(None)
    kind = BoundedStream if pages.certificate is None else SecureStream
    bounded = kind(stream, guard.limits, context.terminated.set, peer)
    takeover = guard.takeover
    if takeover is not None and (pages.certificate is not None or may_be(begun, takeover.paths)):
        try:
            with trio.fail_after(guard.limits.handshake_s):
                welcome = await takeover.welcome(bounded, pages, peer)
        except trio.TooSlowError:
            return _nothing
        except NotAccepted as refused:
            await _refuse(bounded, refused.answer)
            return _nothing
        if welcome is not None:
            return partial(welcome.enter, stream.handed_over(welcome.early))
    await _serve_requests(guard, pages, stream, bounded, context, broken)
    return _nothing


async def _refuse(stream: BoundedStream, answer: bytes) -> None:
    """Send the answer, and give the peer a moment to read it: a close before it has read all would discard it."""
    await stream.send_all(answer)
    await stream.send_eof()
    with trio.move_on_after(FAREWELL_S):
        while await stream.receive_some():
            pass


async def _serve_requests(
    guard: _Guard,
    pages: OpenListener,
    stream: Stream,
    bounded: BoundedStream,
    context: WorkerContext,
    broken: Callable[[BaseException], None],
) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_hang_up, stream, context, nursery.cancel_scope)
        state: Any = {PATIENCE: bounded.patience, BROKEN: broken, PAGES: pages}
        server = TCPServer(ASGIWrapper(cast(Any, guard.app)), guard.settings, context, state, cast(Any, bounded))
        try:
            await server.run()
        finally:
            vars(server).clear()  # its parts refer to it, and would all be there until a collection
        nursery.cancel_scope.cancel()


async def _hang_up(stream: Stream, context: WorkerContext, conversation: trio.CancelScope) -> None:
    """End the conversation a moment after the peer has closed, and at once when cancelled.

    Hypercorn shields its sends from cancellation; closing the socket ends them.
    """
    try:
        await context.terminated.wait()
        await trio.sleep(FAREWELL_S)
        conversation.cancel()
    finally:
        stream.close()


def _settings(limits: Limits, listeners: Sequence[OpenListener]) -> Config:
    settings = _Settings()
    if all(pages.certificate is not None for pages in listeners):
        settings.always = (*settings.always, HSTS)
    settings.logger_class = WebLog
    settings.include_server_header = False
    settings.keep_alive_timeout = limits.handshake_s
    settings.read_timeout = None  # BoundedStream's, for requests may wait
    settings.websocket_ping_interval = PING_S
    settings.websocket_max_message_size = MESSAGE_BYTES
    settings.h2_max_concurrent_streams = STREAMS
    settings.max_app_queue_size = 1 << 30  # never full; BoundedStream says why and bounds it in bytes
    return settings


class _Settings(Config):
    """Hypercorn's, which asks them for the headers of every answer, those of its own among them."""

    always: tuple[tuple[str, str], ...] = (NOSNIFF,)

    def response_headers(self, protocol: str) -> list[tuple[bytes, bytes]]:
        own = [(name.encode(), value.encode()) for name, value in self.always]
        return [*super().response_headers(protocol), *own]


class WebLog(Logger):
    """Passes Hypercorn's log on to structlog: its complaints at their own level, requests at debug."""

    def __init__(self, config: Config) -> None:
        self.access_logger, self.error_logger = None, cast(Any, _log)

    async def access(self, request: Mapping[str, Any], response: Mapping[str, Any] | None, request_time: float) -> None:
        client = request.get("client")
        _log.debug(
            "http request",
            method=request.get("method", "-"),
            path=request.get("path", "-"),
            status=response["status"] if response else None,
            peer=client[0] if client else None,
            seconds=round(request_time, 4),
        )
