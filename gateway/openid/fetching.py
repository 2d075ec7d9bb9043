"""Fetches one short answer over HTTP from an address of the host's own settings, without blocking.

The address is the host's, so it may be in a private network. TLS is demanded for all but this machine.
"""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol
from urllib.parse import urlsplit

import h11
import trio

from gateway.net.addresses import is_loopback

TIMEOUT_S: Final = 10.0
"""Seconds for all of one request: a person waits for it."""

ANSWER_BYTES: Final = 262_144
"""The longest answer: a provider's keys and tokens have some kilobytes."""

HEAD_BYTES: Final = 16_384

LONGEST: Final = 2000
"""Characters of an address."""


class BadAddress(ValueError):
    """Not an address that is called for a login; the text says why."""


class NoAnswer(OSError):
    """The provider could not be reached, or did not answer as HTTP does, within TIMEOUT_S."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Status and body of an answer."""

    status: int
    body: bytes


class Fetch(Protocol):
    """One request; POST where there is a ``form``. NoAnswer; BadAddress. Redirections are not followed."""

    def __call__(
        self, address: str, headers: Mapping[str, str] | None = None, form: bytes | None = None
    ) -> Awaitable[Reply]: ...


def check_address(text: str) -> str:
    """The address, if it is one of HTTPS, or of HTTP on this machine. BadAddress."""
    if len(text) > LONGEST or not text.isascii() or not text.isprintable() or " " in text:
        raise BadAddress("an address has at most 2,000 plain characters")
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        raise BadAddress(f"no address: {error}") from None
    if not host or parts.username is not None or parts.fragment:
        raise BadAddress(f"{text!r} is no address, as https://login.example.org")
    if parts.scheme != "https" and not (parts.scheme == "http" and (host == "localhost" or is_loopback(host))):
        raise BadAddress(f"{text!r} begins with https://, or is on this machine")
    return text


class Fetcher:
    """Fetches with this ``trust``; None: what the system trusts."""

    def __init__(self, trust: ssl.SSLContext | None = None) -> None:
        self._trust = trust

    async def __call__(
        self, address: str, headers: Mapping[str, str] | None = None, form: bytes | None = None
    ) -> Reply:
        parts = urlsplit(check_address(address))
        host, secure = parts.hostname or "", parts.scheme == "https"
        try:
            with trio.fail_after(TIMEOUT_S):
                stream: trio.abc.Stream = await trio.open_tcp_stream(host, parts.port or (443 if secure else 80))
                if secure:
                    stream = trio.SSLStream(stream, self._context(), server_hostname=host, https_compatible=True)
                try:
                    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
                    return await _asked(stream, parts.netloc, target, headers or {}, form)
                finally:
                    await trio.aclose_forcefully(stream)
        except trio.TooSlowError:
            raise NoAnswer(f"{host} did not answer within {TIMEOUT_S:g} s") from None
        except (trio.BrokenResourceError, h11.RemoteProtocolError, OSError) as error:
            raise NoAnswer(f"{host}: {error.__cause__ or error}") from None

    def _context(self) -> ssl.SSLContext:
        if self._trust is None:
            self._trust = ssl.create_default_context()
        return self._trust


async def _asked(
    stream: trio.abc.Stream, host: str, target: str, headers: Mapping[str, str], form: bytes | None
) -> Reply:
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEAD_BYTES)
    sent = {"Host": host, "Accept": "application/json", "Connection": "close"}
    if form is not None:
        sent |= {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(form))}
    method = "GET" if form is None else "POST"
    request = h11.Request(method=method, target=target, headers=[*(sent | dict(headers)).items()])
    parts = [request, *([h11.Data(data=form)] if form else []), h11.EndOfMessage()]
    await stream.send_all(b"".join(connection.send(part) or b"" for part in parts))
    status, body = 0, b""
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            connection.receive_data(bytes(await stream.receive_some(HEAD_BYTES)))
        elif isinstance(event, h11.Response):
            status = event.status_code
        elif isinstance(event, h11.Data):
            body += bytes(event.data)
            if len(body) > ANSWER_BYTES:
                raise NoAnswer(f"{host} answers with more than {ANSWER_BYTES:,} bytes")
        elif isinstance(event, h11.EndOfMessage):
            return Reply(status, body)
        elif not isinstance(event, h11.InformationalResponse):
            raise NoAnswer(f"{host} hung up without an answer")
