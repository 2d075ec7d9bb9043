"""An engine's client of CGOS: it is asked who it is, told each game as a whole, and asked for moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from protocols.core.model import Move, Settings
from protocols.go_words.vertices import read_move, write_vertex
from tests.matrix.client import NATIVE
from tests.matrix.clients.gtp_gui import SIZES
from tests.matrix.line_client import LineClient

MOVED = 7
"""The words of setup before its moves: the word, table, size, komi, time, White, Black."""

NO_WORD = "CGOS asks an engine for moves, and for nothing else"


class CgosClient(LineClient):
    """Its seat's ticket is its password. It is told its whole game again when it comes back."""

    dialect = "cgos"
    listener = "cgos"
    lacks: ClassVar[Mapping[str, str]] = {
        **{f"{how} {kind}": NO_WORD for how in ("ask", "hear") for kind in ("draw", "takeback", "rematch")},
        "refusal": "an engine that makes an illegal move loses",
        "look on": "its connections are engines'",
    }

    @classmethod
    def can(cls, settings: Settings) -> bool:
        return settings.variant == "area" and set(dict(settings.options)) <= SIZES

    def come(self) -> None:
        self._asked = False
        self._answer_later = ""
        self.dial_up()
        self.say("e1 matrix", self.place.name, self.place.ticket)
        self.heard.here = True

    def come_back(self) -> None:
        self.come()
        self.heard.here = False

    def hear(self, line: str) -> None:
        word, *arguments = line.split()
        match word:
            case "setup":
                self._set_up(arguments[MOVED - 1 :: 2])
            case "play":
                self._played(arguments[1])
            case "genmove":
                self._asked = True
                if self._answer_later:
                    self._gives(self._answer_later)
            case "gameover":
                self.over(self._result(arguments[1]), NATIVE)
                self.say("quit")

    def _set_up(self, moves: list[str]) -> None:
        if self.heard.here and not moves:
            self.begun()
        else:
            self.restarted()
        for text in moves:
            self._played(text)
        self.heard.here = True

    def _played(self, text: str) -> None:
        self.board.play(read_move(self.board.ply % 2, text, self.place.settings.width))

    def _result(self, text: str) -> str:
        return {"B+": "0", "W+": "1"}.get(text[:2], "draw")

    def _gives(self, text: str) -> None:
        """Answer the question for a move now, or as soon as it is asked."""
        asked, self._asked = self._asked, False
        self._answer_later = "" if asked else text
        if asked:
            self.say(text)
            if text != "resign":
                self._played(text)

    def ready(self, first: list[Move]) -> None:
        """It has said so by coming."""

    def move(self, move: Move) -> None:
        self._gives(write_vertex(move.target, self.place.settings.width))

    def resign(self) -> None:
        self._gives("resign")
