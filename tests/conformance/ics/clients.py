"""A person or program at a chess server's port: types lines, waits for what it is told; may seal its lines."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from typing import Final

from protocols.ics.timeseal import sealed

PATIENCE_S: Final = 30.0
PROMPT: Final = "fics% "
DATED: Final = "Server time    - "
"""The answer to a command that changes nothing: all before it has been answered."""


class IcsClient:
    """``text`` is all that it was told, with plain ends of lines; what it has waited for is behind it."""

    def __init__(self, port: int, *, seals: bool = False) -> None:
        self._seals = seals
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
        self._socket.settimeout(0.05)
        self._read = 0
        self.text = ""
        self.name = ""
        if seals:
            self.type("TIMESTAMP|somebody|a test|")

    def type(self, *lines: str) -> None:
        for line in lines:
            data = line.encode("latin-1")
            self._socket.sendall((sealed(data, int(time.monotonic() * 1000)) if self._seals else data) + b"\n")

    def hears(self, words: str) -> str:
        """Wait for these words, behind all that it has waited for: what came before them."""
        deadline = time.monotonic() + PATIENCE_S
        while (at := self.text.find(words, self._read)) < 0:
            assert time.monotonic() < deadline, f"{words!r} did not come: {self.text[-3000:]}"
            self._receive()
        before, self._read = self.text[self._read : at], at + len(words)
        return before

    def asks(self, line: str) -> str:
        """Type a command: what it is told until it has been answered, without the prompt behind that."""
        self.type(line, "date")
        told = self.hears(DATED).rpartition(PROMPT)[0]
        self.hears(PROMPT)
        return told

    def _receive(self) -> None:
        with suppress(TimeoutError):
            data = self._socket.recv(65_536)
            if not data:
                raise ConnectionError(f"closed by the server: {self.text[-1000:]}")
            self.text += data.decode("latin-1").replace("\r", "")

    def comes(self, name: str = "guest", password: str = "") -> IcsClient:
        """Log in, by style 12: as a guest, or as the account of this name."""
        self.hears("login: ")
        self.type(name)
        self.hears("password: " if password else "Press return")
        self.type(password)
        self.hears("**** Starting FICS session as ")
        self.name = self.hears(" ****").removesuffix("(U)")
        self.hears(PROMPT)
        self.asks("set seek 0")
        self.asks("style 12")
        return self

    def board(self) -> list[str]:
        """The next position that it is told, in words."""
        self.hears("<12> ")
        return self.hears("\n").split()

    def close(self) -> None:
        self._socket.close()


def challenged(one: IcsClient, other: IcsClient, game: str = "5 0 u white") -> int:
    """One challenges the other, who accepts; both are told the first position: the number of the game."""
    one.type(f"match {other.name} {game}")
    other.hears("Challenge: ")
    other.type("accept")
    for each in (one, other):
        each.hears("{Game ")
    number = one.hears(" (")
    assert other.hears(" (") == number
    for each in (one, other):
        each.board()
    return int(number)


def play(white: IcsClient, black: IcsClient, moves: str) -> list[str]:
    """They make these moves by turns; the last position that White is told."""
    told: list[str] = []
    for at, move in enumerate(moves.split()):
        (white, black)[at % 2].type(move)
        told = white.board()
        black.board()
    return told
