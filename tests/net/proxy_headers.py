"""Builds PROXY headers for tests, from the document alone: versions 1 and 2."""

from __future__ import annotations

import socket
import struct
from typing import Final

SIGNATURE: Final = bytes.fromhex("0d0a0d0a000d0a515549540a")

LOCAL: Final = SIGNATURE + bytes((0x20, 0x00, 0, 0))
"""What a proxy's own health check begins with."""


def line(client: str, port: int = 56324, server: str = "", server_port: int = 443) -> bytes:
    """Version 1."""
    family, own = ("TCP6", "2001:db8::1") if ":" in client else ("TCP4", "192.0.2.254")
    return f"PROXY {family} {client} {server or own} {port} {server_port}\r\n".encode()


def binary(client: str, port: int = 56324, tlvs: bytes = b"") -> bytes:
    """Version 2."""
    kind, family, server = (
        (socket.AF_INET6, 0x21, "2001:db8::1") if ":" in client else (socket.AF_INET, 0x11, "192.0.2.254")
    )
    hosts = socket.inet_pton(kind, client) + socket.inet_pton(kind, server)
    return raw(0x21, family, hosts + struct.pack("!HH", port, 443) + tlvs)


def raw(version_and_command: int, family: int, rest: bytes) -> bytes:
    """Version 2 with any fields."""
    return SIGNATURE + struct.pack("!BBH", version_and_command, family, len(rest)) + rest
