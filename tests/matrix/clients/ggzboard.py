"""GGZBoard's older client, of Checkers and Hnefatafl: it moves, and knows the rest by the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from protocols.core.model import Move, Settings
from protocols.core.opcode_codec import Wire as OpcodeWire
from protocols.core.opcode_codec import codec
from protocols.core.opcodes import Value
from protocols.ggzboard import GGZBOARD
from tests.matrix.client import NATIVE, Client
from tests.matrix.lines import Illegal

NO_WORD = "an unknown message ends these clients, and theirs are moves only"
NO_ANSWER = "these clients know no answer to a move: a refused one is met with silence"


class GGZBoardClient(Client):
    """Its address takes its seat back, and all moves of the game are told again."""

    dialect = "ggzboard"
    listener = "ggzboard,game={game},variant={variant}"
    named = False
    lacks: ClassVar[Mapping[str, str]] = {
        **{f"{part} {kind}": NO_WORD for part in ("ask", "hear") for kind in ("draw", "takeback", "rematch")},
        "refusal": NO_ANSWER,
        "flag": "its ports ask for games without a clock",
        "resign": NO_WORD,
        "return elsewhere": "these clients can carry no ticket",
        "look on": "the protocol knows players only",
    }

    @classmethod
    def can(cls, settings: Settings) -> bool:
        """They compute what a move does by their own rules."""
        return settings.game == "checkers" or settings.variant == cls.dialect

    _returns = 0

    def come(self) -> None:
        self._opcodes = OpcodeWire(codec(GGZBOARD), "client")
        self.dial()

    def come_back(self) -> None:
        self._returns = self.board.ply
        self.come()

    def receive(self, part: bytes) -> None:
        for message in self._opcodes.receive_data(part):
            assert self.wire is not None
            self.wire.lines.append(f"<< {message.name} {message.values}")
            self._read(message.name, message.values)

    def _read(self, name: str, values: tuple[Value, ...]) -> None:
        match name, values:
            case "PLAYERS", _ if not self._returns:
                self.heard.here = True
            case "START", _ if self._returns:
                self.restarted()
            case "START", _:
                self.begun()
            case "MOVE", (int(source), int(target)):
                self.board.play(Move(source, target))
                if self.board.ply == self._returns:
                    self._returns, self.heard.here = 0, True
            case "GAMEOVER", (int(winner),):
                self.over(str(winner) if winner < len(self.board.game.sides) else "draw", NATIVE)

    def ready(self, first: list[Move]) -> None:
        """Who has connected is ready."""

    def move(self, move: Move) -> None:
        assert self.wire is not None
        assert move.source is not None
        assert move.target is not None
        self.wire.send(self._opcodes.build("REQ_MOVE", move.source, move.target), f"REQ_MOVE {move}")

    def tries(self, illegal: Illegal) -> None:
        self.move(illegal.move)
