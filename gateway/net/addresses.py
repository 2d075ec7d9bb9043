"""Address keys: the address or network that limits and bans count as one."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from typing import Final

HOME_BITS: Final = 64
"""Bits of an IPv6 address that are its network's: every home has at least one such network, and any host of it may take
as many addresses there as it likes (RFC 4291, 2.5.4; RFC 6177)."""

MAPPED: Final = "::ffff:"
"""The prefix of an IPv4 address that a socket of both families writes as IPv6's (RFC 4291, 2.5.5.2)."""

KNOWN: Final = 256
"""Addresses whose key is remembered: each is asked for a few times in a row. More of them would lie between the
objects of a burst of connections, and keep its memory from being given back."""


def plain(host: str) -> str:
    """The host of a connection without the prefix of an IPv4 address that was written as IPv6's."""
    return host.removeprefix(MAPPED) if host.startswith(MAPPED) and "." in host else host


@lru_cache(maxsize=KNOWN)
def address_key(host: str) -> str:
    """The key of an IPv4 address, also mapped to IPv6, is the address itself; that of an IPv6 address its network.

    A text that is no address is its own key.
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    if address.is_loopback or address.is_link_local:
        return str(address)
    return str(ipaddress.ip_network((address, HOME_BITS), strict=False))


def is_loopback(key: str) -> bool:
    """True if an address with this key is of the same machine."""
    return key.startswith("127.") or key == "::1"
