"""Frames of a WebSocket as readable lines, and back: one line a frame, a text message that is an object as it is.

    {"type":"ping","n":1}                a whole text message
    mask 37fa213d {"type":"resign"}      the same of a client, under this mask
    more text "{\\"type\\":"             the first frame of a message; the others are ``more rest`` and ``rest``
    ping hex 00 ff                       a payload: text in quotes as in JSON, or bytes
    close 1000 "bye"                     a code, and perhaps a reason
    hex 81 85                            what is no frame, or no whole message

A client's frame without a mask here is under a mask of zeros.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from protocols.core.line_text import read_hex, show_hex
from protocols.web import frames
from protocols.web.frames import CLOSE, CONTINUATION, FINAL, MASKED, TEXT, unmasked

NO_MASK: Final = bytes(4)

_OPCODES: Final = {
    "text": TEXT,
    "rest": CONTINUATION,
    "binary": frames.BINARY,
    "close": CLOSE,
    "ping": frames.PING,
    "pong": frames.PONG,
}
_WORDS: Final = {opcode: word for word, opcode in _OPCODES.items()}
_LINE: Final = re.compile(r"(?:mask ([0-9a-f]{8}) )?(?:(more )?(text|rest|binary|close|ping|pong)(?: (.*))?|(\{.*))")
_CODE: Final = re.compile(r"(\d{1,5})(?: |$)")
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')


@dataclass(frozen=True, slots=True)
class Frame:
    """``payload`` without its mask; ``mask`` None: it has none, as a server's."""

    final: bool
    opcode: int
    mask: bytes | None
    payload: bytes

    def build(self) -> bytes:
        """The bytes of the frame, its length counted in as few bytes as it takes."""
        first = self.opcode | (FINAL if self.final else 0)
        if self.mask is None:
            return frames.head(first, len(self.payload), 0) + self.payload
        return frames.head(first, len(self.payload), MASKED) + self.mask + unmasked(self.payload, self.mask)


def to_text(data: bytes, *, sent: bool) -> list[str]:
    """Lines for bytes of one direction, from the start of a message."""
    lines: list[str] = []
    for message in _messages(data, sent=sent):
        if isinstance(message, bytes):
            lines.append(show_hex(message))
        else:
            lines += map(_shown, message)
    return lines


def to_wire(lines: Iterable[str], *, sent: bool) -> bytes:
    """The bytes that ``to_text`` shows so. ValueError names the line that cannot be read."""
    return b"".join(_bytes(line, sent=sent) for line in lines)


def hidden(data: bytes, secret: str) -> bytes:
    """A client's bytes with asterisks for every character of a string that holds ``secret``; lengths stay."""
    return b"".join(
        message if isinstance(message, bytes) else _without(message, secret) for message in _messages(data, sent=False)
    )


def _without(message: list[Frame], secret: str) -> bytes:
    text = b"".join(frame.payload for frame in message)
    kept = _STRING.sub(lambda found: _asterisks(found[0], secret), text.decode("latin-1")).encode("latin-1")
    built, at = b"", 0
    for frame in message:
        size = len(frame.payload)
        built += Frame(frame.final, frame.opcode, frame.mask, kept[at : at + size]).build()
        at += size
    return built


def _asterisks(token: str, secret: str) -> str:
    """``token`` is a JSON string, a character for each of its bytes."""
    try:
        holds = secret in json.loads(token.encode("latin-1").decode())
    except ValueError:
        holds = False
    return f'"{"*" * (len(token) - 2)}"' if holds else token


def _messages(data: bytes, *, sent: bool) -> Iterator[list[Frame] | bytes]:
    """The frames of each whole message, in order; the rest as bytes. A control frame between others is among them."""
    begun = at = 0
    message: list[Frame] = []
    open_text = False
    while (found := _read(data, at, sent=sent)) is not None:
        frame, at = found
        message.append(frame)
        if not frame.opcode & CLOSE:
            open_text = not frame.final
        if not open_text:
            yield message
            message, begun = [], at
    if data[begun:]:
        yield data[begun:]


def _read(data: bytes, at: int, *, sent: bool) -> tuple[Frame, int] | None:
    """The frame at ``at``, and where the next one begins; None where there is no whole one that can be shown."""
    if len(data) < at + 2 or data[at] & frames.RESERVED or data[at] & 0xF not in _WORDS:
        return None
    size, start = data[at + 1] & 0x7F, at + 2
    if size > frames.LONGEST_CONTROL:
        wide = 2 if size == frames.LONGEST_CONTROL + 1 else 8
        size, start = int.from_bytes(data[start : start + wide], "big"), start + wide
    mask = None if sent else data[start : start + 4]
    start += 0 if sent else 4
    payload = data[start : start + size]
    frame = Frame(bool(data[at] & FINAL), data[at] & 0xF, mask, unmasked(payload, mask) if mask else payload)
    end = start + size
    return (frame, end) if end <= len(data) and frame.build() == data[at:end] else None


def _shown(frame: Frame) -> str:
    mask = f"mask {frame.mask.hex()} " if frame.mask and frame.mask != NO_MASK else ""
    if frame.opcode == CLOSE and frame.final and len(frame.payload) > 1:
        reason = _payload(frame.payload[2:], quoted=True)
        return f"{mask}close {int.from_bytes(frame.payload[:2], 'big')} {reason}".rstrip()
    text = _payload(frame.payload)
    if frame.final and frame.opcode == TEXT and text.startswith("{"):
        return f"{mask}{text}"
    more = "" if frame.final else "more "
    return f"{mask}{more}{_WORDS[frame.opcode]} {text}".rstrip()


def _payload(payload: bytes, *, quoted: bool = False) -> str:
    """An object as it is, other text in quotes, what is no text in hex; nothing for nothing."""
    try:
        text = payload.decode()
    except UnicodeDecodeError:
        return show_hex(payload)
    if not quoted and text.startswith("{") and text.endswith("}") and text.isprintable():
        return text
    return json.dumps(text) if text else ""


def _bytes(line: str, *, sent: bool) -> bytes:
    data = read_hex(line)
    if data is not None:
        return data
    found = _LINE.fullmatch(line)
    if found is None:
        raise ValueError(f"not a frame: {line!r}")
    mask = None if sent else bytes.fromhex(found[1] or "") or NO_MASK
    if found[5] is not None:
        return Frame(True, TEXT, mask, found[5].encode()).build()
    code, text = b"", found[4] or ""
    if found[3] == "close" and (number := _CODE.match(text)):
        if int(number[1]) > 0xFFFF:
            raise ValueError(f"not a code of two bytes: {line!r}")
        code, text = int(number[1]).to_bytes(2, "big"), text[number.end() :]
    return Frame(not found[2], _OPCODES[found[3]], mask, code + _read_payload(text, line)).build()


def _read_payload(text: str, line: str) -> bytes:
    if text.startswith("{") or not text:
        return text.encode()
    data = read_hex(text)
    if data is not None:
        return data
    try:
        quoted = json.loads(text)
    except ValueError:
        quoted = None
    if not isinstance(quoted, str):
        raise ValueError(f"not a payload: {line!r}")
    return quoted.encode()
