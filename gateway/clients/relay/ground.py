"""One local port from which everything is done: the server is called from it, and so is the other side, and on it we
listen.

A router gives a port a second, public one when somebody behind it calls out. The server sees that one and tells the
other side, which calls it; while we call the other side from the same port, our router takes its call for an answer.
Not here: which connection is used (direct.py).
"""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import trio

from gateway.clients.dial import secured
from gateway.clients.joining import Address
from gateway.clients.relay.meet import Lost
from gateway.clients.secure import NoTls
from gateway.net.streams import Stream, tcp

CONNECT_S: Final = 10.0
"""Seconds until an address at which nothing answers counts as out of reach."""

BACKLOG: Final = 8
"""Callers that may wait: one is expected."""

FAR_AWAY: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses of nobody (RFC 5737, RFC 3849): the system says which of ours it would call them from; nothing is sent."""

EVERYWHERE: Final = {socket.AF_INET: "0.0.0.0", socket.AF_INET6: "::"}


class Ground:
    """The port, and the sockets that listen on it."""

    def __init__(self) -> None:
        self.listeners: list[trio.SocketListener] = []
        self.port = 0
        for family in EVERYWHERE:
            with suppress(OSError):  # a system without IPv6
                self._listen(family)

    def _listen(self, family: socket.AddressFamily) -> None:
        sock = _bound(family, self.port)
        sock.listen(BACKLOG)
        self.port = int(sock.getsockname()[1])
        self.listeners.append(trio.SocketListener(trio.socket.from_stdlib_socket(sock)))

    async def dial(self, address: Address) -> trio.SocketStream:
        """Call a literal address from the port. Raises OSError."""
        family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
        sock = trio.socket.from_stdlib_socket(_bound(family, self.port))
        try:
            await sock.connect((address.host, address.port))
        except BaseException:
            sock.close()
            raise
        return trio.SocketStream(sock)

    async def call(self, server: Address) -> Stream:
        """Call a server by name, at the first of its addresses that answers. Raises Lost, also where it should speak
        TLS and cannot be trusted."""
        why = "nothing answers"
        try:
            found = await trio.socket.getaddrinfo(server.host, server.port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise Lost(f"there is no host {server.host!r}: {error.strerror or error}") from error
        for *_, where in found:
            with trio.move_on_after(CONNECT_S):
                try:
                    stream = await self.dial(Address(str(where[0]), server.port))
                    return await secured(stream, server) if server.tls else stream
                except NoTls as error:
                    raise Lost(f"no relay at {server}: {error}") from error
                except OSError as error:
                    why = os.strerror(error.errno) if error.errno else str(error)
        raise Lost(f"no relay answers at {server}: {why}")

    def addresses(self, line: Stream) -> list[Address]:
        """Where others may reach the port: the address that ``line`` has here, and those that face the world."""
        own = str(tcp(line).socket.getsockname()[0])
        found = [own] if ipaddress.ip_address(own).is_loopback else [own, *_facing_the_world()]
        return [Address(host, self.port) for host in dict.fromkeys(found)]

    def close(self) -> None:
        for listener in self.listeners:
            listener.socket.close()


@contextmanager
def ground() -> Iterator[Ground]:
    found = Ground()
    try:
        yield found
    finally:
        found.close()


def _bound(family: socket.AddressFamily, port: int) -> socket.socket:
    """A socket on this port, which others of ours may share where the system has a word for that."""
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        for name in ("SO_REUSEADDR", "SO_REUSEPORT"):
            if hasattr(socket, name):
                sock.setsockopt(socket.SOL_SOCKET, getattr(socket, name), 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind((EVERYWHERE[family], port))
    except BaseException:
        sock.close()
        raise
    return sock


def _facing_the_world() -> Iterator[str]:
    for family, host in FAR_AWAY:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((host, 9))
            yield str(probe.getsockname()[0])
