"""RFC 6455 after the handshake, the server's side: a client's frames to whole messages, messages to frames.

Not done: extensions (none is agreed on in the handshake, so the reserved bits are zero), and binary messages. Why no
library reads them is in docs/decisions/protocols.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from msgspec import Struct

from protocols.core.errors import RemoteProtocolError

LONGEST_MESSAGE: Final = 8192
"""Bytes of a client's message: more than any command needs, few enough to be kept for every connection."""

LONGEST_CONTROL: Final = 125
"""Bytes in a control frame, by the RFC."""

CONTINUATION: Final = 0x0
TEXT: Final = 0x1
BINARY: Final = 0x2
CLOSE: Final = 0x8
PING: Final = 0x9
PONG: Final = 0xA

FINAL: Final = 0x80
RESERVED: Final = 0x70
MASKED: Final = 0x80

_WHOLE: Final = bytes((FINAL | TEXT,))


class CloseCode(IntEnum):
    """Why the server ends a conversation, in its close frame; a client's own close frame is answered by the same."""

    NORMAL = 1000
    """A ``goodbye`` of any other reason was said before."""
    PROTOCOL_ERROR = 1002
    """A frame is broken."""
    NOT_ACCEPTED = 1003
    """A message was binary."""
    NOT_CONSISTENT = 1007
    """A text is not UTF-8."""
    POLICY = 1008
    """A message is none, or comes where it may not."""
    TOO_BIG = 1009
    """A message is too long."""


NO_CODE: Final = 1005
"""The code of a close frame without one; none says it."""

LONGEST_REASON: Final = LONGEST_CONTROL - 2
"""Bytes of UTF-8 beside the code of a close frame."""


class BadFrame(RemoteProtocolError):
    """The client broke the protocol; ``code`` says how in a close frame."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class Text(Struct, frozen=True):
    """A whole text message."""

    text: str


class Ping(Struct, frozen=True):
    """To be answered by a pong with the same payload."""

    payload: bytes


class Pong(Struct, frozen=True):
    """Answers a ping, or is sent unasked; means nothing here."""


class Close(Struct, frozen=True):
    """The client ends the conversation. ``code`` is NO_CODE where it gave none."""

    code: int


Message = Text | Ping | Pong | Close


class Frames:
    """Splits a client's bytes, cut anywhere, into messages. ``broken`` is why nothing more can be read, or None."""

    def __init__(self) -> None:
        self.broken: BadFrame | None = None
        self._closed = False
        self._half = b""
        self._parts: list[bytes] | None = None
        """The payloads of a text message whose last frame has not come; None between messages."""
        self._size = 0
        """Bytes in them."""

    def split(self, data: bytes) -> list[Message]:
        """The messages that ``data`` completes. After a close or a broken frame there are no more."""
        found: list[Message] = []
        if self.broken is not None or self._closed:
            return found
        if self._parts is None and not self._half and len(data) > 6 and data[:1] == _WHOLE:
            size = data[1] & 0x7F
            if data[1] & MASKED and size <= LONGEST_CONTROL and len(data) == size + 6:  # by far the most frequent case
                return self._short(data)
        data = self._half + data if self._half else data
        at = 0
        try:
            while (frame := self._frame(data, at)) is not None:
                head, payload, at = frame
                message = self._message(head, payload)
                if message is not None:
                    found.append(message)
                if type(message) is Close:
                    self._closed, at = True, len(data)
                    break
        except BadFrame as error:
            self.broken, self._parts = error, None
            at = len(data)
        self._half = data[at:]
        return found

    def _short(self, data: bytes) -> list[Message]:
        """One whole text message of at most 125 bytes, and nothing else."""
        try:
            return [Text(_decoded(unmasked(data[6:], data[2:6])))]
        except BadFrame as error:
            self.broken = error
            return []

    def _frame(self, data: bytes, at: int) -> tuple[int, bytes, int] | None:
        """The frame at ``at``: its first byte, its payload, where the next one begins. None: it is not whole yet.

        What is wrong with its head is found before its payload has come.
        """
        have = len(data) - at
        if have < 1:
            return None
        head = data[at]
        self._check_opcode(head)
        if have < 2:
            return None
        if not data[at + 1] & MASKED:
            raise BadFrame(CloseCode.PROTOCOL_ERROR, "a client's frames are masked")
        length = data[at + 1] & 0x7F
        if head & CLOSE and length > LONGEST_CONTROL:
            raise BadFrame(CloseCode.PROTOCOL_ERROR, f"a control frame has at most {LONGEST_CONTROL} bytes")
        start = at + 2
        if length > LONGEST_CONTROL:
            size = 2 if length == LONGEST_CONTROL + 1 else 8
            if have < 2 + size:
                return None
            length = int.from_bytes(data[start : start + size], "big")
            if length <= (LONGEST_CONTROL if size == 2 else 0xFFFF):
                raise BadFrame(CloseCode.PROTOCOL_ERROR, f"{length} bytes are counted in as few bytes as they take")
            start += size
        if length + self._size > LONGEST_MESSAGE and not head & CLOSE:
            raise BadFrame(CloseCode.TOO_BIG, f"a message has at most {LONGEST_MESSAGE} bytes")
        end = start + 4 + length
        if len(data) < end:
            return None
        return head, unmasked(data[start + 4 : end], data[start : start + 4]), end

    def _check_opcode(self, head: int) -> None:
        if head & RESERVED:
            raise BadFrame(CloseCode.PROTOCOL_ERROR, "reserved bits are zero: no extension is in use")
        opcode = head & 0xF
        if opcode == TEXT:
            if self._parts is not None:
                raise BadFrame(CloseCode.PROTOCOL_ERROR, "a message begins before the last one has ended")
        elif opcode == CONTINUATION:
            if self._parts is None:
                raise BadFrame(CloseCode.PROTOCOL_ERROR, "a frame continues a message that has not begun")
        elif opcode == BINARY:
            raise BadFrame(CloseCode.NOT_ACCEPTED, "messages are text, not binary")
        elif opcode not in (CLOSE, PING, PONG):
            raise BadFrame(CloseCode.PROTOCOL_ERROR, f"there is no opcode {opcode}")
        elif not head & FINAL:
            raise BadFrame(CloseCode.PROTOCOL_ERROR, "a control frame is not fragmented")

    def _message(self, head: int, payload: bytes) -> Message | None:
        """The message that this frame completes; None where it is a part of one."""
        match head & 0xF:
            case 0x9:
                return Ping(payload)
            case 0xA:
                return Pong()
            case 0x8:
                return _close(payload)
        if self._parts is None and head & FINAL:
            return Text(_decoded(payload))
        parts = self._parts = self._parts or []
        parts.append(payload)
        self._size += len(payload)
        if not head & FINAL:
            if len(parts) > LONGEST_CONTROL:  # one byte each, or none, would take much more than they hold
                parts[:] = [b"".join(parts)]
            return None
        self._parts, self._size = None, 0
        return Text(_decoded(b"".join(parts)))


def _decoded(payload: bytes) -> str:
    try:
        return payload.decode()
    except UnicodeDecodeError:
        raise BadFrame(CloseCode.NOT_CONSISTENT, "a text message is UTF-8") from None


def _close(payload: bytes) -> Close:
    if not payload:
        return Close(NO_CODE)
    code = int.from_bytes(payload[:2], "big")
    if len(payload) == 1 or not valid_code(code):
        raise BadFrame(CloseCode.PROTOCOL_ERROR, f"a close frame carries a code of the RFC, not {code}")
    _decoded(payload[2:])
    return Close(code)


def valid_code(code: int) -> bool:
    """True if a close frame may carry this code, by the RFC's section 7.4 and IANA's registry."""
    return (1000 <= code <= 1014 and code not in (1004, 1005, 1006)) or 3000 <= code <= 4999


def unmasked(payload: bytes, mask: bytes) -> bytes:
    """``payload`` under the mask of four bytes; the same call masks and unmasks."""
    size = len(payload)
    if not size or mask == b"\0\0\0\0":
        return payload
    key = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
    return (int.from_bytes(payload, "big") ^ key).to_bytes(size, "big")


def frame(payload: bytes, opcode: int = TEXT) -> bytes:
    """One whole unmasked message, as a server sends it."""
    return head(opcode | FINAL, len(payload), 0) + payload


def client_frame(payload: bytes, opcode: int = TEXT) -> bytes:
    """One whole message under a mask of zeros, as a client sends it."""
    return head(opcode | FINAL, len(payload), MASKED) + bytes(4) + payload


def texts(data: bytes) -> list[bytes]:
    """The text messages in whole frames of a server; control frames are passed over."""
    return [payload for opcode, payload in _whole(data) if opcode == TEXT]


def pings(data: bytes) -> bool:
    """True if there is a ping among whole frames of a server."""
    return any(opcode == PING for opcode, _ in _whole(data))


def _whole(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(data):
        size, start = data[at + 1], at + 2
        if size > LONGEST_CONTROL:
            wide = 2 if size == LONGEST_CONTROL + 1 else 8
            size, start = int.from_bytes(data[start : start + wide], "big"), start + wide
        yield data[at] & 0xF, data[start : start + size]
        at = start + size


def head(first: int, size: int, masked: int) -> bytes:
    """The head of a frame of ``size`` bytes; ``masked`` is MASKED or 0."""
    if size <= LONGEST_CONTROL:
        return bytes((first, masked | size))
    if size <= 0xFFFF:
        return bytes((first, masked | 126)) + size.to_bytes(2, "big")
    return bytes((first, masked | 127)) + size.to_bytes(8, "big")


def close(code: int, reason: str = "") -> bytes:
    """A close frame; a reason that is too long is cut between two characters."""
    if code == NO_CODE:
        return frame(b"", CLOSE)
    shown = reason.encode(errors="replace")[:LONGEST_REASON].decode(errors="ignore")
    return frame(code.to_bytes(2, "big") + shown.encode(), CLOSE)
