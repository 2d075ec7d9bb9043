"""Pairs of browsers at chess, and observers: WebSockets at /ws, messages of the dialect web.

A page moves when it has been told the legal moves, a program when it is its turn. Frames of a client are masked, each
by a key of its own, as browsers do it.
"""

from __future__ import annotations

import contextlib
import json
import random
import socket
from collections.abc import Sequence
from typing import ClassVar, Final

from bench.pairs import DIAL_S, RECEIVE, ScriptedPair, Stuck
from protocols.core.model import Move
from protocols.web.frames import FINAL, MASKED, TEXT, head, unmasked

OPENING: Final = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)

ACCEPTED: Final = b"HTTP/1.1 101 "

SEATED: Final = b'"type":"seated"'

_chance: Final = random.Random(1)


def framed(message: dict[str, object]) -> bytes:
    """A message as a browser sends it."""
    payload, key = json.dumps(message, separators=(",", ":")).encode(), _chance.randbytes(4)
    return head(TEXT | FINAL, len(payload), MASKED) + key + unmasked(payload, key)


def connected(address: tuple[str, int], *messages: bytes) -> socket.socket:
    """A WebSocket on which these frames were sent; what the server says to them is still to be read. Stuck."""
    client = socket.create_connection(address, timeout=DIAL_S)
    client.sendall(OPENING)
    answer = b""
    while not answer.endswith(b"\r\n\r\n") and (received := client.recv(1)):
        answer += received
    if not answer.startswith(ACCEPTED):
        client.close()
        raise Stuck(f"the server takes no WebSocket: {answer[:40]!r}")
    client.sendall(b"".join(messages))
    return client


def hello(**more: object) -> bytes:
    return framed({"type": "hello", "v": 1, **more})


def observer(address: tuple[str, int], table: int) -> socket.socket:
    """A page that looks on, and has been told the position. Stuck."""
    client = connected(address, hello(), framed({"type": "watch", "table": table}))
    said = b""
    while SEATED not in said:
        if not (received := client.recv(RECEIVE)) or b'"type":"rejected"' in received:
            client.close()
            raise Stuck(f"nobody may look on: {received[-200:]!r}")
        said += received
    client.setblocking(False)
    return client


class WebPair(ScriptedPair):
    """Two pages that ask for the same game of chess without a clock, and are ready; the first to dial is White."""

    dialect = "web"
    carrier = "http"
    game = "chess"

    _TURN: Final = b'"type":"moves"'
    _OVER: Final = b'"kind":"GameEnded"'
    _REFUSED: Final = b'"type":"rejected"'
    _LEAVE: Final = framed({"type": "leave"})
    join: ClassVar[dict[str, object]] = {"type": "join", "game": game}

    def __init__(self, address: tuple[str, int], games: Sequence[Sequence[bytes]], number: int) -> None:
        super().__init__(address, games, number)
        self.table = 0
        """The number of their table, once one has its seat."""

    def _connected(self) -> socket.socket:
        return connected(self.address, hello(), framed(self.join))

    def close(self) -> None:
        for client in self.clients:
            with contextlib.suppress(OSError):  # the server may have gone first
                client.send(self._LEAVE)
        super().close()

    def seated(self, received: bytes) -> bool:
        _, found, rest = received.partition(SEATED)
        if found:
            self.table = int(rest.partition(b'"table":')[2].partition(b",")[0])
        return bool(found)

    def turn(self, client: int, received: bytes) -> bool | None:
        if self._REFUSED in received:
            raise Stuck("the server refused a legal move")
        return None if self._OVER in received else self._TURN in received

    @staticmethod
    def written(move: Move) -> bytes:
        return framed({"type": "play", "move": [move.source, move.target, move.piece]})


class ProgramPair(WebPair):
    """Two programs at the same, which know the rules: they ask for no legal moves, and move when it is their turn."""

    program = "program"

    _TURNS: Final = (b'"type":"turn","seat":0', b'"type":"turn","seat":1')

    def _connected(self) -> socket.socket:
        return connected(self.address, hello(moves=False), framed(self.join))

    def turn(self, client: int, received: bytes) -> bool | None:
        asked = super().turn(client, received)
        return asked if asked is None else self._TURNS[client] in received
