"""The NATS client protocol: bytes in, frames out, and the lines that a client says.

Source: docs.nats.io/reference/reference-protocols/nats-protocol. Without headers (HMSG) and queue groups.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

import msgspec

LONGEST_LINE: Final = 64 * 1024
"""Bytes of a line at most: INFO names every server of a NATS cluster, other lines have 4,096 at most."""

LONGEST_PAYLOAD: Final = 1 << 20
"""Bytes of a payload at most: the server's own limit unless its settings say otherwise."""

PING: Final = b"PING\r\n"
PONG: Final = b"PONG\r\n"


class NatsProtocolError(Exception):
    """The server broke its protocol; shows what it said."""


class Info(msgspec.Struct):
    """The fields of a server's greeting that matter here."""

    max_payload: int = LONGEST_PAYLOAD
    tls_required: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """A payload that was published to a subject."""

    payload: bytes


@dataclass(frozen=True, slots=True)
class Failure:
    """-ERR and its text."""

    text: str


@dataclass(frozen=True, slots=True)
class Sign:
    """PING, PONG or +OK."""

    word: bytes


Frame: TypeAlias = Info | Message | Failure | Sign


class Connect(msgspec.Struct, rename={"password": "pass"}, omit_defaults=True):
    """CONNECT: ``echo`` False spares a client what it publishes itself; version and lang are asked for."""

    name: str
    lang: str
    version: str
    verbose: bool
    pedantic: bool
    echo: bool
    protocol: int
    tls_required: bool
    user: str | None = None
    password: str | None = None
    auth_token: str | None = None

    def line(self) -> bytes:
        return b"CONNECT %b\r\n" % msgspec.json.encode(self)


def subscribe(subject: str, number: int) -> bytes:
    """SUB; the server adds the ``number`` to each message."""
    return f"SUB {subject} {number}\r\n".encode()


def publish(subject: str, payload: bytes) -> bytes:
    """PUB."""
    return b"PUB %b %d\r\n%b\r\n" % (subject.encode(), len(payload), payload)


class FrameReader:
    """Takes the bytes of a server apart."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._at = 0

    @property
    def rest(self) -> int:
        """Bytes that belong to no complete frame yet."""
        return len(self._buffer)

    def receive_data(self, received: bytes) -> Iterable[Frame]:
        """All frames that are complete now. NatsProtocolError: the connection is of no more use."""
        self._buffer += received
        frames = []
        while (frame := self._next()) is not None:
            frames.append(frame)
        del self._buffer[: self._at]
        self._at = 0
        return frames

    def _next(self) -> Frame | None:
        """The next frame, behind which the reader stands then; None if it is not complete."""
        end = self._buffer.find(b"\r\n", self._at)
        if (end if end >= 0 else len(self._buffer)) - self._at > LONGEST_LINE:
            raise NatsProtocolError(f"a line of more than {LONGEST_LINE} bytes: {self._buffer[self._at :][:80]!r}")
        if end < 0:
            return None
        line = bytes(self._buffer[self._at : end])
        word, _, rest = line.replace(b"\t", b" ").partition(b" ")
        frame: Frame | None
        match word.upper():
            case b"MSG":
                frame, end = self._message(line, end + 2)
            case b"PING" | b"PONG" | b"+OK":
                frame = Sign(word.upper())
            case b"INFO":
                frame = _info(rest)
            case b"-ERR":
                frame = Failure(rest.decode(errors="replace").strip(" '"))
            case _:
                raise NatsProtocolError(f"unknown: {line[:80]!r}")
        if frame is not None:
            self._at = end + 2
        return frame

    def _message(self, line: bytes, begin: int) -> tuple[Message | None, int]:
        """The payload that ``begin``s there and where it ends; None if it is not complete."""
        words = line.split()
        if len(words) not in (4, 5) or not words[-1].isdigit() or len(words[-1]) > 9:
            raise NatsProtocolError(f"not a message's head: {line[:80]!r}")
        end = begin + int(words[-1])
        if end - begin > LONGEST_PAYLOAD:
            raise NatsProtocolError(f"a payload of {end - begin} bytes")
        if len(self._buffer) < end + 2:
            return None, end
        if self._buffer[end : end + 2] != b"\r\n":
            raise NatsProtocolError(f"a payload longer than its head says: {line[:80]!r}")
        return Message(bytes(self._buffer[begin:end])), end


def _info(text: bytes) -> Info:
    try:
        return msgspec.json.decode(text, type=Info)
    except msgspec.DecodeError as error:
        raise NatsProtocolError(f"INFO that is no JSON: {error}") from None
