"""Clients whose connections a proxy passes on to a running server, and what it answers them."""

from __future__ import annotations

import contextlib
import json
import ssl
from pathlib import Path
from typing import Any, Self

from click.testing import CliRunner

from gateway.cli import main
from tests.faults.guests import Guest

BANNED = "198.51.100.66"


class Passed(Guest):
    """A client behind a proxy, which sends ``header`` first; with ``trust`` TLS follows."""

    def __init__(self, port: int, header: bytes, trust: ssl.SSLContext | None = None) -> None:
        super().__init__(port)
        self.sock.sendall(header)
        if trust is not None:
            self.sock = trust.wrap_socket(self.sock, server_hostname="localhost")

    def __enter__(self) -> Self:
        return self

    def is_hung_up_on(self) -> bool:
        """Wait for the end; True if no word came before it."""
        with contextlib.suppress(ConnectionError):
            return self.sock.recv(1) == b""
        return True

    def gets(self, path: str, method: str = "GET") -> tuple[int, str]:
        """Status and body of a request."""
        asked = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        self.sock.sendall(asked.encode())
        answer = self.rest()
        head, _, body = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), body.decode()

    def opens_room(self) -> dict[str, Any]:
        """A relay's new code and one-time port."""
        status, body = self.gets("/api/relays", "POST")
        assert status == 201, body
        found: dict[str, Any] = json.loads(body)
        return found

    def meets(self, code: str, side: str) -> None:
        self.sock.sendall(f"BOARDGATE-RELAY 1 MEET {code} {side * 22} -\n".encode())

    def line(self) -> str:
        """The relay's next line."""
        found = b""
        while not found.endswith(b"\n"):
            found += self.sock.recv(1)
        return found.decode().strip()

    def rest(self) -> bytes:
        """Everything until the end."""
        parts = []
        with contextlib.suppress(ConnectionError):
            while data := self.sock.recv(65536):
                parts.append(data)
        return b"".join(parts)


def ban(data: Path, address: str) -> None:
    """In the database; a running server knows within seconds."""
    done = CliRunner().invoke(main, ["ban", "add", address, "--data", str(data)])
    assert done.exit_code == 0, done.output
