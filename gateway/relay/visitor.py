"""One socket of the relay and its address, counted among all connections where it was accepted."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from typing import Protocol

import structlog

from gateway.net.readiness import READ, Reader, Readiness

_log = structlog.get_logger()


class ConnectionCounter(Protocol):
    """Counts connections; gateway.ops's object counts those of every listener."""

    def take(self, address: str) -> bool:
        """Count a connection of this host; False, and nothing counted, at the limit."""

    def release(self, address: str) -> None:
        """Uncount the connection."""


def guarded(ready: Reader, hang_up: Callable[[], object], peer: str = "") -> Reader:
    """A reader that raises nothing: a defect of ours is logged and ends what it happened to, and nothing else.

    ``peer`` is where that comes from, HOST:PORT.
    """

    def call() -> None:
        try:
            ready()
        except Exception:
            _log.exception("relay failed", peer=peer)
            hang_up()

    return call


class Visitor:
    """Owns ``sock``. ``host`` is its address, ``shown`` that with the port, as the wire writes it."""

    __slots__ = ("_counter", "_events", "_guarded", "_readiness", "_ready", "host", "shown", "sock")

    def __init__(
        self, sock: socket.socket, host: str, shown: str, counter: ConnectionCounter | None, readiness: Readiness
    ) -> None:
        """``counter`` None: a call to another node, whose caller is counted already."""
        self.sock = sock
        self.host = host
        self.shown = shown
        self._counter = counter
        self._readiness = readiness
        self._events = 0
        self._ready: Reader | None = None
        self._guarded: Reader | None = None

    def watch(self, ready: Reader, events: int = READ) -> None:
        """Call ``ready`` for these events from now on."""
        if self._guarded is None or ready != self._ready:
            self._ready, self._guarded = ready, guarded(ready, self.close, self.shown)
        (self._readiness.change if self._events else self._readiness.watch)(self.sock, self._guarded, events)
        self._events = events

    def unwatch(self) -> None:
        """Call back no more. Idempotent."""
        if self._events:
            self._readiness.forget(self.sock)
            self._events = 0

    def hear(self, most: int) -> bytes | None:
        """The bytes that have come, about ``most``; b"" at the end, None while there are none."""
        try:
            return self.sock.recv(most)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def say(self, line: bytes) -> None:
        """Send a line. Lines are few and short and always fit; a peer that is gone is found when its socket is read."""
        with contextlib.suppress(OSError):
            self.sock.send(line)

    def close(self, *, cut: bool = False) -> None:
        """Close, and uncount the connection; the system still delivers sent bytes. Idempotent.

        ``cut``: what it was told last has not been sent whole.
        """
        if self.sock.fileno() < 0:
            return
        self.unwatch()
        self._ready = self._guarded = None
        self.sock.close()
        if self._counter is not None:
            self._counter.release(self.host)
