"""Listeners of HTTP, and TLS for them: streams that encrypt, and such a stream as Hypercorn looks at it.

Only HTTP/1.1 is offered, as without TLS where a browser is not behind a proxy: pages are few, and WebSockets and long
polls gain nothing from sharing a connection. Not here: certificates (gateway.net.tls), and what guards a connection
(guard.py).
"""

from __future__ import annotations

from typing import TypeAlias

import trio

from gateway.config import Listen
from gateway.net.sockets import open_socket
from gateway.net.streams import Secured
from gateway.net.tls import Certificate, certificate
from gateway.web.stream import BoundedStream


class SecureListener(trio.abc.Listener[Secured]):
    """Streams encrypted with what the certificate is when they are accepted; nobody has shaken hands yet."""

    def __init__(self, listener: trio.SocketListener, certificate: Certificate) -> None:
        self.certificate = certificate
        self._listener = listener

    async def accept(self) -> Secured:
        plain = await self._listener.accept()
        return trio.SSLStream(plain, self.certificate.context, server_side=True, https_compatible=True)

    async def aclose(self) -> None:
        await self._listener.aclose()


Listener: TypeAlias = trio.SocketListener | SecureListener


def open_pages(listen: Listen) -> tuple[Listener, Listen]:
    """An open listener of HTTP, and its settings with the port it got. BadSetting."""
    found = certificate(listen)
    sock, shown = open_socket(listen)
    plain = trio.SocketListener(trio.socket.from_stdlib_socket(sock))
    return plain if found is None else SecureListener(plain, found), shown


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
