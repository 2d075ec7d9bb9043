"""A client of a Go server: a guest that reads numbered lines, and is told its whole game when it comes back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from protocols.core.model import Move, Settings
from protocols.go_words.vertices import read_move, write_vertex
from tests.matrix.client import NATIVE, TAKEBACK
from tests.matrix.clients.gtp_gui import SIZES
from tests.matrix.line_client import VisitorClient

MOVE = re.compile(r"15 +(\d+)\(([BW])\): (\S+)")
HEAD = re.compile(r"15 Game \d+ I: ")
END = re.compile(r"21 \{Game \d+: .* : (.*)\}")
ASKED = "requests undo."
NO_REMATCH = "a new match is another table"
NO_DRAW = "Go has no word for a draw there"


class IgsClient(VisitorClient):
    dialect = "igs"
    listener = "igs"
    asks = frozenset((TAKEBACK,))
    answers = asks
    first = ("guest", "toggle client on")
    lacks: ClassVar[Mapping[str, str]] = {
        "ask rematch": NO_REMATCH,
        "hear rematch": NO_REMATCH,
        "ask draw": NO_DRAW,
        "hear draw": NO_DRAW,
    }

    @classmethod
    def can(cls, settings: Settings) -> bool:
        return set(dict(settings.options)) <= SIZES

    def hear(self, line: str) -> None:
        if line.startswith("9 You have a seat at table"):
            self.heard.here = True
        elif line.startswith("9 Creating match"):
            self.begun()
            self.heard.here = True
        elif line.startswith(("9 Restoring match", "9 Adding game")):
            self._restarts(new=line.startswith("9 Adding"))
        elif move := MOVE.fullmatch(line) or MOVE.match(line):
            self._moved(int(move[1]), "BW".index(move[2]), move[3])
        elif HEAD.match(line):
            self.heard.here = True
        elif line.startswith("28 "):
            self.board.back()
            self.asked.discard(TAKEBACK)
        elif line.endswith(ASKED):
            self.offered(TAKEBACK, NATIVE)
        elif line.endswith(" declines an undo."):
            self.declined(TAKEBACK, NATIVE)
        elif line.startswith(("5 Illegal move.", "5 It is not your move.")):
            self.heard.refusals.append(NATIVE)
        elif line == "1 8":
            self.heard.here = True
        elif line == "1 7":
            self._both_passed()
        elif end := END.fullmatch(line):
            self._ended(end[1])

    def _restarts(self, *, new: bool) -> None:
        if new and not self.heard.games:
            self.begun()
        else:
            self.restarted()

    def _moved(self, number: int, seat: int, vertex: str) -> None:
        """A move; a list from the first one on is the game as it stands now."""
        if number < self.board.ply:
            self.board.back(self.board.ply - number)
        self.board.play(read_move(seat, vertex, self.place.settings.width))
        self.asked.clear()

    def _both_passed(self) -> None:
        """The last pass has no line of its own."""
        if self.board.position.passes == 1:
            self.board.play(read_move(self.board.ply % 2, "pass", self.place.settings.width))

    def _ended(self, how: str) -> None:
        words = how.split()
        if words[0] == "W":
            white, black = float(words[1]), float(words[3])
            self.over("draw" if white == black else "0" if black > white else "1", NATIVE)
        else:
            self.over({"Black": "1", "White": "0", "Jigo.": "draw"}.get(words[0], "over"), NATIVE)

    def move(self, move: Move) -> None:
        self.say(write_vertex(move.target, self.place.settings.width))
        self.heard.offers.clear()

    def ask(self, kind: str) -> None:
        self.asked.add(kind)
        self.say("undoplease")

    def agree(self, kind: str) -> None:
        self.heard.offers.pop(kind, None)
        self.say("undo")

    def decline(self, kind: str) -> None:
        self.heard.offers.pop(kind, None)
        self.say("decline undo")

    def settle(self) -> None:
        self.say("done")
