"""An open listener of HTTP or of the relay: its socket, its certificate, and what its options switch on.

Listeners of dialects have more to say (gateway/sessions/listener.py).
"""

from __future__ import annotations

import socket
from dataclasses import dataclass
from typing import Final

from gateway.config import Listen
from gateway.net.proxy_reader import PROXY_PROTOCOL
from gateway.net.sockets import Opening, open_socket
from gateway.net.tls import Certificate, certificate

PROXY: Final = "proxy"
WIRE_LOG, WIRE_PUBLIC = "wire_log", "wire_public"


@dataclass(frozen=True, slots=True)
class OpenListener:
    """``shown`` has the port that it got. ``certificate`` None: what is spoken there is not encrypted.

    ``proxied``: only the host's reverse proxy reaches it, which writes X-Forwarded-For; ``proxy_protocol``: connections
    begin with a PROXY header. ``wire_log``: its conversations are written as transcripts, ``wire_public``: everybody
    may look at their bytes.
    """

    sock: socket.socket
    shown: Listen
    certificate: Certificate | None = None
    proxied: bool = False
    proxy_protocol: bool = False
    wire_log: bool = False
    wire_public: bool = False


def opened(listen: Listen, opening: Opening = open_socket) -> OpenListener:
    """BadSetting says what is wrong with its address, its certificate or a switch; other options are not looked at."""
    switched = [listen.switch(option) for option in (PROXY, PROXY_PROTOCOL, WIRE_LOG, WIRE_PUBLIC)]
    secure = certificate(listen)
    sock, shown = opening(listen)
    return OpenListener(sock, shown, secure, *switched)
