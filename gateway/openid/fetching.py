"""Fetches one short answer over HTTP from an address of the host's own settings, without blocking.

The address is the host's, so it may be in a private network. TLS is demanded for all but this machine.
"""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Mapping
from typing import Final, Protocol

import trio

from gateway.net.addresses import is_loopback
from gateway.net.asking import Address, Answer, Asking, BadAddress, take_apart

TIMEOUT_S: Final = 10.0
"""Seconds for all of one request: a person waits for it."""

ANSWER_BYTES: Final = 262_144
"""The longest answer: a provider's keys and tokens have some kilobytes."""

LONGEST: Final = 2000
"""Characters of an address."""


class Fetch(Protocol):
    """One request; POST where there is a ``form``. NoAnswer; BadAddress."""

    def __call__(
        self, address: str, headers: Mapping[str, str] | None = None, form: bytes | None = None
    ) -> Awaitable[Answer]: ...


def check_address(text: str) -> Address:
    """An address of HTTPS, or of HTTP on this machine. BadAddress: it is none, or has a fragment."""
    address = take_apart(text, LONGEST)
    if "#" in text:
        raise BadAddress(f"{text!r} has a fragment")
    if not (address.secure or address.host == "localhost" or is_loopback(address.host)):
        raise BadAddress(f"{text!r} begins with https://, or is on this machine")
    return address


class Fetcher:
    """Fetches with this ``trust``; None: what the system trusts."""

    def __init__(self, trust: ssl.SSLContext | None = None) -> None:
        self._trust = trust

    async def __call__(
        self, address: str, headers: Mapping[str, str] | None = None, form: bytes | None = None
    ) -> Answer:
        called = check_address(address)
        if called.secure and self._trust is None:
            self._trust = ssl.create_default_context()
        head = {"Accept": "application/json"}
        if form is not None:
            head["Content-Type"] = "application/x-www-form-urlencoded"
        return await Asking(_opened, TIMEOUT_S, ANSWER_BYTES)(called, head | dict(headers or {}), form, self._trust)


async def _opened(address: Address) -> trio.SocketStream:
    return await trio.open_tcp_stream(address.host, address.port)
