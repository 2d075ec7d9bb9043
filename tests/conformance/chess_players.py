"""What players of chess do, in whatever dialect: the same things with the same calls. Each is written from a document.

Moves are coordinates ("e2e4"); a player says its own and waits until
it is told the other's. Players know no rules: who plays what is the test's.
"""

from __future__ import annotations

import re
import socket
from abc import ABC, abstractmethod
from typing import ClassVar

from tests.conformance.spec_client import PATIENCE_S


class ChessPlayer(ABC):
    """``ports`` are the server's by dialect; ``seconds`` is the whole game's time, None for the usual five minutes."""

    dialect: ClassVar[str]
    listener: ClassVar[str]

    def __init__(self, port: int, name: str) -> None:
        self.port = port
        self.name = name
        self.result = ""

    @abstractmethod
    def sit(self, white: bool, first: str, seconds: int = 300) -> None:
        """Come, and propose to play this side; ``first`` is White's first move, for those who must make it now.

        White comes first: it returns when its proposal waits for somebody.
        """

    @abstractmethod
    def begin(self) -> None:
        """Wait until the game has begun."""

    @abstractmethod
    def move(self, move: str) -> None:
        """Make a move, and wait until it is accepted where the dialect says so."""

    @abstractmethod
    def hears(self, move: str) -> None:
        """Wait to be told the other side's move."""

    @abstractmethod
    def asks(self, what: str) -> None:
        """Offer or ask for this: "adjourn"."""

    @abstractmethod
    def hears_ask(self, what: str) -> None:
        """Wait to be told what the other side offers or asks for."""

    @abstractmethod
    def agrees(self, what: str) -> None:
        """Answer yes."""

    @abstractmethod
    def adjourned(self) -> None:
        """Wait until the game is adjourned."""

    @abstractmethod
    def resumes(self) -> None:
        """Say that one is ready to go on."""

    @abstractmethod
    def resumed(self, on_move: bool) -> None:
        """Wait until the game goes on."""

    @abstractmethod
    def ended(self) -> str:
        """Wait for the end; "1-0", "0-1" or "1/2-1/2"."""

    @abstractmethod
    def close(self) -> None:
        """Hang up."""


OPTION = re.compile(rb"\xff[\xfb-\xfe].")
"""The answer to an option of Telnet; it is no line."""


class Lines:
    """A connection of text lines; ``heard`` are those that nobody has looked at yet."""

    def __init__(self, port: int) -> None:
        self._sock = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
        self._rest = b""
        self.passed: list[str] = []
        """What ``until`` read last and was not asked for."""

    def say(self, *lines: str) -> None:
        self._sock.sendall("".join(f"{line}\n" for line in lines).encode())

    def next(self) -> str:
        while b"\n" not in self._rest:
            part = self._sock.recv(4096)
            assert part, f"the server closed after {self._rest!r}"
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\n")
        return OPTION.sub(b"", line).decode()

    def until(self, *starts: str) -> str:
        """Read on to the first line that begins so."""
        self.passed = []
        while True:
            try:
                line = self.next()
            except TimeoutError:
                raise AssertionError(f"none of {starts} came, but {self.passed}") from None
            if line.startswith(starts):
                return line
            self.passed.append(line)

    def close(self) -> None:
        self._sock.close()

    def __del__(self) -> None:
        self.close()  # a test that fails leaves no socket behind
