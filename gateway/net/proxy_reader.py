"""Reads the PROXY header of new connections from trusted proxies, and lets them in by the address that it names.

Not a byte behind the header is read: what follows, TLS's handshake or the client's first words, stays in the socket.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from functools import partial
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Final, Protocol

import trio

from gateway.config import BadSetting, Config
from gateway.net.proxied import LONGEST, Header, parse
from gateway.net.sockets import Enter
from protocols.core.errors import RemoteProtocolError

PROXY_PROTOCOL: Final = "proxy_protocol"

PROXY_OPTIONS: Final = {
    PROXY_PROTOCOL: "yes: only proxies of server.trusted_proxies connect, and say in a PROXY header (v1, v2) for whom"
}
"""Options of listeners: name to one line of help."""


class TrustedProxies:
    """The networks of the setting ``server.trusted_proxies``; ``host in`` it. An IPv4 address may be mapped to IPv6."""

    def __init__(self, written: str) -> None:
        """BadSetting: one of the words is no network."""
        try:
            self._networks = [ip_network(word) for word in written.split()]
        except ValueError as error:
            raise BadSetting(f"[server] trusted_proxies: {error}") from None

    def __contains__(self, host: str) -> bool:
        address = ip_address(host.partition("%")[0])
        if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        return any(address in network for network in self._networks)


class Places(Protocol):
    """Counts connections whose client is not known yet; gateway.ops's object counts them among all."""

    def take_unnamed(self) -> bool:
        """Count one; False, and nothing counted, at the limit."""

    def release_unnamed(self) -> None:
        """Uncount it: its client is known now, or it is closed."""


Refused = Callable[[str, str, str], object]
"""Told of a connection that was closed: at which listener, from which host, and why."""


class ProxyReader:
    """One for all listeners. ``within_s`` is how long a header may take."""

    def __init__(self, trusted: TrustedProxies, places: Places, within_s: float, refused: Refused) -> None:
        self._trusted = trusted
        self._places = places
        self._within_s = within_s
        self._refused = refused

    def reread(self, config: Config) -> None:
        """Believe the proxies of these settings from now on. Who is inside stays."""
        self._trusted = TrustedProxies(config.server.trusted_proxies)

    def before(self, enter: Enter, nursery: trio.Nursery, listener: str) -> Enter:
        """``enter`` for a listener behind proxies: called once the header is read, with the address in it.

        Headers that do not come with their connection are waited for in ``nursery``.
        """
        return partial(self._begin, enter, nursery, listener)

    def _begin(self, enter: Enter, nursery: trio.Nursery, listener: str, sock: socket.socket, address: Any) -> bool:
        """Most headers are there already: then no task is needed."""
        host = str(address[0])
        if host not in self._trusted:
            return self._refuse(sock, listener, host, "not one of server.trusted_proxies")
        sock.setblocking(False)
        reading = _Reading(sock)
        try:
            header = reading.go_on()
        except (OSError, RemoteProtocolError) as error:
            return self._refuse(sock, listener, host, str(error))
        if header is not None:
            return enter(sock, header.client or address)
        if not self._places.take_unnamed():
            return self._refuse(sock, listener, host, "no place to wait for its header")
        nursery.start_soon(self._wait, enter, listener, reading, address)
        return True

    async def _wait(self, enter: Enter, listener: str, reading: _Reading, address: Any) -> None:
        """Until the header is there, the connection counts like one inside."""
        header, why = None, f"took more than {self._within_s:g} s"
        try:
            with trio.move_on_after(self._within_s):
                header = await reading.rest()
        except (OSError, RemoteProtocolError) as error:
            why = str(error)
        except BaseException:
            reading.sock.close()
            raise
        finally:
            self._places.release_unnamed()
        if header is None:
            self._refuse(reading.sock, listener, str(address[0]), why)
        else:
            enter(reading.sock, header.client or address)

    def _refuse(self, sock: socket.socket, listener: str, host: str, why: str) -> bool:
        sock.close()
        self._refused(listener, host, why)
        return False


class _Reading:
    """A socket's header, as far as it has been read."""

    __slots__ = ("_data", "sock")

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self._data = b""

    async def rest(self) -> Header:
        """Wait for all of it. OSError, RemoteProtocolError: there will be none."""
        while True:
            await trio.lowlevel.wait_readable(self.sock)
            if (header := self.go_on()) is not None:
                return header

    def go_on(self) -> Header | None:
        """Read what has come of it; None while more is to come. OSError, RemoteProtocolError: there will be none.

        Bytes are looked at first and then taken, as many as are the header's.
        """
        while True:
            try:
                ahead = self.sock.recv(LONGEST - len(self._data), socket.MSG_PEEK)
            except BlockingIOError:
                return None
            if not ahead:
                raise ConnectionError("closed before its PROXY header was complete")
            header = parse(self._data + ahead)
            self._data += self.sock.recv(len(ahead) if header is None else header.length - len(self._data))
            if header is not None and len(self._data) == header.length:
                return header
