"""What the clients of dialects of text lines share: lines out, lines in, and a FEN that was told."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from protocols.chess_words.text import from_move, to_move
from protocols.core.model import Move
from tests.matrix.client import Client, Place
from tests.matrix.wires import Room

RESULTS = {"1-0": "0", "0-1": "1", "1/2-1/2": "draw"}


class LineClient(Client):
    """``told_fen`` is the position that it was told last, and after how many half-moves."""

    def __init__(self, room: Room, place: Place) -> None:
        super().__init__(room, place)
        self._rest = b""
        self._told_fen: tuple[int, str] | None = None

    def dial_up(self) -> None:
        self._rest, self._told_fen = b"", None
        self.dial()

    def say(self, *lines: str) -> None:
        assert self.wire is not None
        for line in lines:
            self.wire.send(f"{line}\n".encode(), line)

    def receive(self, part: bytes) -> None:
        *whole, self._rest = (self._rest + part).split(b"\n")
        for line in whole:
            assert self.wire is not None
            text = line.decode().rstrip("\r")
            self.wire.lines.append(f"<< {text}")
            self.hear(text)

    @abstractmethod
    def hear(self, line: str) -> None:
        """One line has come."""

    def told_fen(self, fen: str) -> None:
        """This position stands now."""
        self._told_fen = self.board.ply, fen

    @property
    def legal(self) -> bool:
        """True if the FEN that was told for this half-move is the board's, as far as both go."""
        if self._told_fen is None or self._told_fen[0] != self.board.ply:
            return True
        here, there = self.board.brief().split(), self._told_fen[1].split()
        return here[:2] == there[:2]

    def written(self, move: Move) -> str:
        """In coordinates; what no board has as it is."""
        return from_move(move) or self.board.game.notation(self.board.position, move)

    def read(self, text: str) -> Move:
        """The move that was told so."""
        board = self.board
        found = to_move(text, board.settings.variant) if board.game.judged else None
        return found or board.read(text)


class VisitorClient(LineClient):
    """A guest of a server that is typed at; ``first`` are the lines it begins with, before it comes to its place."""

    first: ClassVar[tuple[str, ...]]
    observes = True

    def come(self) -> None:
        self._enter(f"seat {self.place.ticket}")

    def come_back(self) -> None:
        self.come()

    def watch(self) -> None:
        self._enter(f"observe {self.place.table}")

    def _enter(self, word: str) -> None:
        self.dial_up()
        self.say(*self.first, word)

    def ready(self, first: list[Move]) -> None:
        """Who has sat down is ready."""

    def resign(self) -> None:
        self.say("resign")
