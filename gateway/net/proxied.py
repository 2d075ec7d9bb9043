"""Parses the header of the PROXY protocol, versions 1 and 2, with which a proxy names the client of a connection.

Source: HAProxy's proxy-protocol.txt, sections 2.1 (version 1) and 2.2 (version 2). TLVs are skipped. proxy_reader.py
reads the header off a socket.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final

from protocols.core.errors import RemoteProtocolError

PREFIX: Final = b"PROXY "
"""The beginning of version 1."""

LINE: Final = 107
"""Bytes of version 1's line at most, CR LF among them."""

SIGNATURE: Final = b"\r\n\r\n\x00\r\nQUIT\n"
"""The beginning of version 2; its first byte is another than version 1's."""

HEAD: Final = struct.Struct("!12sBBH")
"""Version 2: signature, version and command, family and transport, bytes of addresses and TLVs that follow."""

MOST: Final = 4096
"""Bytes that may follow version 2's head: addresses take 216 at most, what proxies write behind them some hundred."""

LONGEST: Final = HEAD.size + MOST
"""Bytes of a header of either version at most."""

LOCAL, PROXY = 0, 1
"""Version 2's commands: the proxy's own connection, such as a health check, or one that it passes on."""

UNSPEC, TCP4, TCP6, UNIX = 0x00, 0x11, 0x21, 0x31
"""Version 2's families and transports. Datagrams are not passed on over TCP."""

ADDRESSES: Final = {UNSPEC: 0, TCP4: 12, TCP6: 36, UNIX: 216}
"""Bytes of version 2's addresses."""

Address = tuple[str, int]
"""Host and port."""


@dataclass(frozen=True, slots=True)
class Header:
    """``length`` in bytes. ``client`` None: the header names none, and the connection's own address counts."""

    length: int
    client: Address | None


def parse(data: bytes) -> Header | None:
    """The header at the beginning of ``data``; None while it is not complete. RemoteProtocolError: it is none.

    As long as it is None, all of ``data`` belongs to the header.
    """
    if data[: len(SIGNATURE)] == SIGNATURE[: len(data)]:
        return _binary(data)
    if data[: len(PREFIX)] == PREFIX[: len(data)]:
        return _line(data)
    raise RemoteProtocolError(f"no PROXY header: {data[: len(SIGNATURE)]!r}")


def _line(data: bytes) -> Header | None:
    """Version 1: "PROXY", family, two addresses and two ports, between single blanks; UNKNOWN may have anything."""
    end = data.find(b"\r\n", 0, LINE)
    if end < 0:
        if len(data) >= LINE:
            raise RemoteProtocolError(f"no end of the PROXY line within {LINE} bytes")
        return None
    line = data[:end].decode("latin-1")
    _, family, *words = line.split(" ")
    if family == "UNKNOWN":
        return Header(end + 2, None)
    try:
        client, server, client_port, server_port = words
        host, _ = _host(family, client), _host(family, server)
        port, _ = _port(client_port), _port(server_port)
    except ValueError:
        raise RemoteProtocolError(f"wrong PROXY line: {line!r}") from None
    return Header(end + 2, (host, port))


def _host(family: str, text: str) -> str:
    """ValueError: it is no address of this family."""
    if family == "TCP4":
        return str(IPv4Address(text))
    if family == "TCP6" and "%" not in text:
        return _ipv6(IPv6Address(text))
    raise AddressValueError(text)


def _ipv6(address: IPv6Address) -> str:
    """An IPv4 client of a proxy that listens for both is an IPv4 address here, too."""
    return str(address.ipv4_mapped or address)


def _port(text: str) -> int:
    """ValueError: it is none, or has zeroes in front."""
    port = int(text)
    if str(port) != text or not 0 <= port <= 0xFFFF:
        raise ValueError(text)
    return port


def _binary(data: bytes) -> Header | None:
    """Version 2."""
    if len(data) < HEAD.size:
        return None
    _, version_and_command, family, count = HEAD.unpack_from(data)
    version, command = version_and_command >> 4, version_and_command & 15
    if version != 2 or command not in (LOCAL, PROXY):
        raise RemoteProtocolError(f"unknown version or command of a PROXY header: {version_and_command:#04x}")
    if count > MOST:
        raise RemoteProtocolError(f"a PROXY header of {count} bytes behind its head; at most {MOST} are read")
    if command == PROXY and count < ADDRESSES.get(family, LONGEST):
        raise RemoteProtocolError(f"unknown or cut addresses in a PROXY header: {family:#04x}, {count} bytes")
    length = HEAD.size + count
    if len(data) < length:
        return None
    return Header(length, _client(family, data[HEAD.size : length]) if command == PROXY else None)


def _client(family: int, addresses: bytes) -> Address | None:
    """Both addresses, the client's first, then both ports. None: a proxy's UNIX socket, or a family without a name."""
    if family == TCP4:
        return str(IPv4Address(addresses[:4])), int.from_bytes(addresses[8:10])
    if family == TCP6:
        return _ipv6(IPv6Address(addresses[:16])), int.from_bytes(addresses[32:34])
    return None
