"""Pairs of clients in strict alternation: what each kind of pair sends, and how it knows that it is its turn."""

from __future__ import annotations

import socket
import struct
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from protocols.core.errors import BoardgateError
from protocols.core.model import Move

DIAL_S: Final = 30.0
"""Seconds a connection may take: the server may be busy with a thousand others."""

RECEIVE: Final = 65536

REQ_MOVE, RSP_MOVE, MSG_MOVE, MSG_GAMEOVER = 106, 107, 108, 110
_INT: Final = struct.Struct("!i")
_TWO: Final = struct.Struct("!ii")
_THREE: Final = struct.Struct("!iii")
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
        client = self._connected()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.setblocking(False)
        self.clients.append(client)
        return client

    def _connected(self) -> socket.socket:
        """A new connection to the server."""
        return socket.create_connection(self.address, timeout=DIAL_S)

    def close(self) -> None:
        """Hang up; the pair may dial again."""
        for client in self.clients:
            client.close()
        self.clients, self.mover = [], 1

    def seated(self, received: bytes) -> bool:
        """True if these bytes, the first or later ones, mean that the client dialled last has its seat."""
        return True

    @abstractmethod
    def turn(self, client: int, received: bytes) -> bool | None:
        """True if these bytes ask ``client`` to move; None when the game is over.

        What else they call for is answered at once.
        """

    @abstractmethod
    def move(self) -> bytes:
        """The next move's bytes."""


class LinePair(Pair):
    """Clients of the bare relay: a line of a move's length in, told to both.

    Each has a line of its own: the mover's own line comes back, perhaps after the other's answer, and is no turn.
    """

    GREETING: Final = b"go\n"
    LINES: Final = (b"MOVE 21 30\n", b"MOVE 30 21\n")

    def turn(self, client: int, received: bytes) -> bool | None:
        if received.endswith(self.GREETING):
            return client == 0
        return received.endswith(self.LINES[1 - client])

    def move(self) -> bytes:
        return self.LINES[self.mover]


class ScriptedPair(Pair):
    """Clients of Boardgate, playing one scripted game after another; ``number`` says which is the first."""

    dialect: ClassVar[str]
    program: ClassVar[str] = ""
    """The kind of program that speaks it, where there is more than one."""
    carrier: ClassVar[str] = ""
    """The listener's name, where it is not the dialect's."""
    game: ClassVar[str]
    listener: ClassVar[str] = ""
    """Options of a listener for them."""
    clock: ClassVar[str] = "no clock"
    """The settings that the players agree on."""

    def __init__(self, address: tuple[str, int], games: Sequence[Sequence[bytes]], number: int) -> None:
        super().__init__(address)
        self._games = games
        self._number = number
        self._moves: Iterator[bytes] = iter(())

    def dial(self) -> socket.socket:
        if not self.clients:
            self._number += 1
            self._moves = iter(self._games[self._number % len(self._games)])
        return super().dial()

    def move(self) -> bytes:
        return next(self._moves)

    @staticmethod
    @abstractmethod
    def written(move: Move) -> bytes:
        """A move's bytes on the wire."""

    @classmethod
    def title(cls) -> str:
        """Its name in a heading."""
        return f"{cls.game} over {cls.kind()}, {cls.clock}"

    @classmethod
    def kind(cls) -> str:
        """Its name as a choice."""
        return f"{cls.dialect}-{cls.program}" if cls.program else cls.dialect

    @classmethod
    def script(cls, games: Sequence[Sequence[Move]]) -> list[list[bytes]]:
        """Games as this kind of pair plays them."""
        return [[cls.written(move) for move in game] for game in games]


class BogaprotPair(ScriptedPair):
    """Clients of the legacy profile at checkers; whose turn it is, the server says."""

    dialect = "bogaprot"
    game = "checkers"
    listener = "game=checkers"

    _ASKED: Final = (_TWO.pack(REQ_MOVE, 0), _TWO.pack(REQ_MOVE, 1))

    def turn(self, client: int, received: bytes) -> bool | None:
        if _REFUSED in received:
            raise Stuck("the server refused a legal move")
        last = received[-8:]
        return None if last[:4] == _OVER else last == self._ASKED[client]

    @staticmethod
    def written(move: Move) -> bytes:
        return _THREE.pack(MSG_MOVE, move.source, move.target)
