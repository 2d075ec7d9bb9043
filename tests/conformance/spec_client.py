"""A Bogaprot client written from its document alone: REQ_HANDSHAKE, strings with a NUL, a board of plain squares.

The board is what the messages make of it: a move takes the piece of
the source to the destination, a move without destination takes it off, one without source puts a piece down.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Mapping
from typing import Final

PATIENCE_S: Final = 20.0
"""Seconds until a silent server counts as a failure."""

LONGEST_STRING: Final = 32768

OPEN, BOT, PLAYER, RESERVED, ABANDONED = 1, 2, 3, 4, 5

Told = tuple[str | int, ...]


class Closed(Exception):
    """The server has closed the connection."""


def int32(*values: int) -> bytes:
    return struct.pack(f"!{len(values)}i", *values)


def string(text: str) -> bytes:
    """ "... prepended by an integer containing the string's length (including the null byte)"."""
    encoded = text.encode("utf-8") + b"\0"
    return int32(len(encoded)) + encoded


class SpecClient:
    """``usual`` is the board every client of this game knows the start of; ``board`` what it is now."""

    def __init__(self, port: int, usual: Mapping[int, str] | None = None) -> None:
        self._sock = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
        self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._usual = dict(usual or {})
        self.board: dict[int, str] = {}
        self.seat = -1
        self.players: list[tuple[int, str]] = []
        self.winner: int | None = None

    def close(self) -> None:
        self._sock.close()

    def __del__(self) -> None:
        self.close()  # a test that fails leaves no socket behind

    def send(self, data: bytes) -> None:
        self._sock.sendall(data)

    def handshake(self, engine: str, version: int = 1) -> Told:
        """Ask for a game; the answer."""
        self.send(int32(101) + string(engine) + int32(version))
        return self.until("RSP_HANDSHAKE")

    def move(self, source: int, destination: int, piece: str = "") -> None:
        self.send(int32(108, source, destination) + (string(piece) if source < 0 else b""))

    def raw(self, count: int) -> bytes:
        """The next ``count`` bytes, however many reads they take."""
        read = b""
        while len(read) < count:
            part = self._sock.recv(count - len(read))
            if not part:
                raise Closed(f"after {len(read)} bytes of {count}")
            read += part
        return read

    def until(self, *names: str) -> Told:
        """Read on to the first message of one of these names."""
        while True:
            message = self.read()
            if message[0] in names:
                return message

    def read(self) -> Told:
        """One message: its name and its values, a string that is not sent left out."""
        opcode = self._int()
        match opcode:
            case 102:
                return "RSP_HANDSHAKE", *self._status()
            case 103:
                self.seat = self._int()
                return "MSG_SEAT", self.seat
            case 104:
                self.players = [self._player() for _ in range(self._int())]
                return ("MSG_PLAYERS",)
            case 105:
                self.board = dict(self._usual)
                return ("MSG_START",)
            case 106:
                return "REQ_MOVE", self._int()
            case 107:
                return "RSP_MOVE", *self._status()
            case 108:
                return "MSG_MOVE", *self._moved(self._int(), self._int())
            case 109:
                return "MSG_DICE", self._int()
            case 110:
                self.winner = self._int()
                return "MSG_GAMEOVER", self.winner
        raise AssertionError(f"the document has no message {opcode}")

    def _int(self) -> int:
        return int(struct.unpack("!i", self.raw(4))[0])

    def _string(self) -> str:
        length = self._int()
        assert 1 <= length <= LONGEST_STRING, f"a string of {length} bytes"
        text = self.raw(length)
        assert text.find(b"\0") == length - 1, f"not null-terminated, or terminated early: {text!r}"
        return text[:-1].decode("utf-8")

    def _status(self) -> Told:
        status = self._int()
        return (status, self._string()) if status else (status,)

    def _player(self) -> tuple[int, str]:
        kind = self._int()
        return kind, "" if kind == OPEN else self._string()

    def _moved(self, source: int, destination: int) -> Told:
        if source >= 0 and destination >= 0:
            self.board[destination] = self.board.pop(source)
            return source, destination
        if source >= 0:
            self.board.pop(source, None)
            return source, destination
        piece = self._string()
        if destination >= 0:
            self.board[destination] = piece
        return source, destination, piece
