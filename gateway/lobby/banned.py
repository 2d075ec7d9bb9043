"""The ban list in memory: looks up networks and names for each newcomer. Pure: the time comes in."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from gateway.lobby.names import CUT, base, check
from gateway.lobby.spelling import keys, tidy
from gateway.store.bans import Ban, Kind
from protocols.core.errors import Refused, Why

WIDEST: Final = {4: 8, 6: 16}
"""By IP version, how short a network's prefix may be: a slip of the finger must not ban half the Internet."""


MAPPED: Final = ipaddress.IPv6Network("::ffff:0:0/96")
"""IPv4's addresses as a socket for both versions shows them (RFC 4291, section 2.5.5.2). Bans name them as IPv4's."""


def target_of(text: str) -> tuple[Kind, str]:
    """The kind and form of a target: a network (an address is one of its own size), or a name as it is shown.

    Refused (BAD_OPTION, NAME_TAKEN): neither of them, or a network that is too wide.
    """
    try:
        network = _network(text.strip())
    except ValueError:
        return "name", check(text, guest=False)
    if network.prefixlen < WIDEST[network.version]:
        raise Refused(Why.BAD_OPTION, f"{network} is too wide: /{WIDEST[network.version]} or a longer prefix")
    return "network", str(network)


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """The network, IPv4's where it is mapped into IPv6. ValueError: it is none."""
    network = ipaddress.ip_network(text, strict=False)
    if isinstance(network, ipaddress.IPv6Network) and network.subnet_of(MAPPED):
        first = network.network_address.ipv4_mapped
        return ipaddress.ip_network(f"{first}/{network.prefixlen - MAPPED.prefixlen}")
    return network


def in_words(ban: Ban) -> str:
    """The text for a banned client."""
    until = ""
    if ban.ends_at is not None:
        until = f" until {datetime.fromtimestamp(ban.ends_at, UTC):%Y-%m-%d %H:%M} UTC"
    return f"you are banned here{until}" + (f": {ban.reason}" if ban.reason else "")


class Banned:
    """The bans that were learnt last. Times are Unix time in seconds."""

    def __init__(self, bans: Iterable[Ban] = ()) -> None:
        self._networks: dict[tuple[int, int], dict[int, Ban]] = {}  # (version, bits of prefix) -> network -> ban
        self._names: dict[str, Ban] = {}  # by every key of the name
        for ban in bans:
            if ban.kind == "name":
                self._names |= dict.fromkeys(keys(ban.target) | keys(ban.target[:CUT]), ban)
            else:
                network = _network(ban.target)
                size = network.version, network.prefixlen
                self._networks.setdefault(size, {})[int(network.network_address)] = ban

    def __bool__(self) -> bool:
        return bool(self._networks or self._names)

    def address(self, host: str, now: float) -> Ban | None:
        """The ban on a network of this address; None for a text that is no address."""
        if not self._networks:
            return None
        try:
            address = ipaddress.ip_address(host.partition("%")[0])
        except ValueError:
            return None
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        number, version, bits = int(address), address.version, address.max_prefixlen
        for (of, prefix), networks in self._networks.items():
            ban = networks.get(number >> (bits - prefix) << (bits - prefix)) if of == version else None
            if ban is not None and _lasts(ban, now):
                return ban
        return None

    def name(self, name: str, now: float) -> Ban | None:
        """The ban on this name, on one that looks like it, or on the one that was numbered to make this one."""
        if not self._names:
            return None
        plain = tidy(name)
        found = (self._names.get(key) for wanted in (plain, base(plain)) for key in keys(wanted))
        return next((ban for ban in found if ban is not None and _lasts(ban, now)), None)


def _lasts(ban: Ban, now: float) -> bool:
    return ban.ends_at is None or ban.ends_at > now
