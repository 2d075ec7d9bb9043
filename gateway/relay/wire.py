"""The lines of the relay port before bytes are copied: ASCII, each ended by LF, CR before it is left out.

    client  BOARDGATE-RELAY 1 MEET ROOM SIDE ADDR[,ADDR...]      then JOIN or DIRECT
    server  WAIT | PEER first|second OBSERVED ADDR[,ADDR...] | JOINED | DIRECT | NO reason in words

Pure; docs/relay.md is for implementers.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 300
"""Bytes of a line with its end: a MEET with eight IPv4 addresses, or five of IPv6, fits."""

ADDRESSES: Final = 8
"""Addresses one may claim: a host with several networks has fewer, and the other side dials each of them."""

JOIN: Final = "JOIN"
WAIT: Final = b"WAIT\n"
JOINED: Final = b"JOINED\n"
DIRECT: Final = b"DIRECT\n"
NO_ADDRESS: Final = "-"
ORDER: Final = ("first", "second")

_GREETING: Final = "BOARDGATE-RELAY"
_ROOM: Final = re.compile(r"[0-9A-Za-z]{6,8}", re.ASCII)
_SIDE: Final = re.compile(r"[0-9A-Za-z_-]{22}", re.ASCII)
_ADDRESS: Final = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<four>[0-9.]+)):(?P<port>[0-9]{1,5})", re.ASCII)


class BadLine(ValueError):
    """A line that cannot be understood; the text says why, for the peer."""


@dataclass(frozen=True, slots=True)
class Meet:
    """``side`` is the SHA-256 of what the peer chose; ``addresses`` are as it wrote them, none of them a name."""

    room: str
    side: bytes
    addresses: tuple[str, ...]


def read_meet(line: bytes) -> Meet:
    """The first line of a connection, without its end. BadLine."""
    words = _ascii(line).split(" ")
    if words[0] != _GREETING:
        raise BadLine("this port is for BOARDGATE-RELAY 1")
    if len(words) != 6 or words[1] != "1" or words[2] != "MEET":
        raise BadLine("write BOARDGATE-RELAY 1 MEET ROOM SIDE ADDR[,ADDR...]")
    room, side, addresses = words[3:]
    if not _ROOM.fullmatch(room):
        raise BadLine("ROOM is 6 to 8 letters and digits")
    if not _SIDE.fullmatch(side):
        raise BadLine("SIDE is 22 letters, digits, - or _")
    return Meet(room.lower(), hashlib.sha256(side.encode()).digest(), _addresses(addresses))


def read_choice(line: bytes) -> str:
    """A later line of a connection, without its end: "JOIN" or "DIRECT". BadLine."""
    word = _ascii(line)
    if word not in (JOIN, "DIRECT"):
        raise BadLine("say JOIN or DIRECT")
    return word


def peer(order: int, observed: str, addresses: Sequence[str]) -> bytes:
    """``order`` 0 is told that it is first."""
    return f"PEER {ORDER[order]} {observed} {','.join(addresses) or NO_ADDRESS}\n".encode("ascii")


def no(reason: str) -> bytes:
    """A refusal; the connection is closed after it."""
    return f"NO {reason}\n".encode("ascii")


def shown(host: str, port: int) -> str:
    """host:port as the wire has it: IPv6 in brackets, an IPv4 address seen over IPv6 as IPv4, no zone."""
    address = ipaddress.ip_address(host.partition("%")[0])
    four = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    address = four or address
    return f"[{address}]:{port}" if address.version == 6 else f"{address}:{port}"


def _ascii(line: bytes) -> str:
    try:
        text = line.removesuffix(b"\r").decode("ascii")
    except UnicodeDecodeError:
        raise BadLine("lines are ASCII") from None
    if not text.isprintable():
        raise BadLine("lines are ASCII that prints")
    return text


def _addresses(written: str) -> tuple[str, ...]:
    if written == NO_ADDRESS:
        return ()
    claimed = written.split(",")
    if len(claimed) > ADDRESSES:
        raise BadLine(f"claim at most {ADDRESSES} addresses")
    if not all(map(_is_address, claimed)):
        raise BadLine("ADDR is IPV4:PORT, [IPV6]:PORT or - alone")
    return tuple(claimed)


def _is_address(text: str) -> bool:
    """Names are none: the other side would have to ask a name server of the claimant's choice."""
    found = _ADDRESS.fullmatch(text)
    if found is None or not 0 < int(found["port"]) < 65536:
        return False
    try:
        (ipaddress.IPv6Address if found["six"] else ipaddress.IPv4Address)(found["six"] or found["four"])
    except ValueError:
        return False
    return True
