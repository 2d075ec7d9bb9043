"""Frames between two helpers inside TLS: one letter, the length of the rest in two bytes, the rest.

    H version id received stopped    first on every connection: who I am, and how much of yours I have
    D offset bytes     A offset      bytes of the stream; all before this offset are delivered
    E offset           S             the stream ends here; yours is not read any more
    P                  Q             are you there; yes
    B                  L             all is done; I leave before it is

Numbers are big-endian.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from protocols.core.errors import RemoteProtocolError

VERSION: Final = 1
ID_BYTES: Final = 16
LONGEST_PIECE: Final = 16_000
"""Bytes of the stream in one frame: with its head it fits one TLS record of 16,384."""

_HEAD: Final = struct.Struct("!cH")
_HELLO: Final = struct.Struct(f"!B{ID_BYTES}sQ?")
_OFFSET: Final = struct.Struct("!Q")
_LONGEST: Final = _OFFSET.size + LONGEST_PIECE


@dataclass(frozen=True, slots=True)
class Hello:
    """``own`` is random and one helper's for as long as it runs; ``received`` counts bytes, and the end as one more."""

    own: bytes
    received: int
    stopped: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes of the stream from ``offset`` on."""

    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Delivered:
    """Everything before ``offset`` has left the helper for its program."""

    offset: int


@dataclass(frozen=True, slots=True)
class End:
    """The stream is ``offset`` bytes long."""

    offset: int


@dataclass(frozen=True, slots=True)
class Stop:
    """The program there does not read any more."""


@dataclass(frozen=True, slots=True)
class Ping:
    """Asks for a Pong."""


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer."""


@dataclass(frozen=True, slots=True)
class Bye:
    """Both streams are delivered to their ends."""


@dataclass(frozen=True, slots=True)
class Leave:
    """The helper stops before that."""


Frame = Hello | Piece | Delivered | End | Stop | Ping | Pong | Bye | Leave

_BARE: Final[dict[bytes, Frame]] = {b"S": Stop(), b"P": Ping(), b"Q": Pong(), b"B": Bye(), b"L": Leave()}
_LETTER: Final = {type(frame): letter for letter, frame in _BARE.items()}


def encode(frame: Frame) -> bytes:
    """The frame as bytes."""
    match frame:
        case Hello(own, received, stopped):
            return _HEAD.pack(b"H", _HELLO.size) + _HELLO.pack(VERSION, own, received, stopped)
        case Piece(offset, data):
            return _HEAD.pack(b"D", _OFFSET.size + len(data)) + _OFFSET.pack(offset) + data
        case Delivered(offset):
            return _HEAD.pack(b"A", _OFFSET.size) + _OFFSET.pack(offset)
        case End(offset):
            return _HEAD.pack(b"E", _OFFSET.size) + _OFFSET.pack(offset)
        case _:
            return _HEAD.pack(_LETTER[type(frame)], 0)


class Frames:
    """Bytes, split anywhere, to frames."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def receive_data(self, data: bytes) -> list[Frame]:
        """The frames that are complete now. RemoteProtocolError: this is none; nothing more can be read."""
        self._rest += data
        found, at = [], 0
        while len(self._rest) - at >= _HEAD.size:
            letter, length = _HEAD.unpack_from(self._rest, at)
            if length > _LONGEST:
                raise RemoteProtocolError(f"a frame of {length} bytes")
            if len(self._rest) - at - _HEAD.size < length:
                break
            at += _HEAD.size
            found.append(_decode(letter, bytes(memoryview(self._rest)[at : at + length])))
            at += length
        del self._rest[:at]
        return found


def _decode(letter: bytes, body: bytes) -> Frame:
    try:
        match letter:
            case b"D":
                return Piece(_OFFSET.unpack_from(body)[0], body[_OFFSET.size :])
            case b"A":
                return Delivered(*_OFFSET.unpack(body))
            case b"E":
                return End(*_OFFSET.unpack(body))
            case b"H" if body[:1] == bytes([VERSION]):
                return Hello(*_HELLO.unpack(body)[1:])
            case b"H":
                raise RemoteProtocolError(
                    f"the other side speaks version {body[:1].hex()} of this protocol, not {VERSION}"
                )
    except struct.error as error:
        raise RemoteProtocolError(f"a frame {letter!r} of {len(body)} bytes") from error
    if letter not in _BARE or body:
        raise RemoteProtocolError(f"no such frame: {letter!r} with {len(body)} bytes")
    return _BARE[letter]
