"""Decides whether a browser's request comes from a page of this server: its Origin is compared with our names.

Source: RFC 6454, section 7, for the header. A page of another host may send requests here, and a host name of its own
may be made to lead here (DNS rebinding): so on plain HTTP the request's Host counts only where it is a name that no
stranger can own.
"""

from __future__ import annotations

import socket
from collections.abc import Collection
from functools import cache
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

OWN_SUFFIXES: Final = (".local", ".localhost", ".internal", ".home.arpa", ".lan", ".home")
"""Ends of names that the public name service never has (RFC 6762, RFC 6761, RFC 8375; the others are reserved)."""

PORTS: Final = {"http": 80, "https": 443}

FOREIGN: Final = "foreign_origin"
"""The code of a refusal of another site's page."""


def foreign(origin: str) -> str:
    """The words of it."""
    return f"a page of {origin[:100]!r} may not do this here; server.public_host is this server's own name"


def is_ours(origin: str, host: str, names: Collection[str], *, secure: bool, proxied: bool) -> bool:
    """True if a page with this ``origin`` is a page of the server that was asked as ``host``, the Host header.

    ``names`` are the server's own host names. ``secure``: the browser's connection is encrypted, so it has seen a
    certificate for that host. ``proxied``: the host's own reverse proxy has passed the request on; it may have left
    the port out of Host, or have put a name of its own there.
    """
    try:
        page, asked = urlsplit(origin), urlsplit(f"//{host}")
        page_port, asked_port = _port(page, page.scheme), _port(asked, page.scheme)
    except ValueError:
        return False
    page_name, asked_name = _name(page), _name(asked)
    if page.scheme not in PORTS or not page_name or page.path or page.query or page.fragment:
        return False
    if secure and page.scheme != "https":
        return False
    if proxied:
        return page_name == asked_name or page_name in {name.lower() for name in names}
    if (page_name, page_port) != (asked_name, asked_port):
        return False
    return secure or _cannot_be_strangers(page_name, names)


def _port(parts: SplitResult, scheme: str) -> int | None:
    """ValueError: it is no port."""
    return parts.port if parts.port is not None else PORTS.get(scheme)


def _name(parts: SplitResult) -> str:
    return (parts.hostname or "").rstrip(".")


def _cannot_be_strangers(name: str, names: Collection[str]) -> bool:
    """True for addresses, for names without a dot or for a house's own network, and for those of this server."""
    try:
        ip_address(name.partition("%")[0])
    except ValueError:
        return "." not in name or name.endswith(OWN_SUFFIXES) or name in {*map(str.lower, names), _machine()}
    return True


@cache
def _machine() -> str:
    return socket.gethostname().lower()
