"""Attempts at a direct connection: calls the other side's addresses and takes calls, all at once, from one local port.

A router gives a port a second, public one when a host behind it calls out. The server sees that one and tells the
other side, which calls it; while we call the other side from the same port, our router takes its call for an answer.

Each connection that comes about is encrypted first, which proves that the friend is there and no stranger. Several may
come about; ``first`` takes the earliest and says so on it (USE), and ``second`` takes the one on which that is said.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import trio

from clients.dial import secured
from clients.joining import Address
from clients.relay.meet import Lost
from gateway.net.calling import NoTls
from gateway.net.sockets import Stream, tcp

CONNECT_S: Final = 10.0
"""Seconds until an address at which nothing answers counts as out of reach."""

BACKLOG: Final = 8
"""Callers that may wait: one is expected."""

FAR_AWAY: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Documentation addresses (RFC 5737, RFC 3849): the system names the address it would use for them; nothing is sent."""

EVERYWHERE: Final = {socket.AF_INET: "0.0.0.0", socket.AF_INET6: "::"}


class LocalPort:
    """One local port for calls to the server, calls to the other side, and listening."""

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
        """Addresses at which others may reach the port: that of ``line`` here, and those that face the world."""
        own = str(tcp(line).socket.getsockname()[0])
        found = [own] if ipaddress.ip_address(own).is_loopback else [own, *_facing_the_world()]
        return [Address(host, self.port) for host in dict.fromkeys(found)]

    def close(self) -> None:
        for listener in self.listeners:
            listener.socket.close()


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


DIRECT_S: Final = 3.0
"""Seconds of trying: a few round trips round the world; players would not wait longer for a game."""

SLACK_S: Final = 1.5
"""Seconds more that ``second`` waits for the word of ``first``, which may have got through at the last moment."""

RETRY_S: Final = 0.25
"""Seconds between two calls of one address: a router refuses until ours has called out, and the other way round."""

MOST_AT_ONCE: Final = 8
"""Strangers that may call at the same time; more are hung up on."""

USE: Final = b"U"


class Attempts:
    """One side's attempts. ``found`` is the connection to be used, and the address of its other end."""

    def __init__(self, tls: ssl.SSLContext, *, first: bool) -> None:
        self.found: tuple[trio.SSLStream[trio.SocketStream], Address] | None = None
        self._tls = tls
        self._first = first
        self._taken = False
        self._open = 0
        self._scope = trio.CancelScope()

    async def run(self, port: LocalPort, addresses: list[Address], within_s: float) -> None:
        """Try for so many seconds, or until a connection is found."""
        self._scope.deadline = trio.current_time() + within_s
        with self._scope:
            async with trio.open_nursery() as nursery:
                for listener in port.listeners:
                    nursery.start_soon(self._take_calls, listener, nursery)
                for address in addresses:
                    nursery.start_soon(self._call, port, address)
                await trio.sleep_forever()

    async def _take_calls(self, listener: trio.SocketListener, nursery: trio.Nursery) -> None:
        while True:
            stream = await listener.accept()
            if self._open < MOST_AT_ONCE:
                nursery.start_soon(self._try, stream)
            else:
                await trio.aclose_forcefully(stream)

    async def _call(self, port: LocalPort, address: Address) -> None:
        while True:
            with suppress(OSError):  # refused, or no way there: until our router and the other's have both seen a call
                await self._try(await port.dial(address))
            await trio.sleep(RETRY_S)

    async def _try(self, stream: trio.SocketStream) -> None:
        """Encrypt, and agree that this is the one; a connection that is not the one is closed."""
        tls = trio.SSLStream(stream, self._tls, server_side=self._first, https_compatible=True)
        self._open += 1
        try:
            await tls.do_handshake()
            if await (self._choose(tls) if self._first else self._is_chosen(tls)):
                host, port = stream.socket.getpeername()[:2]
                self.found = tls, Address(host, port)
                self._scope.cancel()
        except (trio.BrokenResourceError, OSError):
            pass  # a stranger, or the other side has chosen another connection
        finally:
            self._open -= 1
            if self.found is None or self.found[0] is not tls:
                await trio.aclose_forcefully(stream)

    async def _choose(self, tls: trio.SSLStream[trio.SocketStream]) -> bool:
        if self._taken:
            return False
        self._taken = True
        try:
            await tls.send_all(USE)
        except trio.BrokenResourceError:
            self._taken = False
            raise
        return True

    async def _is_chosen(self, tls: trio.SSLStream[trio.SocketStream]) -> bool:
        return bytes(await tls.receive_some(1)) == USE


def worth_calling(addresses: list[Address], own: list[Address]) -> list[Address]:
    """The addresses that the other side can be at: not ours, not this machine's own unless the server is there too."""
    here = any(ipaddress.ip_address(address.host).is_loopback for address in own)
    return [address for address in dict.fromkeys(addresses) if address not in own and _is_somewhere(address, here)]


def _is_somewhere(address: Address, here: bool) -> bool:
    where = ipaddress.ip_address(address.host)
    return not (where.is_unspecified or where.is_multicast or (where.is_loopback and not here))
