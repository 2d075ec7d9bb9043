"""Sends one POST to an address that a stranger gave us, and reads the status of the answer.

A browser names the address of its push service, and an account that of its program, so they may name any: unless the
settings allow it, a host in this server's own network is not called. The name is looked up once, and the address that
was looked at is the one called.
"""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

import h11
import trio

AT_ONCE: Final = 8
"""Requests of one kind at once: a service that does not answer keeps few others waiting."""

LATER: Final = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
"""Answers, beside those from 500 on, after which it is tried again."""

LONGEST: Final = 1000
"""Characters of an address; those of the known services have some 200."""

TIMEOUT_S: Final = 20.0
"""Seconds for all of one request: a service in good order answers within one."""

ANSWER_BYTES: Final = 16_384
"""The longest head of an answer. Nothing of its body is read."""


class BadAddress(ValueError):
    """Not an address that is called from here; the text says why."""


class NoAnswer(OSError):
    """The service could not be reached, or did not answer as HTTP does, within TIMEOUT_S."""


@dataclass(frozen=True, slots=True)
class Answer:
    """``retry_after_s`` is what the service asks for, 0.0 nothing."""

    status: int
    retry_after_s: float

    @property
    def is_later(self) -> bool:
        """True if the same request may be taken at another time."""
        return self.status in LATER or self.status >= HTTPStatus.INTERNAL_SERVER_ERROR

    @property
    def is_refused(self) -> bool:
        """True if the request was not taken; redirections are not followed."""
        return self.status >= HTTPStatus.MULTIPLE_CHOICES


@dataclass(frozen=True, slots=True)
class Address:
    """An address of a push service or a program, taken apart."""

    secure: bool
    host: str
    port: int
    target: str

    @property
    def origin(self) -> str:
        usual = 443 if self.secure else 80
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.secure else 'http'}://{host}{'' if self.port == usual else f':{self.port}'}"


def read_address(text: str, *, private: bool) -> Address:
    """BadAddress: it is none of HTTPS on its usual port. With ``private`` it may be of HTTP, and have any port."""
    if len(text) > LONGEST or not text.isascii() or not text.isprintable() or " " in text:
        raise BadAddress("an address has at most 1,000 plain characters")
    try:
        parts = urlsplit(text)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError as error:
        raise BadAddress(f"no address: {error}") from None
    if parts.scheme != "https" and not (private and parts.scheme == "http"):
        raise BadAddress("only an address of HTTPS is called")
    if not parts.hostname or parts.username is not None or (port != 443 and not private):
        raise BadAddress("an address has a host, and no other port than 443")
    return Address(
        parts.scheme == "https", parts.hostname, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    )


async def post(
    address: Address, headers: Mapping[str, str], body: bytes, trust: ssl.SSLContext, *, private: bool
) -> Answer:
    """The answer's status. NoAnswer; BadAddress: the host is in a network that is not called, without ``private``."""
    try:
        with trio.fail_after(TIMEOUT_S):
            stream: trio.abc.Stream = await _opened(address, private=private)
            if address.secure:
                stream = trio.SSLStream(stream, trust, server_hostname=address.host, https_compatible=True)
            try:
                return await _asked(stream, address, headers, body)
            finally:
                await trio.aclose_forcefully(stream)
    except trio.TooSlowError:
        raise NoAnswer(f"{address.host} did not answer within {TIMEOUT_S:g} s") from None
    except (trio.BrokenResourceError, h11.RemoteProtocolError, OSError) as error:
        raise NoAnswer(f"{address.host}: {error.__cause__ or error}") from None


async def _opened(address: Address, *, private: bool) -> trio.SocketStream:
    """A connection to the host's first address; none is used where any of them is private."""
    found = await trio.socket.getaddrinfo(address.host, address.port, type=trio.socket.SOCK_STREAM)
    if not private and not all(_is_public(str(where[0])) for *_, where in found):
        raise BadAddress(f"{address.host} is no host of the public Internet")
    family, kind, protocol, _, where = found[0]
    sock = trio.socket.socket(family, kind, protocol)
    try:
        await sock.connect(where)
    except BaseException:
        sock.close()
        raise
    return trio.SocketStream(sock)


def _is_public(host: str) -> bool:
    address = ipaddress.ip_address(host.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        inside = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        address = inside or address
    return address.is_global and not address.is_multicast


async def _asked(stream: trio.abc.Stream, address: Address, headers: Mapping[str, str], body: bytes) -> Answer:
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=ANSWER_BYTES)
    host = address.origin.partition("://")[2]
    fixed = {"Host": host, "Content-Length": str(len(body)), "Connection": "close"}
    request = h11.Request(method="POST", target=address.target, headers=[*(fixed | dict(headers)).items()])
    sent = [connection.send(part) or b"" for part in (request, h11.Data(data=body), h11.EndOfMessage())]
    await stream.send_all(b"".join(sent))
    while True:
        event = connection.next_event()
        if isinstance(event, h11.Response):
            after = dict(event.headers).get(b"retry-after", b"").decode("latin-1")
            return Answer(event.status_code, float(after) if after.isdigit() and len(after) < 7 else 0.0)
        if event is h11.NEED_DATA:
            connection.receive_data(bytes(await stream.receive_some(ANSWER_BYTES)))
        elif not isinstance(event, h11.InformationalResponse):
            raise NoAnswer(f"{address.host} hung up without an answer")
