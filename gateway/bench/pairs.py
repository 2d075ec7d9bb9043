"""Pairs of clients in strict alternation: what each kind of pair sends, and how it knows that it is its turn.

Not here: the loop that drives them (load.py).
"""

from __future__ import annotations

import socket
import struct
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Final

from protocols.core.errors import BoardgateError

DIAL_S: Final = 30.0
"""Seconds a connection may take: the server may be busy with a thousand others."""

RECEIVE: Final = 65536

REQ_MOVE, RSP_MOVE, MSG_GAMEOVER = 106, 107, 110
_INT: Final = struct.Struct("!i")
_TWO: Final = struct.Struct("!ii")
_OVER: Final = _INT.pack(MSG_GAMEOVER)
_REFUSED: Final = _TWO.pack(RSP_MOVE, 1)


class Stuck(BoardgateError):
    """The server under test refused a move, hung up, or no longer answers."""


class Pair(ABC):
    """Two clients of one table, dialled one after the other so that they meet.

    ``mover`` is the client that moved last (1 before the first move), ``sent`` when, in seconds.
    """

    def __init__(self, address: tuple[str, int]) -> None:
        self.address = address
        self.clients: list[socket.socket] = []
        self.mover = 1
        self.sent = 0.0

    def dial(self) -> socket.socket:
        """The next of the two clients, connected, not blocking."""
        client = socket.create_connection(self.address, timeout=DIAL_S)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.setblocking(False)
        self.clients.append(client)
        return client

    def close(self) -> None:
        """Hang up; the pair may dial again."""
        for client in self.clients:
            client.close()
        self.clients, self.mover = [], 1

    @abstractmethod
    def turn(self, client: int, received: bytes) -> bool | None:
        """Whether these bytes ask ``client`` to move; None when the game is over."""

    @abstractmethod
    def move(self) -> bytes:
        """The next move's bytes."""


class LinePair(Pair):
    """Clients of the bare relay: a line of a move's length in, told to both."""

    LINE: Final = b"MOVE 21 30\n"

    def turn(self, client: int, received: bytes) -> bool | None:
        return client != self.mover and received[-1:] == b"\n"

    def move(self) -> bytes:
        return self.LINE


class BogaprotPair(Pair):
    """Clients of the legacy profile, playing one scripted game after another."""

    def __init__(self, address: tuple[str, int], games: Sequence[Sequence[bytes]], number: int) -> None:
        super().__init__(address)
        self._games = games
        self._number = number
        self._moves: Iterator[bytes] = iter(())
        self._asked = (_TWO.pack(REQ_MOVE, 0), _TWO.pack(REQ_MOVE, 1))

    def dial(self) -> socket.socket:
        if not self.clients:
            self._number += 1
            self._moves = iter(self._games[self._number % len(self._games)])
        return super().dial()

    def turn(self, client: int, received: bytes) -> bool | None:
        if _REFUSED in received:
            raise Stuck("the server refused a legal move")
        last = received[-8:]
        return None if last[:4] == _OVER else last == self._asked[client]

    def move(self) -> bytes:
        return next(self._moves)
