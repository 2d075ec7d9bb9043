"""What the historic GGZBoard clients do with a socket, rebuilt from the description of their wire: no project code.

They are brittle, and so is this: ints are read unsigned, one recv() that returns
less than was asked for is fatal, so are an unknown opcode, an answer to a handshake, a negative int (it reads as a
square far off the board) and a string of length 0 (they wait for ever). They write field by field, each with a send
of its own, strings without a closing NUL.
"""

from __future__ import annotations

import socket
import struct
from dataclasses import dataclass
from typing import Final

PATIENCE_S: Final = 20.0
"""Seconds until a silent server counts as a failure."""


class Fatal(Exception):
    """What a historic client does not survive."""


@dataclass(frozen=True, slots=True)
class Era:
    """A stretch of releases: the byte order of ints as struct writes it, and what becomes of a string's last byte."""

    name: str
    order: str
    drops_last_byte: bool


RECENT: Final = Era("after 2008-03", "!", drops_last_byte=True)
OLDER: Final = Era("before 2008-03", "!", drops_last_byte=False)
GGZ_0_0_13: Final = Era("GGZ 0.0.13 on x86", "<", drops_last_byte=False)
ERAS: Final = (RECENT, OLDER, GGZ_0_0_13)


class NetworkBase:
    """The socket layer all GGZBoard clients share. ``host`` is the address they connect from."""

    def __init__(self, port: int, era: Era = RECENT, host: str = "127.0.0.1") -> None:
        self.era = era
        self._sock = socket.create_connection(("127.0.0.1", port), PATIENCE_S, (host, 0))
        self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.seat = -1
        self.players: list[tuple[int, str]] = []
        self.started = False
        self.winner: int | None = None

    def close(self) -> None:
        self._sock.close()

    def __del__(self) -> None:
        self.close()  # a test that fails leaves no socket behind

    def read_int(self) -> int:
        (value,) = struct.unpack(self.era.order + "I", self._exactly(4))
        if value >= 1 << 31:
            raise Fatal(f"a negative int was sent, it reads as {value}")
        return int(value)

    def read_string(self) -> str:
        length = self.read_int()
        if length == 0:
            raise Fatal("a string of length 0: the client waits for ever")
        text = self._exactly(length)
        return (text[:-1] if self.era.drops_last_byte else text).decode("utf-8")

    def _exactly(self, count: int) -> bytes:
        """One recv(), as the clients do; what it does not bring at once never comes."""
        read = self._sock.recv(count)
        if len(read) != count:
            raise Fatal(f"read {len(read)} bytes of {count}")
        return read

    def write_int(self, value: int) -> None:
        self._sock.sendall(struct.pack(self.era.order + "i", value))

    def write_string(self, text: str) -> None:
        self.write_int(len(text.encode()))
        self._sock.sendall(text.encode())

    def read_player(self) -> tuple[int, str]:
        kind = self.read_int()
        return kind, "" if kind == 1 else self.read_string()


class BogaprotClient(NetworkBase):
    """The client of Ludo and Arimaa."""

    def read(self) -> tuple[str | int, ...]:
        """One message: its name and its values."""
        opcode = self.read_int()
        match opcode:
            case 103:
                self.seat = self.read_int()
                return "MSG_SEAT", self.seat
            case 104:
                self.players = [self.read_player() for _ in range(self.read_int())]
                return ("MSG_PLAYERS",)
            case 105:
                self.started = True
                return ("MSG_START",)
            case 106:
                return "REQ_MOVE", self.read_int()
            case 107:
                status = self.read_int()
                return "RSP_MOVE", status, self.read_string() if status else ""
            case 108:
                return "MSG_MOVE", self.read_int(), self.read_int()
            case 109:
                return "MSG_DICE", self.read_int()
            case 110:
                self.winner = self.read_int()
                return "MSG_GAMEOVER", self.winner
        raise Fatal(f"unknown opcode {opcode}")

    def move(self, source: int, destination: int) -> None:
        for value in (108, source, destination):
            self.write_int(value)

    def place(self, destination: int, piece: str) -> None:
        """As these clients put a piece on the board before the game."""
        self.move(-1, destination)
        self.write_string(piece)


class GGZBoardClient(NetworkBase):
    """The client of Checkers and Hnefatafl, which speaks an older protocol."""

    def read(self) -> tuple[str | int, ...]:
        """One message: its name and its values."""
        opcode = self.read_int()
        match opcode:
            case 0:
                self.seat = self.read_int()
                return "SEAT", self.seat
            case 1:
                self.players = [self.read_player(), self.read_player()]
                return ("PLAYERS",)
            case 2:
                return "MOVE", self.read_int(), self.read_int()
            case 3:
                self.winner = self.read_int()
                return "GAMEOVER", self.winner
            case 5:
                self.started = True
                return ("START",)
        raise Fatal(f"unknown opcode {opcode}")

    def move(self, source: int, destination: int) -> None:
        for value in (4, source, destination):
            self.write_int(value)


LUDO_DEPOTS: Final = {
    "yellow": ((1, 1), (0, 1), (1, 0), (0, 0)),
    "blue": ((9, 0), (10, 0), (9, 1), (10, 1)),
    "red": ((9, 9), (9, 10), (10, 9), (10, 10)),
    "green": ((0, 9), (1, 9), (0, 10), (1, 10)),
}
"""Where the original Ludo window draws the pieces at the start, however many play: columns and rows, in the order in
which it puts captured pieces back; the colours in the order in which it gives turns."""

LUDO_STARTS: Final = {"yellow": (0, 4), "blue": (6, 0), "red": (10, 6), "green": (4, 10)}

LUDO_STEPS: Final = (
    ((0, 4), (3, 4), (1, 0), "yellow blue red green"),
    ((6, 4), (9, 4), (1, 0), "yellow blue red green"),
    ((10, 4), (10, 4), (0, 1), "yellow blue red green"),
    ((1, 6), (4, 6), (-1, 0), "yellow blue red green"),
    ((7, 6), (10, 6), (-1, 0), "yellow blue red green"),
    ((0, 6), (0, 6), (0, -1), "yellow blue red green"),
    ((4, 1), (4, 4), (0, -1), "yellow blue red green"),
    ((4, 7), (4, 10), (0, -1), "yellow blue red green"),
    ((4, 0), (4, 0), (1, 0), "yellow blue red green"),
    ((6, 0), (6, 3), (0, 1), "yellow blue red green"),
    ((6, 6), (6, 9), (0, 1), "yellow blue red green"),
    ((6, 10), (6, 10), (-1, 0), "yellow blue red green"),
    ((0, 5), (3, 5), (1, 0), "yellow"),
    ((9, 5), (10, 5), (-1, 0), "red"),
    ((5, 0), (5, 3), (0, 1), "blue"),
    ((5, 9), (5, 10), (0, -1), "green"),
    ((0, 5), (0, 5), (0, -1), "blue red green"),
    ((10, 5), (10, 5), (0, 1), "yellow blue green"),
    ((5, 0), (5, 0), (1, 0), "yellow red green"),
    ((5, 10), (5, 10), (-1, 0), "yellow blue red"),
)
"""Where a piece goes next: from the squares between two corners by this many columns and rows, for these colours. In
their homes red and green come one square far."""


class LudoWindow:
    """What the original Ludo client draws and lets a person do. It counts ten columns on a board of eleven.

    It looks at no die: MSG_DICE is read and forgotten, and a click takes a piece one field on.
    """

    COLUMNS: Final = 10
    ROWS: Final = 11

    def __init__(self) -> None:
        self.board = {at: colour for colour, depot in LUDO_DEPOTS.items() for at in depot}
        self._moves = 0

    @property
    def turn(self) -> str:
        """The colour that the mouse takes: the next one after each move that is told."""
        return tuple(LUDO_DEPOTS)[self._moves % len(LUDO_DEPOTS)]

    def heard(self, source: int, destination: int) -> None:
        """A MSG_MOVE: what is drawn at the first square goes to the second, what was there to its depot."""
        from_, to = (divmod(at, self.COLUMNS)[::-1] for at in (source, destination))
        if from_ not in self.board:
            raise Fatal(f"a move from {from_}, which is empty")
        if to[1] >= self.ROWS:
            raise Fatal(f"a move to {to}, which is below the board")
        self._moves += 1
        beaten = self.board.get(to)
        free = [at for at in LUDO_DEPOTS[beaten] if at not in self.board] if beaten is not None else []
        if beaten is not None and free:
            self.board[free[0]] = beaten
        self.board[to] = self.board[from_]
        del self.board[from_]

    def clicks(self) -> dict[tuple[int, int], tuple[int, int]]:
        """The pieces that the mouse can take, and where to."""
        pieces = [at for at, colour in self.board.items() if colour == self.turn]
        targets = {at: LUDO_STARTS[self.turn] if at in LUDO_DEPOTS[self.turn] else self._next(at) for at in pieces}
        return {at: to for at, to in targets.items() if to is not None and self.board.get(to) != self.turn}

    def click(self, at: tuple[int, int]) -> tuple[int, int]:
        """What a person's click on a piece and on its next field sends."""
        source, destination = (y * self.COLUMNS + x for x, y in (at, self.clicks()[at]))
        return source, destination

    def _next(self, at: tuple[int, int]) -> tuple[int, int] | None:
        """One field on; None where the window knows no way."""
        x, y = at
        for (left, top), (right, bottom), (dx, dy), colours in LUDO_STEPS:
            if left <= x <= right and top <= y <= bottom and self.board[at] in colours.split():
                return x + dx, y + dy
        return None


class ArimaaWindow:
    """What the original Arimaa client lets a person do: pieces are put up on its own board, and nothing is sent."""

    def __init__(self, client: BogaprotClient) -> None:
        self.client = client
        self.put_up: dict[int, str] = {}

    def put(self, at: int, piece: str) -> None:
        self.put_up[at] = piece

    def step(self, source: int, destination: int) -> None:
        assert self.client.seat == 0, "the mouse takes pieces of seat 0 only"
        self.client.move(source, destination)
