"""A Go engine that dials in and answers; its person makes the moves and allows takebacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from protocols.core.model import Move
from protocols.go_words.vertices import read_move, write_vertex
from tests.matrix.client import NATIVE, TAKEBACK
from tests.matrix.clients.gtp_gui import COLOURS, GtpGuiClient
from tests.matrix.line_client import LineClient

LISTED = (
    "protocol_version name version known_command list_commands quit boardsize clear_board komi kgs-rules play genmove "
    "undo undo_ok game_ok time_settings time_left final_status_list"
)
NO_COMMAND = "an engine answers, and GTP asks it no such thing"


class GtpEngineClient(LineClient):
    """It is told its whole game again when it comes back. Its seat's ticket is a line before its first answer."""

    dialect = "gtp-engine"
    listener = "gtp-engine,games=1"
    answers = frozenset((TAKEBACK,))
    lacks: ClassVar[Mapping[str, str]] = {
        **{f"ask {kind}": "an engine only answers" for kind in ("draw", "takeback", "rematch")},
        "hear draw": NO_COMMAND,
        "hear rematch": "an engine is let go, or plays whom it is given next",
        "refusal": "an engine that makes an illegal move loses",
        "look on": "the gateway commands engines that play",
    }
    can = GtpGuiClient.can

    _returns = 0

    def come(self) -> None:
        self._asked_for_move = self._asked_for_undo = ""
        self._answer_later = ""
        self.dial_up()
        self.say(self.place.name, f"# seat {self.place.ticket}")

    def come_back(self) -> None:
        self._returns = self.board.ply
        self.come()

    def hear(self, line: str) -> None:
        number, _, words = line.partition(" ")
        if number == "#" or not words:
            return
        word, _, arguments = words.partition(" ")
        match word:
            case "genmove":
                self._asked_for_move, self.heard.here, self._returns = number, True, 0
                if self._answer_later:
                    self._gives(self._answer_later)
            case "undo_ok":
                self._asked_for_undo = number
                self.offered(TAKEBACK, NATIVE)
            case _:
                self._obey(word, arguments.split())
                self._answer(number, self._text(word))

    def _text(self, word: str) -> str:
        texts = {"name": f"Engine of {self.place.name}", "version": "1", "list_commands": LISTED.replace(" ", "\n")}
        return {**texts, "game_ok": "y", "protocol_version": "2"}.get(word, "")

    def _obey(self, word: str, arguments: list[str]) -> None:
        match word:
            case "list_commands" if not self._returns:
                self.heard.here = True
            case "clear_board" if self._returns:
                self.restarted()
            case "clear_board":
                self.begun()
            case "play":
                self.board.play(read_move(self._seat(arguments[0]), arguments[1], self.place.settings.width))
                if self.board.ply == self._returns:
                    self._returns, self.heard.here = 0, True
            case "undo":
                self.board.back()
            case "quit":
                self.over("over", NATIVE)

    def _seat(self, colour: str) -> int:
        return COLOURS.index(colour[0].lower())

    def _answer(self, number: str, text: str) -> None:
        self.say(f"={number} {text}", "")

    def _gives(self, text: str) -> None:
        """Answer the question for a move now, or as soon as it is asked."""
        number, self._asked_for_move = self._asked_for_move, ""
        self._answer_later = "" if number else text
        if number:
            self._answer(number, text)
            if text != "resign":
                self.board.play(read_move(self.place.seat or 0, text, self.place.settings.width))

    def ready(self, first: list[Move]) -> None:
        """It has said so when it was asked about the game."""

    def move(self, move: Move) -> None:
        self._gives(write_vertex(move.target, self.place.settings.width))

    def resign(self) -> None:
        self._gives("resign")

    def conclude(self) -> None:
        """An engine that still thinks is let go when it has answered."""
        if self._asked_for_move and not self.heard.result:
            self._answer(self._asked_for_move, "pass")

    def agree(self, kind: str) -> None:
        self.heard.offers.pop(kind)
        self._answer(self._asked_for_undo, "y")

    def decline(self, kind: str) -> None:
        self.heard.offers.pop(kind)
        self._answer(self._asked_for_undo, "n")
