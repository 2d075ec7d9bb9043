"""Asks another server one thing over HTTP: its address taken apart, one request, and as much of the answer as is read.

Redirections are not followed. Which hosts may be called is decided by whoever asks, who opens the connection.
"""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

import h11
import trio

LATER: Final = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
"""Answers, beside those from 500 on, after which it is tried again."""

HEAD_BYTES: Final = 16_384
"""The longest head of an answer."""


class BadAddress(ValueError):
    """Not an address that is called from here; the text says why."""


class NoAnswer(OSError):
    """The server could not be reached, or did not answer as HTTP does in time and within the bounds."""


@dataclass(frozen=True, slots=True)
class Address:
    """An address of HTTP, or of HTTPS where it is ``secure``, taken apart."""

    secure: bool
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """Host, and port where it is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.secure else 80) else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{'https' if self.secure else 'http'}://{self.authority}"


def take_apart(text: str, longest: int) -> Address:
    """An address of at most ``longest`` characters. BadAddress: it is none of HTTP or HTTPS, or has a user's name."""
    if len(text) > longest or not text.isascii() or not text.isprintable() or " " in text:
        raise BadAddress(f"an address has at most {longest:,} plain characters")
    try:
        parts = urlsplit(text)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError as error:
        raise BadAddress(f"no address: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise BadAddress(f"{text!r} is no address, as https://www.example.org")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Address(parts.scheme == "https", parts.hostname, port, target)


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, as much of the body as was read, and after how many seconds one may ask again; 0.0 where it says none."""

    status: int
    body: bytes = b""
    retry_after_s: float = 0.0

    @property
    def is_later(self) -> bool:
        """True if the same request may be taken at another time."""
        return self.status in LATER or self.status >= HTTPStatus.INTERNAL_SERVER_ERROR

    @property
    def is_refused(self) -> bool:
        """True if the request was not taken."""
        return self.status >= HTTPStatus.MULTIPLE_CHOICES


@dataclass(frozen=True, slots=True)
class Asking:
    """One way of asking: ``opened`` connects to an address, all of a request takes at most ``timeout_s`` seconds.

    Bodies of at most ``longest`` bytes are read whole; with 0 the head alone is.
    """

    opened: Callable[[Address], Awaitable[trio.abc.Stream]]
    timeout_s: float
    longest: int = 0

    async def __call__(
        self, address: Address, headers: Mapping[str, str], body: bytes | None, trust: ssl.SSLContext | None
    ) -> Answer:
        """The answer to a POST of the body, or to a GET without one; ``trust`` is needed by HTTPS alone. NoAnswer."""
        try:
            with trio.fail_after(self.timeout_s):
                stream = await self.opened(address)
                if address.secure:
                    assert trust is not None
                    stream = trio.SSLStream(stream, trust, server_hostname=address.host, https_compatible=True)
                try:
                    return await self._asked(stream, address, headers, body)
                finally:
                    await trio.aclose_forcefully(stream)
        except trio.TooSlowError:
            raise NoAnswer(f"{address.host} did not answer within {self.timeout_s:g} s") from None
        except (trio.BrokenResourceError, h11.RemoteProtocolError, OSError) as error:
            raise NoAnswer(f"{address.host}: {_reason(error)}") from None

    async def _asked(
        self, stream: trio.abc.Stream, address: Address, headers: Mapping[str, str], body: bytes | None
    ) -> Answer:
        connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEAD_BYTES)
        length = {} if body is None else {"Content-Length": str(len(body))}
        head = {"Host": address.authority, "Connection": "close", **length, **headers}
        method = "GET" if body is None else "POST"
        request = h11.Request(method=method, target=address.target, headers=[*head.items()])
        sent = [connection.send(part) or b"" for part in (request, h11.Data(data=body or b""), h11.EndOfMessage())]
        await stream.send_all(b"".join(sent))
        status, after, read = 0, 0.0, b""
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                connection.receive_data(bytes(await stream.receive_some(HEAD_BYTES)))
            elif isinstance(event, h11.Response):
                status, after = event.status_code, _seconds(event)
                if not self.longest:
                    return Answer(status, read, after)
            elif isinstance(event, h11.Data):
                read += bytes(event.data)
                if len(read) > self.longest:
                    raise NoAnswer(f"{address.host} answers with more than {self.longest:,} bytes")
            elif isinstance(event, h11.EndOfMessage):
                return Answer(status, read, after)
            elif not isinstance(event, h11.InformationalResponse):
                raise NoAnswer(f"{address.host} hung up without an answer")


def _reason(error: Exception) -> str:
    """In words; where none of a host's addresses answers, those about each."""
    cause = error.__cause__ or error
    return "; ".join(dict.fromkeys(map(str, cause.exceptions if isinstance(cause, ExceptionGroup) else (cause,))))


def _seconds(response: h11.Response) -> float:
    after = dict(response.headers).get(b"retry-after", b"").decode("latin-1")
    return float(after) if after.isdigit() and len(after) < 7 else 0.0
