"""A GAMESMAN player: every request is a connection of its own, answered by what the other side does next."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from protocols.core.errors import IllegalMove
from protocols.core.model import Move
from tests.matrix.client import NATIVE, Client
from tests.matrix.lines import Illegal
from tests.matrix.wires import Wire

NO_WORD = "its messages are SendMove, GameOver and Resign"


class GamesmanClient(Client):
    """``pending`` are the requests without an answer. A request that was cut is sent again, as the document wants it;
    it counts its turns, so that the same one is the same.
    """

    dialect = "gamesman"
    by_names = True
    whole_turns = True
    lacks: ClassVar[Mapping[str, str]] = {
        **{f"{part} {kind}": NO_WORD for part in ("ask", "hear") for kind in ("draw", "takeback", "rematch")},
        "look on": NO_WORD,
    }

    def come(self) -> None:
        """Its first request finds the table by the two names."""
        self._pending: dict[Wire, str] = {}
        self._lost = ""
        self.heard.here = True

    def come_back(self) -> None:
        """Waits again for the answer that it has not got; a move of its own is told otherwise by nothing."""
        self.come()
        seat = self.place.seat
        assert seat is not None
        turns = self.board.turns_of(seat)
        if self.board.turn != seat and (turns or seat):
            self._request("SendMove", " ".join(turns[-1]) if turns else "", len(turns))

    def cut(self) -> None:
        for wire in list(self._pending):
            wire.close()
        self._pending.clear()
        self.heard.here = False

    def ready(self, first: list[Move]) -> None:
        """The first player begins by moving; the second one's initialization says that it is there."""
        self.begun()
        if self.place.seat:
            self._request("SendMove", "", 0)
        else:
            self.turn(first)

    def move(self, move: Move) -> None:
        self.turn([move])

    def turn(self, moves: list[Move]) -> None:
        """The first turn of all was made to begin with."""
        if self.place.seat == 0 and self.board.moves == moves:
            return
        for move in moves:
            self.board.play(move)
        assert self.place.seat is not None
        turns = self.board.turns_of(self.place.seat)
        self._request("SendMove", " ".join(turns[-1]), len(turns))

    def tries(self, illegal: Illegal) -> None:
        assert self.place.seat is not None
        self._request("SendMove", illegal.text, len(self.board.turns_of(self.place.seat)) + 1)

    def resign(self) -> None:
        self._request("Resign", "", len(self.board.turns_of(self.place.seat or 0)))

    def conclude(self) -> None:
        """The player waits for nothing more: it says that the game is over, and hears how."""
        if not self._pending and not self.heard.result:
            self._request("GameOver", "", len(self.board.turns_of(self.place.seat or 0)))

    def _request(self, kind: str, move: str, turn: int) -> None:
        fields = {"type": kind, "Move": move, "SrcPlayer": self.place.name, "DestPlayer": self.place.rival}
        head = "".join(f"{name}: {value}\r\n" for name, value in (fields | {"Turn": str(turn)}).items() if value)
        text = f"POST /GamesmanServlet HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n{head}\r\n"
        called = f"gamesman {self.place.seat} {self.place.name}"
        parts = list[bytes]()
        wire = Wire(self.room, self.room.ports["http"], lambda part: self._part(wire, parts, part), called)
        self.wire = wire
        self._again = partial(self._request, kind, move, turn)
        self._pending[wire] = kind
        wire.send(text.encode("latin-1", "replace"), f"{kind} {move!r} turn {turn}")

    def receive(self, part: bytes) -> None:
        raise AssertionError("each request has its own reader")

    def _part(self, wire: Wire, parts: list[bytes], part: bytes) -> None:
        parts.append(part)
        head, found, _ = b"".join(parts).partition(b"\r\n\r\n")
        if not found:
            assert part, f"no answer to a request\n{self.room.shown()}"
            return
        wire.close()
        if self._pending.pop(wire, None) is None:
            return
        lines = [line.partition(": ") for line in head.decode("latin-1").split("\r\n")[1:]]
        answer = {name.lower(): value for name, _, value in lines}
        wire.lines.append(f"<< {answer}")
        self._answered(answer)

    def _answered(self, answer: dict[str, str]) -> None:
        match answer:
            case {"error_code": _}:
                self.heard.refusals.append(NATIVE)
            case {"type": "Resign"}:
                self.over(str(self.place.seat), NATIVE)
            case {"type": "Ack end" | "Ack resign"} | {"move": "null"}:
                self.over("over", NATIVE)
            case {"type": "SendMove", "move": text}:
                self._moved(text)
            case _:
                self._again()  # the other player has not come yet

    def _moved(self, text: str) -> None:
        """A turn as the game writes it, or its steps with blanks between."""
        board = self.board
        try:
            moves = board.game.turn(board.position, text)
        except IllegalMove:
            for step in text.split():
                board.play(board.read(step))
        else:
            for move in moves:
                board.play(move)
