"""A person or program at a chess server's port: types lines, waits for what it is told; may seal its lines."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from protocols.ics.timeseal import sealed
from tests.conformance.typing_client import TypingClient

PROMPT: Final = "fics% "
DATED: Final = "Server time    - "
"""The answer to a command that changes nothing: all before it has been answered."""


class IcsClient(TypingClient):
    code = "latin-1"

    def __init__(self, port: int, *, seals: bool = False) -> None:
        super().__init__(port)
        self._seals = seals
        if seals:
            self.type("TIMESTAMP|somebody|a test|")

    def _written(self, line: bytes) -> bytes:
        return sealed(line, int(time.monotonic() * 1000)) if self._seals else line

    def asks(self, line: str) -> str:
        """Type a command: what it is told until it has been answered, without the prompt behind that."""
        self.type(line, "date")
        told = self.hears(DATED).rpartition(PROMPT)[0]
        self.hears(PROMPT)
        return told

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


def challenged(one: IcsClient, other: IcsClient, game: str = "5 0 u white") -> int:
    """One looks who is here and challenges the other, who accepts; both are told the first position: its number."""
    one.asks("who")
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


Come = Callable[..., IcsClient]
