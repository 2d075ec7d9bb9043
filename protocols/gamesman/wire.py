"""GAMESMAN's header sets: bytes to requests, answers to bytes, and the readable text form.

Over HTTP a message is the headers of a request or of its answer. Here it is a set of lines ``name: value`` that an
empty line ends, values as raw bytes. Some names never leave the server: ``request`` numbers a request, and its answer
has the same number; ``gone`` says that this answer is not awaited any more, ``still`` that it is; ``ticket``
is the seat's; ``warning`` in an answer says why a request was ignored. ``Turn`` is ours, too, but clients may send it.

Source: the P2P module documentation of GAMESMAN.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from protocols.core.errors import RemoteProtocolError
from protocols.core.http_binding import Fields
from protocols.core.line_text import read_hex, shown

TYPE: Final = "type"
MOVE: Final = "Move"
SRC: Final = "SrcPlayer"
DEST: Final = "DestPlayer"
TURN: Final = "Turn"
TICKET: Final = "ticket"
SPOKEN: Final = (TYPE, MOVE, SRC, DEST, TURN)
"""The headers of a request that mean something here; letter case does not count."""

SEND_MOVE: Final = "SendMove"
GAME_OVER: Final = "GameOver"
RESIGN: Final = "Resign"
KINDS: Final = (SEND_MOVE, GAME_OVER, RESIGN)
ACK_END: Final = "Ack end"
ACK_RESIGN: Final = "Ack resign"
NULL: Final = b"null"
"""Java's text for no move at all."""

ERROR_CODE: Final = "error_code"
ERROR_MESSAGE: Final = "error_message"
REFUSED: Final = 1
SEAT_TAKEN: Final = 2
"""Values of error_code: the request is refused; another client has taken the player's seat."""
WARNING: Final = "warning"
REQUEST: Final = "request"
GONE: Final = "gone"
STILL: Final = "still"

EARLY: Final = "the game has not been initialized"
AGAIN: Final = "the game has been initialized already"

LONGEST_VALUE: Final = 255
"""Bytes of one value: the longest name (32 characters) and the longest move (40) of four bytes each fit in."""

LONGEST_SET: Final = 2048
"""Bytes of a header set: eight values of that length."""


_LINE: Final = re.compile(r"[A-Za-z_]{1,20}: \S(?:.*\S)?")
_END: Final = "."


@dataclass(frozen=True, slots=True)
class Request:
    """One request: ``move`` is None where it has none.

    ``turn`` counts the player's own turns from 1, the initialization is 0; None where the client does not count.
    ``number`` 0: the answer is not awaited. ``gone`` says that of an earlier request of this number, ``still`` the
    opposite.
    """

    number: int
    kind: str
    move: str | None
    source: bytes = b""
    dest: bytes = b""
    turn: int | None = None
    ticket: str = ""
    gone: bool = False
    still: bool = False

    def same(self, other: Request | None) -> bool:
        """True if this is ``other`` sent once more."""
        if other is None or self.kind != other.kind or self.move != other.move:
            return False
        return self.turn is None or other.turn is None or self.turn == other.turn


class Sets:
    """Whole header sets out of bytes that were split anywhere. What is none raises RemoteProtocolError."""

    def __init__(self) -> None:
        self._rest = b""

    def split(self, data: bytes) -> Iterator[Fields]:
        """The sets that ``data`` completes."""
        *whole, self._rest = (self._rest + data).split(b"\r\n\r\n")
        for lines in whole:
            yield read_set(lines)
        if len(self._rest) > LONGEST_SET:
            self._rest = b""
            raise RemoteProtocolError(f"a header set of more than {LONGEST_SET} bytes")


def read_set(lines: bytes) -> Fields:
    """The set that these lines are."""
    if len(lines) > LONGEST_SET:
        raise RemoteProtocolError(f"a header set of more than {LONGEST_SET} bytes")
    pairs = [line.partition(b":") for line in lines.split(b"\r\n")]
    for name, colon, _ in pairs:
        if not (name and colon and name.isascii()):
            raise RemoteProtocolError(f"not a header: {name[:40]!r}")
    return tuple((name.decode("ascii"), value.strip(b" \t")) for name, _, value in pairs)


def read_request(fields: Fields) -> Request:
    """The request of a set of headers. RemoteProtocolError where the server has not numbered it."""
    found = {name.lower(): value for name, value in fields}
    number, turn = (_count(found.get(name.lower(), b"")) for name in (REQUEST, TURN))
    if not number:
        raise RemoteProtocolError(f"a header set without a number: {fields[0][0][:40]!r}")
    move = found.get(MOVE.lower(), b"")
    return Request(
        number,
        text(found.get(TYPE, b"")),
        None if move in (b"", NULL) else text(move),
        found.get(SRC.lower(), b""),
        found.get(DEST.lower(), b""),
        turn,
        text(found.get(TICKET, b"")),
        GONE in found,
        STILL in found,
    )


def _count(digits: bytes) -> int | None:
    return int(digits) if digits.isdigit() and len(digits) <= 18 else None


def text(value: bytes) -> str:
    """A value as text: UTF-8, and where it is none, Latin-1."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def write_set(fields: Fields) -> bytes:
    """The bytes of a set; no value can begin a line of its own."""
    lines = (f"{name}: ".encode() + _one_line(value) for name, value in fields)
    return b"\r\n".join((*lines, b"", b""))


def _one_line(value: bytes) -> bytes:
    return bytes(byte if byte >= 0x20 and byte != 0x7F else 0x20 for byte in value).strip()


def error(message: str, code: int = REFUSED) -> Fields:
    """The answer to a request that cannot be served."""
    return ((ERROR_CODE, str(code).encode()), (ERROR_MESSAGE, message[:LONGEST_VALUE].encode(errors="replace")))


def to_text(data: bytes) -> list[str]:
    """Headers as they are; "." for the empty line that ends a set; "hex 00 ff" for what is no header or not whole."""
    lines = (
        (line, line.decode(errors="replace").removesuffix("\r\n") or _END) for line in data.splitlines(keepends=True)
    )
    return [shown(line, text, _bytes) for line, text in lines]


def to_wire(lines: Iterable[str]) -> bytes:
    """The bytes that ``to_text`` shows so. ValueError names the line that cannot be read."""
    return b"".join(map(_bytes, lines))


def _bytes(line: str) -> bytes:
    if line == _END:
        return b"\r\n"
    if (data := read_hex(line)) is not None:
        return data
    if not (line.isprintable() and _LINE.fullmatch(line)):
        raise ValueError(f"not a header: {line!r}")
    return f"{line}\r\n".encode()
