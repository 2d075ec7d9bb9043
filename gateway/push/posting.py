"""Sends one POST to an address that a stranger gave us, and reads the status of the answer.

A browser names the address of its push service, and an account that of its program, so they may name any: unless the
settings allow it, a host in this server's own network is not called. The name is looked up once, and the address that
was looked at is the one called.
"""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Mapping
from functools import partial
from typing import Final

import trio

from gateway.net.asking import Address, Answer, Asking, BadAddress, take_apart

AT_ONCE: Final = 8
"""Requests of one kind at once: a service that does not answer keeps few others waiting."""

LONGEST: Final = 1000
"""Characters of an address; those of the known services have some 200."""

TIMEOUT_S: Final = 20.0
"""Seconds for all of one request: a service in good order answers within one."""


def read_address(text: str, *, private: bool) -> Address:
    """BadAddress: it is none of HTTPS on its usual port. With ``private`` it may be of HTTP, and have any port."""
    address = take_apart(text, LONGEST)
    if not (private or address.secure):
        raise BadAddress("only an address of HTTPS is called")
    if not private and address.port != 443:
        raise BadAddress("an address has no other port than 443")
    return address


async def post(
    address: Address, headers: Mapping[str, str], body: bytes, trust: ssl.SSLContext, *, private: bool
) -> Answer:
    """The answer's status. NoAnswer; BadAddress: the host is in a network that is not called, without ``private``."""
    return await Asking(partial(_opened, private=private), TIMEOUT_S)(address, headers, body, trust)


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
