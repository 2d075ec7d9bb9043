"""The kinds of floods there are: from where, what is said first, how fast, and what is done with an answer."""

from __future__ import annotations

import contextlib
import ssl
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle, repeat
from typing import Final, Protocol

ONE: Final = ("127.0.0.2",)
MANY: Final = tuple(f"127.0.2.{host}" for host in range(1, 33))
"""Addresses, so that no limit of one address keeps what they say from being read."""

RATE: Final = 10_000
"""Malformed openings a second."""

HANDSHAKE: Final = struct.pack("!ii9si", 101, 9, b"checkers", 1)

TLS_RECORD: Final = bytes.fromhex("160301002f0100002b0303") + bytes(36)
"""The beginning of a hello, and then zeros."""

MALFORMED: Final = (
    bytes(range(200, 256)),
    HANDSHAKE[:3],
    HANDSHAKE[:13],
    struct.pack("!ii", 101, 0x7FFFFFFF) + b"checkers",
    struct.pack("!ii", 101, -1) + b"checkers",
    b"GET / HTTP/1.1\r\nHost: boardgate\r\n\r\n",
    TLS_RECORD,
)
"""Garbage, half handshakes, lengths that are too large or negative, HTTP, the beginning of a TLS hello."""

REQUEST: Final = b"GET /healthz HTTP/1.1\r\nHost: boardgate\r\n\r\n"


class Talk(Protocol):
    """One connection's words. ``first`` is sent with the connection, the others as answers come."""

    first: bytes

    def heard(self, data: bytes) -> tuple[bytes, bool]:
        """The bytes to send now, and True if the server has just served a request."""


class Opening:
    """Says this and nothing more."""

    def __init__(self, first: bytes) -> None:
        self.first = first

    def heard(self, data: bytes) -> tuple[bytes, bool]:
        return b"", False


class Request(Opening):
    """Asks for a page once and again, as soon as it has it."""

    def __init__(self) -> None:
        super().__init__(REQUEST)

    def heard(self, data: bytes) -> tuple[bytes, bool]:
        return (REQUEST, True) if data.startswith(b"HTTP/1.1 200 ") else (b"", False)


class Shaking:
    """A TLS client: shakes hands whole, and says nothing then."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._in, self._out, server_hostname="localhost")
        self._shaken = False
        self.first = self._go_on()

    def heard(self, data: bytes) -> tuple[bytes, bool]:
        before = self._shaken
        self._in.write(data)
        return self._go_on(), self._shaken and not before

    def _go_on(self) -> bytes:
        if not self._shaken:
            with contextlib.suppress(ssl.SSLError):  # it wants to read; or is refused, and is hung up on
                self._tls.do_handshake()
                self._shaken = True
        return self._out.read()


def _anybodys() -> ssl.SSLContext:
    """Accepts any certificate: a flood does not care about its target."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


Talks = Iterator[Talk]
"""One after another without end."""


def silent() -> Talks:
    """Says nothing."""
    return repeat(Opening(b""))


def malformed() -> Talks:
    """Bytes of no dialect."""
    return map(Opening, cycle(MALFORMED))


def handshakes() -> Talks:
    """Whole ones, of TLS."""
    context = _anybodys()
    while True:
        yield Shaking(context)


def hellos() -> Talks:
    """The same hello of TLS again and again, which costs nothing to say and makes the server sign; some garbage."""
    hello = Shaking(_anybodys()).first
    return map(Opening, cycle((hello, hello, hello, TLS_RECORD)))


def requests() -> Talks:
    """Requests for a page that is made when it is asked for."""
    while True:
        yield Request()


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of flood, of the listener ``at``. ``rate`` is openings a second; 0.0: as many as possible."""

    at: str
    sources: tuple[str, ...]
    talks: Callable[[], Talks]
    rate: float = 0.0


PLAIN, TLS, HTTP = "plain", "tls", "http"
"""Listeners: of players without TLS, with it, of pages."""

KINDS: Final[dict[str, Kind]] = {
    "connections": Kind(PLAIN, ONE, silent),
    "malformed": Kind(PLAIN, MANY, malformed, RATE),
    "TLS": Kind(TLS, ONE, handshakes),
    "TLS-32": Kind(TLS, MANY, hellos),
    "HTTP": Kind(HTTP, ONE, requests),
    "HTTP-32": Kind(HTTP, MANY, requests),
}
"""By the name that is shown; -32: from so many addresses."""
