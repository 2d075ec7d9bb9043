"""HTTP listeners behind the host's own reverse proxy: whose request it is stands in X-Forwarded-For.

Only for listeners that the proxy alone reaches: another client could write any address there. The proxy's
connections all come from one address; how many each of its clients may have is the proxy's to limit.
Source: RFC 7239, section 7.4, for the header that proxies send.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from ipaddress import ip_address
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.config import BadSetting, Config, Limits, Listen
from gateway.net.listening import PROXY, WIRE_LOG, WIRE_PUBLIC, OpenListener, opened
from gateway.net.proxy_reader import PROXY_OPTIONS, PROXY_PROTOCOL
from gateway.net.sockets import Opening, open_socket
from gateway.net.tls import without_tls
from gateway.web.limiters import HttpLimiter

EACH_WORKER: Final = "each_worker"

PROXIED: Final = "boardgate.proxied"
"""The ASGI scope's key that says: the host's own reverse proxy has passed this request on."""

OPTIONS: Final = {
    PROXY: "yes: only a reverse proxy reaches this port, and says in X-Forwarded-For who is asking",
    WIRE_LOG: "yes: write every conversation of a WebSocket or a line as a transcript",
    WIRE_PUBLIC: "yes: everybody may look at the bytes of its players in browsers, on the table's page",
    EACH_WORKER: "yes: each worker (server.workers) has a port of its own: this one, the next, and so on",
    **PROXY_OPTIONS,
}
"""The options of HTTP listeners: name to one line of help."""


def open_pages(listen: Listen, opening: Opening = open_socket) -> OpenListener:
    """An open listener of HTTP. BadSetting says what is wrong with its address, options or certificate."""
    for key in without_tls(listen.options):
        if key not in OPTIONS:
            raise BadSetting(f"listener {listen}: {listen.dialect} has no option {key!r}")
    listen.switch(EACH_WORKER)
    if listen.switch(PROXY) and listen.switch(PROXY_PROTOCOL):
        raise BadSetting(
            f"listener {listen}: {PROXY} is for X-Forwarded-For, {PROXY_PROTOCOL} for a header: choose one"
        )
    return opened(listen, opening)


class ProxyLimiter(HttpLimiter):
    """Counts the proxy's connections: as many as there may be at all, from one address or from many."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(_of_one(limits))

    def reread(self, config: Config) -> None:
        super().reread(replace(config, limits=_of_one(config.limits)))


def _of_one(limits: Limits) -> Limits:
    return replace(limits, connections_per_address=limits.connections)


class Forwarded:
    """The application, asked by the address that the proxy names. Without a name that is none: not the proxy, which may
    stand on this machine and be trusted for that. The scheme is the one with which the
    proxy was asked, where it says so.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = scope.get("headers", ())
        address, proto = forwarded_address(headers), forwarded_proto(headers)
        named: dict[str, object] = {"client": (address, 0) if address else None, PROXIED: True}
        if proto and scope["type"] == "http":
            named["scheme"] = proto
        await self._app({**scope, **named}, receive, send)


Headers = Iterable[tuple[bytes, bytes]]
"""Names in lower case, and texts."""


def forwarded_proto(headers: Headers) -> str:
    """The scheme with which the nearest proxy was asked, "http" or "https"; "" when it does not say."""
    proto = _last(headers, b"x-forwarded-proto").lower()
    return proto if proto in ("http", "https") else ""


def _last(headers: Headers, wanted: bytes) -> str:
    """The last word of a header that is a list: the nearest proxy wrote it. Empty when there is none."""
    written = [text for name, text in headers if name == wanted]
    return written[-1].rpartition(b",")[2].strip().decode("ascii", "replace") if written else ""


def forwarded_address(headers: Headers) -> str:
    """The address that the nearest proxy has seen, the last one of the header; empty when there is none."""
    last = _last(headers, b"x-forwarded-for")
    try:
        address = ip_address(last)
    except ValueError:
        return ""
    return str(getattr(address, "ipv4_mapped", None) or address)
