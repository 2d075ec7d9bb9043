"""HTTP listeners behind the host's own reverse proxy: whose request it is stands in X-Forwarded-For.

Only for listeners that nobody but the proxy reaches: anybody else could write any address there. The proxy's
connections all come from one address; how many each of its clients may have is the proxy's to limit. Not here: TLS.
Source: RFC 7239, section 7.4, for the header that proxies send.
"""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_address
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.config import BadSetting, Limits, Listen
from gateway.net.tls import without_tls
from gateway.web.guard import HttpPlaces

PROXY: Final = "proxy"

OPTIONS: Final = {PROXY: "yes: only a reverse proxy reaches this port, and says in X-Forwarded-For who is asking"}
"""The options of HTTP listeners: name to one line of help."""

SWITCH: Final = {"yes": True, "no": False}


def through_proxy(listen: Listen) -> bool:
    """Whether this HTTP listener is for a reverse proxy. BadSetting: an option that it does not have."""
    for key in without_tls(listen.options):
        if key not in OPTIONS:
            raise BadSetting(f"listener {listen}: {listen.dialect} has no option {key!r}")
    found = SWITCH.get(listen.options.get(PROXY, "no"))
    if found is None:
        raise BadSetting(f"listener {listen}: {PROXY} is yes or no")
    return found


def proxy_places(limits: Limits) -> HttpPlaces:
    """As many connections as there may be at all, counted on their own, from one address or from many."""
    return HttpPlaces(replace(limits, connections_per_address=limits.connections))


class Forwarded:
    """The application, asked by whoever the proxy says. Where it says nothing that is nobody: not the proxy, which may
    stand on this machine and be trusted for that.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = _client(scope)
        await self._app({**scope, "client": (address, 0) if address else None}, receive, send)


def _client(scope: Scope) -> str:
    """The address that the nearest proxy has seen, the last one of the header; empty when there is none."""
    written = [text for name, text in scope.get("headers", ()) if name == b"x-forwarded-for"]
    last = written[-1].rpartition(b",")[2].strip().decode("ascii", "replace") if written else ""
    try:
        address = ip_address(last)
    except ValueError:
        return ""
    return str(getattr(address, "ipv4_mapped", None) or address)
