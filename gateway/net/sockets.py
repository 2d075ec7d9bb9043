"""Listening sockets, accepting, and how an accepted socket is set up."""

from __future__ import annotations

import contextlib
import errno
import math
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

import structlog
import trio

from gateway.config import BadSetting, Listen
from gateway.net.addresses import address_key, plain
from gateway.net.log_limiter import LogLimiter

BACKLOG: Final = 1024
"""Connections the system may hold for us between two turns: a whole club that comes at the same moment. Beyond them it
forgets some without a word, and a client that waits for our first word never hears of it."""

HELD: Final = 1024
"""Accepted connections that may wait at a port to be let in: a whole club reconnecting after a restart."""

BREATHER_S: Final = 0.1
"""Seconds before accepting again when the process has no file descriptor left: others will close meanwhile."""

BATCH: Final = 64
"""Connections accepted, and refused, in one turn of a port: cheap beside one that is let in."""

PAUSE_S: Final = 0.001
"""Seconds before the next turn, of any port. New connections wait meanwhile; a millisecond goes unnoticed."""

REST: Final = 6.0
"""And so many times as long as the turn took: accepting, above all refusing, gets a seventh of the time at most."""

WELCOME: Final = 2
"""Connections of a turn that are let in at most: the first words of all of them are served in one turn."""

WELCOME_S: Final = 0.001
"""Seconds before the next turn for each who was let in, whose first words are work: at most a thousand a second. A
club that reconnects after a restart is inside in a second."""

WAIT_S: Final = 15.0
"""Seconds that a connection may wait to be let in: a crowd of HELD comes in even where a busy machine lets 70 in a
second; programs wait longer for an answer."""

KNOWN_S: Final = 1.0
"""Seconds of waiting by which the rate of a port is known. Until then no connection is refused for those before it."""

MEASURED_S: Final = 5.0
"""Seconds over which that rate is measured then: one bad second of a busy machine refuses nobody."""

STANDSTILL_S: Final = 0.5
"""Seconds that one turn counts at most in them: in a standstill of the machine a port lets nobody in, and no more come
to wait there."""

KEEPALIVE_IDLE_S: Final = 120
"""Seconds of silence before the system asks whether the peer is still there: most routers forget a connection that
was silent for longer than some minutes, and a question keeps it in their memory."""

KEEPALIVE_INTERVAL_S: Final = 30
"""Seconds between such questions while no answer comes: a mobile network may take so long to wake up."""

KEEPALIVE_PROBES: Final = 4
"""Questions without an answer until the connection counts as dead: found after four minutes, not after hours."""

ANY: Final = "::"
"""The host of a listener at every address of the machine, of both families."""

ANY_IPV4: Final = "0.0.0.0"
"""The same of IPv4 alone."""

_log = structlog.get_logger()


class AddressInUse(BadSetting):
    """The address is in use."""


Opening: TypeAlias = Callable[[Listen], tuple[socket.socket, Listen]]
"""Gives a listener its socket: ``open_socket``, or what has one already."""


def open_socket(listen: Listen) -> tuple[socket.socket, Listen]:
    """A listening socket, and the listener with the port it got. BadSetting says what is wrong with the address."""
    with opening(listen):
        sock = bound(listen.host, listen.port)
    return sock, Listen(listen.dialect, listen.host, sock.getsockname()[1], listen.options)


@contextlib.contextmanager
def opening(listen: Listen) -> Iterator[None]:
    """Make a BadSetting of an OSError: what is wrong with the listener's address."""
    try:
        yield
    except OSError as error:
        words = f"cannot listen on {listen.address}: {error.strerror or error}"
        if error.errno == errno.EADDRINUSE:
            raise AddressInUse(f"{words}; another server is running, or choose another port") from None
        raise BadSetting(words) from None


def bound(host: str, port: int, backlog: int = BACKLOG, *, reuse_port: bool = False) -> socket.socket:
    """A listening socket that does not block; port 0 is any free one. OSError.

    ``reuse_port``: other sockets that say so, too, may listen on the same port. ANY listens for IPv4 as well, whatever
    the system's default is, and for IPv4 alone on a system without IPv6.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, number, _, address = found[0]
    try:
        sock = socket.socket(family, kind, number)
    except OSError as error:
        if host != ANY or error.errno != errno.EAFNOSUPPORT:
            raise
        return bound(ANY_IPV4, port, backlog, reuse_port=reuse_port)
    try:
        if host == ANY:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if reuse_port:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        sock.bind(address)
        sock.listen(backlog)
    except OSError:
        sock.close()
        raise
    sock.setblocking(False)
    return sock


Enter = Callable[[socket.socket, Any], bool]
"""Takes a connection and its address; whether it was let in. Who is not has been hung up on."""


async def take_in(sock: socket.socket, listener: str, enter: Enter, lines: LogLimiter) -> None:
    """Give every connection to ``enter`` until cancelled; closes the listening socket then.

    However many come, the clients inside have most of the time, and ports have turns. A newcomer waits WAIT_S at most:
    where more come than can be let in by then, the newest are hung up on.
    """
    port, turn = _Port(sock, enter), _turns()
    try:
        while True:
            if not port.waiting:
                await trio.lowlevel.wait_readable(sock)
            async with turn:
                begun, breather_s = time.thread_time(), 0.0
                try:
                    port.accept(trio.current_time())
                except OSError as error:
                    lines.warning(_log, "cannot accept", listener=listener, error=str(error))
                    breather_s = BREATHER_S
                welcome = port.let_in()
                spent_s = time.thread_time() - begun  # what other processes took of the time is not ours
                await trio.sleep(max(PAUSE_S, REST * spent_s, WELCOME_S * welcome, breather_s))
    finally:
        port.close()


_TURNS: Final = trio.lowlevel.RunVar[trio.StrictFIFOLock]("turns of ports")


def _turns() -> trio.StrictFIFOLock:
    """The lock for which all ports of this trio loop wait in their order."""
    try:
        return _TURNS.get()
    except LookupError:
        _TURNS.set(made := trio.StrictFIFOLock())
        return made


class _Port:
    """A listening socket, and the connections accepted there that wait to be let in: addresses have turns, too."""

    def __init__(self, sock: socket.socket, enter: Enter) -> None:
        self._sock = sock
        self._enter = enter
        self._waiting: dict[str, deque[tuple[socket.socket, Any]]] = {}  # by address, the next one first
        self._answered: deque[float] = deque()  # when, in the last MEASURED_S while connections waited
        self._busy_since: float | None = None
        self._clock = 0.0  # the seconds of all turns, each as far as it counts
        self._turned = -math.inf

    @property
    def waiting(self) -> int:
        """Number of connections that wait."""
        return sum(map(len, self._waiting.values()))

    def accept(self, now: float) -> None:
        """Accept some connections. OSError: there is no file descriptor for another."""
        self._clock += min(now - self._turned, STANDSTILL_S)
        self._turned = now
        for _ in range(min(BATCH, HELD - self.waiting)):
            try:
                accepted, address = self._sock.accept()
            except BlockingIOError:
                break
            except ConnectionError:
                continue  # gone before its turn
            named = plain(str(address[0])), *address[1:]
            self._waiting.setdefault(address_key(named[0]), deque()).append((accepted, named))
        if self._waiting and self._busy_since is None:
            self._busy_since = self._clock

    def let_in(self) -> int:
        """Hang up on the newest that would wait for too long, and let in the next; the number that was let in."""
        self._refuse()
        welcome = 0
        for _ in range(BATCH):
            if welcome == WELCOME or not self._waiting:
                break
            key = next(iter(self._waiting))
            queue = self._waiting.pop(key)
            welcome += self._enter(*queue.popleft())
            self._answered.append(self._clock)
            if queue:
                self._waiting[key] = queue
        if not self._waiting:
            self._busy_since = None
            self._answered.clear()
        return welcome

    def _refuse(self) -> None:
        """Hang up on the newest of the addresses with the most, where more wait than can be let in in time."""
        while self._answered and self._answered[0] <= self._clock - MEASURED_S:
            self._answered.popleft()
        if self._busy_since is None or self._clock - self._busy_since < KNOWN_S:
            return
        measured_s = min(MEASURED_S, self._clock - self._busy_since)
        most = max(1, int(len(self._answered) * WAIT_S / measured_s))
        over = self.waiting - most
        for key in sorted(self._waiting, key=lambda key: -len(self._waiting[key])) if over > 0 else ():
            queue = self._waiting[key]
            while over > 0 and len(queue) > most // len(self._waiting):
                queue.pop()[0].close()
                over -= 1
            if not queue:
                del self._waiting[key]

    def close(self) -> None:
        """Hang up on all that wait, and close the socket."""
        for queue in self._waiting.values():
            for accepted, _ in queue:
                accepted.close()
        self._sock.close()


def set_up(sock: socket.socket) -> None:
    """An accepted socket: it does not block, small sends leave at once, and TCP finds out when the peer is gone.

    Urgent bytes stay in their place: a Telnet client sends the end of its Synch so (RFC 854).
    """
    sock.setblocking(False)
    with contextlib.suppress(OSError):  # a socket pair of a test has no TCP
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
        keep_alive(sock)


def need_answers(sock: socket.socket) -> None:
    """The same time for what was sent: asking is put off while something is unacknowledged, for a quarter of an hour.

    Not for relayed pairs: a program that does not read for minutes is not gone.
    """
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    silent_s = KEEPALIVE_IDLE_S + KEEPALIVE_INTERVAL_S * KEEPALIVE_PROBES
    if option is not None:
        with contextlib.suppress(OSError):  # as above
            sock.setsockopt(socket.IPPROTO_TCP, option, 1000 * silent_s)


def keep_alive(sock: socket.socket | trio.socket.SocketType) -> None:
    """A player may think for hours; a peer that is gone without a word must be found by TCP itself."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, number in (
        ("TCP_KEEPIDLE", KEEPALIVE_IDLE_S),
        ("TCP_KEEPINTVL", KEEPALIVE_INTERVAL_S),
        ("TCP_KEEPCNT", KEEPALIVE_PROBES),
    ):
        if hasattr(socket, option):  # not every system lets one choose
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), number)


Secured: TypeAlias = trio.SSLStream[trio.SocketStream]
Stream: TypeAlias = trio.SocketStream | Secured


def tcp(stream: Stream) -> trio.SocketStream:
    """The TCP stream below TLS, or the stream itself."""
    return stream.transport_stream if isinstance(stream, trio.SSLStream) else stream
