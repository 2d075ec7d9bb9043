"""Attempts at a direct connection: the other side's addresses are called, and calls are taken, all at once.

Each connection that comes about is encrypted first, which proves that the friend is there and no stranger. Several may
come about; ``first`` takes the earliest and says so on it (USE), and ``second`` takes the one on which that is said.
Not here: the port it is done from (ground.py), what else there is (transport.py).
"""

from __future__ import annotations

import ipaddress
import ssl
from contextlib import suppress
from typing import Final

import trio

from gateway.clients.joining import Address
from gateway.clients.relay.ground import Ground

DIRECT_S: Final = 3.0
"""Seconds of trying: a few round trips round the world; longer than that nobody likes to wait for a game."""

SLACK_S: Final = 1.5
"""Seconds more that ``second`` waits for the word of ``first``, which may have got through at the last moment."""

RETRY_S: Final = 0.25
"""Seconds between two calls of one address: a router refuses until ours has called out, and the other way round."""

MOST_AT_ONCE: Final = 8
"""Strangers that may call at the same time; more are hung up on."""

USE: Final = b"U"


class Attempts:
    """One side's attempts. ``found`` is the connection to be used, and who is at its other end."""

    def __init__(self, tls: ssl.SSLContext, *, first: bool) -> None:
        self.found: tuple[trio.SSLStream[trio.SocketStream], Address] | None = None
        self._tls = tls
        self._first = first
        self._taken = False
        self._open = 0
        self._scope = trio.CancelScope()

    async def run(self, ground: Ground, addresses: list[Address], within_s: float) -> None:
        """Try for so many seconds, or until a connection is found."""
        self._scope.deadline = trio.current_time() + within_s
        with self._scope:
            async with trio.open_nursery() as nursery:
                for listener in ground.listeners:
                    nursery.start_soon(self._take_calls, listener, nursery)
                for address in addresses:
                    nursery.start_soon(self._call, ground, address)
                await trio.sleep_forever()

    async def _take_calls(self, listener: trio.SocketListener, nursery: trio.Nursery) -> None:
        while True:
            stream = await listener.accept()
            if self._open < MOST_AT_ONCE:
                nursery.start_soon(self._try, stream)
            else:
                await trio.aclose_forcefully(stream)

    async def _call(self, ground: Ground, address: Address) -> None:
        while True:
            with suppress(OSError):  # refused, or no way there: until our router and the other's have both seen a call
                await self._try(await ground.dial(address))
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
    """Those that the other side can be at: not ours, not this machine's own unless the server is there too."""
    here = any(ipaddress.ip_address(address.host).is_loopback for address in own)
    return [address for address in dict.fromkeys(addresses) if address not in own and _is_somewhere(address, here)]


def _is_somewhere(address: Address, here: bool) -> bool:
    where = ipaddress.ip_address(address.host)
    return not (where.is_unspecified or where.is_multicast or (where.is_loopback and not here))
