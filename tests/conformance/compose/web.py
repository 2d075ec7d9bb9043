"""What the composition's web address answers, to who trusts one certificate only. Not here: any other client."""

from __future__ import annotations

import socket
import ssl

from tests.conformance.compose.composition import HTTPS
from tests.conformance.compose.handbook import HOST
from tests.conformance.spec_client import PATIENCE_S


def connected(certificate: str) -> ssl.SSLSocket:
    """A TLS connection to the web address by its name."""
    context = ssl.create_default_context(cadata=certificate)
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # it need not be an authority's
    plain = socket.create_connection(("127.0.0.1", HTTPS), PATIENCE_S)
    try:
        return context.wrap_socket(plain, server_hostname=HOST)
    except ssl.SSLError:
        plain.close()
        raise


def asked(certificate: str, path: str, *headers: str) -> tuple[int, str]:
    """Status and body."""
    lines = "\r\n".join([f"GET {path} HTTP/1.1", "Host: here", "Connection: close", *headers, "", ""])
    with connected(certificate) as secured:
        secured.sendall(lines.encode())
        head, _, body = received(secured).partition("\r\n\r\n")
    return int(head.split()[1]), body


def received(sock: socket.socket) -> str:
    """Everything until the server closes."""
    parts = []
    while part := sock.recv(65536):
        parts.append(part)
    return b"".join(parts).decode()
