"""Reads the head of a request for a WebSocket, and writes the answers: 101, or why not. Bytes only, no I/O.

Source: RFC 6455, sections 4.2.1 and 4.2.2. Where a browser may come from is in origin.py.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

import h11

from gateway.web.headers import NOSNIFF

HEAD_BYTES: Final = 8192
"""The longest head of a request for a WebSocket, with what came behind it: a browser's has some hundred bytes."""

VERSION: Final = b"13"
"""The only version there is (RFC 6455, section 4.1)."""

KEY_BYTES: Final = 16

MAGIC: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""The text that is appended to the key (RFC 6455, section 1.3)."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A request for a WebSocket. ``headers`` have lower-case names; ``rest`` are the bytes that came behind it."""

    path: str
    headers: tuple[tuple[bytes, bytes], ...] = field(repr=False)
    rest: bytes = field(repr=False)

    def header(self, name: bytes) -> bytes:
        """The header's text, b"" without one; the last one where there are several."""
        return next((text for found, text in reversed(self.headers) if found == name), b"")


class NotAccepted(Exception):
    """The request is answered by ``answer``, and the connection is closed then."""

    def __init__(self, status: HTTPStatus, code: str, text: str, headers: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.answer = refusal(status, code, text, headers)


class Another(Exception):
    """The bytes are a request of another kind, or none at all."""


def may_be(data: bytes, paths: Collection[str]) -> bool:
    """True if a request that begins with these bytes may be a GET of one of ``paths``."""
    for path in paths:
        line = b"GET " + path.encode()
        if line.startswith(data[: len(line)]) and data[len(line) : len(line) + 1] in (b"", b" ", b"?"):
            return True
    return False


def opening(data: bytes, paths: Collection[str]) -> Opening | None:
    """The request for a WebSocket that ``data`` begins with; None as long as its head has no end.

    Another: it is something else. NotAccepted: the head is too long.
    """
    if not may_be(data, paths):
        raise Another
    if not _ends(data):
        if len(data) >= HEAD_BYTES:
            raise _too_long()
        return None
    reader = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
    reader.receive_data(data)
    try:
        request = reader.next_event()
        if request is h11.NEED_DATA:
            return None
        if not isinstance(request, h11.Request) or not _wants_websocket(request):
            raise Another
        if _has_body(request):
            raise NotAccepted(HTTPStatus.BAD_REQUEST, "bad_request", "a request for a WebSocket has no body")
        reader.next_event()  # the end of a message without a body
    except h11.RemoteProtocolError as error:
        if error.error_status_hint == HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE:
            raise _too_long() from None
        raise Another from None
    path = request.target.partition(b"?")[0].decode("ascii")
    return Opening(path, tuple(request.headers), bytes(reader.trailing_data[0]))


def _ends(data: bytes) -> bool:
    """True if the head may have an end. It is parsed then only: it may come byte by byte."""
    return b"\n\r\n" in data or b"\n\n" in data


def _too_long() -> NotAccepted:
    text = f"the head of a request for a WebSocket has at most {HEAD_BYTES} bytes"
    return NotAccepted(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "too_long", text)


def _wants_websocket(request: h11.Request) -> bool:
    return (
        request.http_version == b"1.1"
        and b"websocket" in _words(request, b"upgrade")
        and b"upgrade" in _words(request, b"connection")
    )


def _has_body(request: h11.Request) -> bool:
    """A length of 0 is none; that it is a number was checked by the reader."""
    length = {name: text for name, text in request.headers if name in (b"content-length", b"transfer-encoding")}
    return b"transfer-encoding" in length or int(length.get(b"content-length", b"0")) > 0


def _words(request: h11.Request, name: bytes) -> set[bytes]:
    """The words of a header that is a list, in lower case."""
    return {word.strip().lower() for found, text in request.headers if found == name for word in text.split(b",")}


def accepted(asked: Opening) -> bytes:
    """The answer that opens the WebSocket. NotAccepted: the version or the key is wrong."""
    if asked.header(b"sec-websocket-version") != VERSION:
        text = f"WebSockets have version {VERSION.decode()} here"
        version = f"Sec-WebSocket-Version: {VERSION.decode()}"
        raise NotAccepted(HTTPStatus.UPGRADE_REQUIRED, "upgrade_required", text, (version,))
    key = asked.header(b"sec-websocket-key")
    try:
        well_formed = len(base64.b64decode(key, validate=True)) == KEY_BYTES
    except binascii.Error:
        well_formed = False
    if not well_formed:
        text = f"Sec-WebSocket-Key is {KEY_BYTES} bytes in Base64"
        raise NotAccepted(HTTPStatus.BAD_REQUEST, "bad_request", text)
    proof = base64.b64encode(hashlib.sha1(key + MAGIC, usedforsecurity=False).digest())
    return (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + proof + b"\r\n\r\n"
    )


def refusal(status: HTTPStatus, code: str, text: str, headers: tuple[str, ...] = ()) -> bytes:
    """An answer in the form that the API's refusals have (refusals.py), after which the connection is closed."""
    body = json.dumps({"error": code, "message": text}, separators=(",", ":"))
    lines = (
        f"HTTP/1.1 {status.value} {status.phrase}",
        *headers,
        "Content-Type: application/json",
        "Cache-Control: no-store",
        ": ".join(NOSNIFF),
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()
