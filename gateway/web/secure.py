"""Listeners of HTTP, and TLS for them: how Hypercorn looks at a stream that encrypts.

Only HTTP/1.1 is offered, as without TLS where a browser is not behind a proxy: pages are few, and WebSockets and long
polls gain nothing from sharing a connection. Not here: certificates (gateway.net.tls), and what guards a connection
(guard.py).
"""

from __future__ import annotations

import socket
from dataclasses import dataclass

from gateway.config import Listen
from gateway.net.sockets import open_socket
from gateway.net.tls import Certificate, certificate
from gateway.web.stream import BoundedStream


@dataclass(frozen=True, slots=True)
class Pages:
    """An open listener of HTTP. ``certificate`` None: what is spoken there is not encrypted."""

    sock: socket.socket
    shown: Listen
    certificate: Certificate | None = None


def open_pages(listen: Listen) -> Pages:
    """An open listener; it shows the port it got. BadSetting."""
    secure = certificate(listen)
    sock, shown = open_socket(listen)
    return Pages(sock, shown, secure)


class SecureStream(BoundedStream):
    """By these three names Hypercorn knows that a stream is encrypted; hands are shaken before it gets it."""

    async def do_handshake(self) -> None:
        """Nothing: it is done."""

    def selected_alpn_protocol(self) -> str:
        return "http/1.1"

    @property
    def transport_stream(self) -> SecureStream:
        """What has the socket."""
        return self
