"""One TCP socket as a connection uses it: receive, send without blocking, send the rest.

trio's own streams checkpoint in every send, which a table telling a thousand clients cannot afford: so sockets are
driven by trio.lowlevel directly.
"""

from __future__ import annotations

import contextlib
import socket
import sys
from collections.abc import Callable
from typing import Final, Protocol

import trio

from gateway.net import readiness
from gateway.net.sockets import need_answers, set_up

_CLOSED: Final = "closed here"

SMOOTHED_AT, SHORTEST_AT, TCP_INFO_BYTES = 68, 148, 152
"""Offsets of tcpi_rtt and tcpi_min_rtt in Linux's struct tcp_info, in microseconds. Source: linux/tcp.h."""

Serve = Callable[[bytes], bool]
"""Takes in bytes that were received (b"": the other end closed or is broken); whether that was all there is to do."""


class Peer(Protocol):
    """The other end of a connection. A stream that cannot send without blocking returns 0 from ``send_now``."""

    async def receive(self, most: int, serve: Serve) -> None:
        """Give what comes to ``serve``, at most ``most`` bytes at once, and return when it says False.

        ``serve`` may be called while this task sleeps; what it raises is raised here.
        """

    def send_now(self, data: bytes) -> int:
        """Hand over what fits at once; how many bytes that was. OSError when the connection is broken."""

    async def send_rest(self, data: bytes) -> None:
        """Send all of it, waiting as long as it takes. OSError when the connection is broken."""

    def acknowledge_at_once(self) -> None:
        """Acknowledge every receipt without delay from now on, where the system can."""

    def lag_s(self) -> float:
        """Half the shortest round trip that was measured lately, in seconds; 0.0 where nothing is measured."""

    def close(self) -> None:
        """Close at once; what was handed over is still delivered by the system. Idempotent."""


class SocketPeer:
    """A Peer over a connected TCP socket, which it owns."""

    # fmt: off
    __slots__ = (
        "_defect", "_early", "_most", "_quick_ack", "_readiness", "_receiver", "_serve", "_sock", "_watched",
    )
    # fmt: on

    def __init__(self, sock: socket.socket, early: bytes = b"") -> None:
        """``early`` are bytes that the other end has sent and that were read already: they are served first."""
        set_up(sock)
        need_answers(sock)
        self._sock = sock
        self._early = early
        self._readiness = readiness.shared()
        self._watched = False
        self._receiver: trio.lowlevel.Task | None = None
        self._most = 0
        self._serve: Serve = bool
        self._defect: Exception | None = None
        self._quick_ack = 0

    @property
    def sock(self) -> socket.socket:
        """The socket, for whoever passes it on to another process."""
        return self._sock

    async def receive(self, most: int, serve: Serve) -> None:
        while self._early:
            data, self._early = self._early[:most], self._early[most:]
            if not serve(data):
                return
        if self._sock.fileno() < 0:
            serve(b"")
            return
        if not self._watched:
            self._readiness.watch(self._sock, self._read)
            self._watched = True
        self._most, self._serve, self._receiver = most, serve, trio.lowlevel.current_task()
        try:
            await trio.lowlevel.wait_task_rescheduled(self._stop_receiving)
        finally:
            self._serve = bool  # the connection refers to this peer: break the circle
        if self._defect is not None:
            raise self._defect

    def _read(self) -> None:
        """Bytes can be read; without a receiver they stay in the system's buffer."""
        if self._receiver is None:
            self._unwatch()
            return
        try:
            if self._quick_ack:  # the system forgets it again and again
                self._sock.setsockopt(socket.IPPROTO_TCP, self._quick_ack, 1)
            self._found(self._sock.recv(self._most))
        except BlockingIOError:
            pass
        except OSError:
            self._found(b"")

    def _found(self, data: bytes) -> None:
        try:
            if self._serve(data):
                return
        except Exception as defect:
            self._defect = defect
        if self._receiver is not None:  # serving may have cancelled its task
            trio.lowlevel.reschedule(self._receiver)
            self._receiver = None

    def _stop_receiving(self, _: object) -> trio.lowlevel.Abort:
        self._receiver = None
        return trio.lowlevel.Abort.SUCCEEDED

    def _unwatch(self) -> None:
        if self._watched:
            self._readiness.forget(self._sock)
            self._watched = False

    def send_now(self, data: bytes) -> int:
        try:
            return self._sock.send(data)
        except BlockingIOError:
            return 0

    async def send_rest(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            if self._sock.fileno() < 0:
                raise OSError(_CLOSED)
            try:
                await trio.lowlevel.wait_writable(self._sock)
            except trio.ClosedResourceError:
                raise OSError(_CLOSED) from None
            left = left[self.send_now(left) :]  # type: ignore[arg-type]  # send takes any buffer

    def acknowledge_at_once(self) -> None:
        option = int(getattr(socket, "TCP_QUICKACK", 0))
        with contextlib.suppress(OSError):  # no TCP, or a system without it
            self._sock.setsockopt(socket.IPPROTO_TCP, option, 1)
            self._quick_ack = option

    def lag_s(self) -> float:
        info = getattr(socket, "TCP_INFO", None)
        if info is None:
            return 0.0
        try:
            measured = self._sock.getsockopt(socket.IPPROTO_TCP, info, TCP_INFO_BYTES)
        except OSError:
            return 0.0
        return round_trip_s(measured) / 2

    def close(self) -> None:
        if self._sock.fileno() < 0:
            return
        self._unwatch()
        trio.lowlevel.notify_closing(self._sock)
        self._sock.close()
        if self._receiver is not None:
            self._found(b"")


def round_trip_s(info: bytes) -> float:
    """The shortest round trip of the last minutes, as Linux has it in struct tcp_info; the mean where that is shorter.

    A peer that acknowledges late raises the mean at once, but the shortest only after minutes in which it never
    answered sooner (net.ipv4.tcp_min_rtt_wlen, 300 s). 0.0: nothing was measured.
    """
    smoothed_us, shortest_us = _word(info, SMOOTHED_AT), _word(info, SHORTEST_AT)
    return min(smoothed_us, shortest_us or smoothed_us) / 1e6


def _word(info: bytes, at: int) -> int:
    """32 bits; 0 where the system's structure is shorter."""
    return int.from_bytes(info[at : at + 4], sys.byteorder)
