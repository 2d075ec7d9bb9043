"""Pairs of clients of the chess peer-to-peer protocol, as two adapters would play: every move crosses twice.

The mover hears its move again, for the opponent's GUI has made it too; the other side echoes it and then moves. Source:
H.G. Muller's text of the protocol.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Sequence
from typing import ClassVar

from bench.pairs import ScriptedPair, Stuck
from protocols.chess_words.text import from_move
from protocols.core.model import Move


class ChessPair(ScriptedPair):
    """White proposes the game with its first move in hand, Black the same game; neither keeps time.

    The first to dial is White.
    """

    dialect = "chess-p2p"
    game = "chess"
    level: ClassVar[bytes] = b""
    """The clients' words for their time control."""

    def __init__(self, address: tuple[str, int], games: Sequence[Sequence[bytes]], number: int) -> None:
        super().__init__(address, games, number)
        self._playing: set[int] = set()
        self._last = b""

    def dial(self) -> socket.socket:
        if not self.clients:
            self._playing.clear()
        return super().dial()

    def close(self) -> None:
        """The last words of a client: one that goes without a word would have its seat kept."""
        for client in self.clients:
            with contextlib.suppress(OSError):  # the server may have gone first
                client.send(b"quit\n")
        super().close()

    def seated(self, received: bytes) -> bool:
        return not received.startswith(b"hallo ")

    def turn(self, client: int, received: bytes) -> bool | None:
        if client not in self._playing and not self._entered(client, received):
            return False
        if b"result " in received:
            return None
        if self._last in received:
            return self._told(client)
        if b"text your move " in received:
            raise Stuck("the server refused a legal move")
        return False

    def _told(self, client: int) -> bool:
        """The last move has come: the mover's own is the echo it waited for, the other's is echoed."""
        if client == self.mover:
            return False
        self.clients[client].send(self._last)
        return True

    def _entered(self, client: int, received: bytes) -> bool:
        """Say what starts a game. A Go that answers the same Go is accepted."""
        if received.startswith(b"hallo "):
            self.clients[client].send(b"new\n" + self.level + (b"" if client else self.move()) + b"go\n")
        if not received.endswith(b"go\n"):
            return False
        self.clients[client].send(b"accepted\n")
        self._playing.add(client)
        self.mover = 0  # White's first move was made before the game began
        return True

    def move(self) -> bytes:
        self._last = super().move()
        return self._last

    @staticmethod
    def written(move: Move) -> bytes:
        return f"move {from_move(move)}\n".encode()


class TimedChessPair(ChessPair):
    """The same with clocks, which the table keeps and stores, and tells with every move: an hour for each side."""

    level = b"level 0 3600 0\n"
    clock = "an hour a side"
