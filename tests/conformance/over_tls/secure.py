"""Listeners that speak TLS in every dialect, clients of them, and commands that talk to them."""

from __future__ import annotations

import ssl
import sys
from typing import Final

from click.testing import CliRunner

from gateway import registry
from gateway.cli import main
from tests.faults.guests import Guest
from tests.running import RunningServer

COMMAND: Final = (sys.executable, "-m", "gateway.cli")
DIALECTS: Final = (*(name for name, kind in registry.dialects().items() if kind.public), "http", "relay")
"""Every dialect that has a listener of its own, and the two listeners that are none."""


def listener(dialect: str, options: str) -> str:
    """A listener with these options; a dialect of certain games alone is told which."""
    kind = registry.dialects().get(dialect)
    game = f",game={kind.plays[0]}" if kind is not None and kind.plays and "game" in kind.options else ""
    return f"{dialect}{game},{options}"


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
    """Exit status of a ``boardgate`` command in this process, and everything that it said."""
    done = CliRunner().invoke(main, words, typed, catch_exceptions=False)
    return done.exit_code, done.output


def play(first: Guest, second: Guest, squares: tuple[int, ...]) -> None:
    """Place pieces by turns."""
    for turn, square in enumerate(squares):
        mover = (first, second)[turn % 2]
        while mover.hear("REQ_MOVE") != (turn % 2,):
            pass
        assert mover.puts(square) == (0,)
