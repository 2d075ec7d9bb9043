"""Opens lines that a client has sealed: what FICS's timeseal makes of a command and the client's time.

A sealed line ends with a byte that holds an offset into the key; every byte before it is the plain one with its high
bit set, xor the key's, less 32. Before that, in each whole block of twelve, three pairs of bytes are exchanged. Plain
is the command, 0x18, the client's milliseconds in decimal digits, 0x19 and filler.
"""

from __future__ import annotations

import re
from typing import Final

KEY: Final = b"Timestamp (FICS) v1.0 - programmed by Henrik Gram."
BLOCK: Final = 12
SWAPPED: Final = ((0, 11), (2, 9), (4, 7))
HIGH: Final = 0x80

HELLO: Final = re.compile(r"TIME(?:STAMP|SEAL2)\|[^|]*\|[^|]*\|")
"""The first line of a client that seals: its name, user and system, no command."""

_PLAIN: Final = re.compile(rb"([^\x18]*)\x18([0-9]{1,18})\x19")


def opened(line: bytes) -> bytes | None:
    """The command in a sealed line without its end; None: it is not sealed."""
    found = read(line)
    return None if found is None else found[0]


def read(line: bytes) -> tuple[bytes, int] | None:
    """The command and the client's milliseconds in a sealed line; None: it is not sealed."""
    if len(line) < 2 or not line[-1] & HIGH or (offset := line[-1] ^ HIGH) >= len(KEY):
        return None
    plain = bytearray((byte + 32 & 0xFF ^ KEY[(at + offset) % len(KEY)]) & 0x7F for at, byte in enumerate(line[:-1]))
    for first in range(0, len(plain) - BLOCK + 1, BLOCK):
        for left, right in SWAPPED:
            plain[first + left], plain[first + right] = plain[first + right], plain[first + left]
    found = _PLAIN.match(plain)
    return None if found is None else (found[1], int(found[2]))


def sealed(command: bytes, milliseconds: int, offset: int = 0) -> bytes:
    """The line without its end that a client seals at this time: the other way round, for tests and measurements."""
    plain = bytearray(b"%s\x18%d\x19" % (command, milliseconds))
    plain += b"0" * (-len(plain) % BLOCK)
    for first in range(0, len(plain), BLOCK):
        for left, right in SWAPPED:
            plain[first + left], plain[first + right] = plain[first + right], plain[first + left]
    hidden = (((byte | HIGH) ^ KEY[(at + offset) % len(KEY)]) - 32 & 0xFF for at, byte in enumerate(plain))
    return bytes(hidden) + bytes((HIGH | offset,))
