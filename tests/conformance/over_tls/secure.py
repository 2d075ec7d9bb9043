"""A server that speaks TLS in every dialect, and who talks to it. Not here: what is tried."""

from __future__ import annotations

import ssl
import subprocess
import sys
from typing import Final

from tests.faults.guests import Guest
from tests.running import RunningServer

COMMAND: Final = (sys.executable, "-m", "gateway.cli")
DIALECTS: Final = ("bogaprot", "chess-p2p", "gtp-gui", "gtp-engine", "http", "relay")


class Secure(Guest):
    """A client that trusts this authority; ``name`` is whom it believes to have dialled."""

    def __init__(self, port: int, trust: ssl.SSLContext, name: str = "localhost") -> None:
        super().__init__(port)
        self.sock = trust.wrap_socket(self.sock, server_hostname=name)

    def __enter__(self) -> Secure:
        return self

    def certificate(self) -> bytes:
        """The server's, as it was shown."""
        assert isinstance(self.sock, ssl.SSLSocket)
        found = self.sock.getpeercert(binary_form=True)
        assert found is not None
        return found


def port(host: RunningServer, dialect: str) -> int:
    return host.ports[DIALECTS.index(dialect)]


def place(host: RunningServer, dialect: str, name: str = "localhost") -> str:
    return f"tls://{name}:{port(host, dialect)}"


def run(*words: str, typed: str = "") -> tuple[int, str]:
    """Exit status, and everything that was said."""
    done = subprocess.run([*COMMAND, *words], input=typed, capture_output=True, text=True, timeout=30)
    return done.returncode, done.stdout + done.stderr


def play(first: Guest, second: Guest, squares: tuple[int, ...]) -> None:
    """Place pieces by turns."""
    for turn, square in enumerate(squares):
        mover = (first, second)[turn % 2]
        while mover.hear("REQ_MOVE") != (turn % 2,):
            pass
        assert mover.puts(square) == (0,)
