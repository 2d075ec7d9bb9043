"""The GUI's end of a GTP conversation with the server's port for GUIs, or with a program on pipes.

gui = OnPort(port)
assert gui.asks("boardsize 9") == "="
assert gui.asks("7 play b D4") == "=7"

Imports no project code. Answers come without the empty line at their end. Source: the GTP version 2 draft.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import IO, Final

PATIENCE_S: Final = 20.0
"""Seconds until a silent end counts as a failure."""

PIPE: Final = (sys.executable, "-m", "gateway.cli", "gtp")
"""``boardgate gtp``, to be followed by its options."""


class End(ABC):
    """One end that answers; ``sends`` asks without waiting, ``answer`` waits for the next answer."""

    def __init__(self) -> None:
        self._rest = b""

    def asks(self, line: str) -> str:
        self.sends(line)
        return self.answer()

    def sets(self, *lines: str) -> None:
        """Ask for all of this, one after another; each must be granted."""
        for line in lines:
            answer = self.asks(line)
            assert answer.startswith("="), f"{line}: {answer}"

    def sends(self, *lines: str) -> None:
        self.write("".join(f"{line}\n" for line in lines).encode())

    def answer(self) -> str:
        while b"\n\n" not in self._rest:
            part = self.read()
            assert part, f"it ended after {self._rest!r}"
            self._rest += part
        block, _, self._rest = self._rest.partition(b"\n\n")
        return block.decode().rstrip()

    def ended(self) -> bytes:
        """Wait until the other end hangs up; what it said before that and nobody has read."""
        while part := self.read():
            self._rest += part
        return self._rest

    @abstractmethod
    def write(self, data: bytes) -> None:
        """These bytes, as they are."""

    @abstractmethod
    def read(self) -> bytes:
        """Some bytes; b"" at the end."""

    @abstractmethod
    def close(self) -> None:
        """Hang up."""


class OnPort(End):
    """A connection to a port; with a name and a ticket where they are given."""

    def __init__(self, port: int, name: str = "", ticket: str = "") -> None:
        super().__init__()
        self._sock = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
        self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if name:
            self.sends(f"# name {name}")
        if ticket:
            self.sends(f"# ticket {ticket}")

    def write(self, data: bytes) -> None:
        self._sock.sendall(data)

    def read(self) -> bytes:
        try:
            return self._sock.recv(65536)
        except ConnectionError:
            return b""

    def close(self) -> None:
        self._sock.close()

    def __del__(self) -> None:
        self.close()  # a test that fails leaves no socket behind


class OnPipes(End):
    """A program on its standard input and output; killed when it is closed or forgotten."""

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )

    def write(self, data: bytes) -> None:
        _pipe(self.process.stdin).write(data)

    def read(self) -> bytes:
        return _pipe(self.process.stdout).read(65536)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE_S)
        _pipe(self.process.stdin).close()
        _pipe(self.process.stdout).close()

    def __del__(self) -> None:
        self.close()


def pipe(port: int, *options: str) -> OnPipes:
    """``boardgate gtp`` joined to a port of this machine."""
    return OnPipes((*PIPE, f"127.0.0.1:{port}", *options))


def _pipe(found: IO[bytes] | None) -> IO[bytes]:
    assert found is not None
    return found
