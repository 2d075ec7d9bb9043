"""A client of Miniature's draft, which takes silence for a yes: its own move stands until an error comes."""

from __future__ import annotations

import re

from protocols.core.model import Move
from tests.matrix.client import BACK, DRAW, NATIVE, REMATCH, TAKEBACK, WORDS
from tests.matrix.line_client import RESULTS, LineClient
from tests.matrix.lines import Illegal

WHOSE_TURN = re.compile("tell gateway (White|Black) to move")
NO = re.compile("tell gateway .* declines the (draw|takeback|rematch)")


class MiniatureClient(LineClient):
    """Who comes back is told the position and the last move: what led there its person knows."""

    dialect = "miniature"
    listener = "miniature"
    asks = frozenset((DRAW, TAKEBACK, REMATCH))
    answers = asks
    observes = True
    _returns = False

    def come(self) -> None:
        self.dial_up()
        self.say(f"tell gateway seat {self.place.ticket}")

    def come_back(self) -> None:
        self._returns = True
        self.come()

    def watch(self) -> None:
        self.dial_up()
        self.say(f"tell gateway observe {self.place.table}")

    def hear(self, line: str) -> None:
        words, _, fen = line.partition("; fen ")
        first, _, rest = words.partition(" ")
        if line.startswith("tell gateway "):
            self._remark(line)
        elif first == "move":
            self._moved(rest, fen)
        elif first == "takeback":
            self._takeback(fen)
        elif first == "draw":
            self.offered(DRAW, NATIVE)
        elif first == "result":
            self.over(RESULTS[rest.split()[0]], NATIVE)
        elif first == "sync" and fen:
            self.told_fen(fen)
        elif first == "error":
            self.heard.refusals.append(NATIVE)

    def _remark(self, line: str) -> None:
        if line.startswith("tell gateway table ") and not self._returns:
            self.heard.here = True
        elif line.startswith("tell gateway game "):
            self.heard.seat = 1 if line.endswith("you are Black") else 0
            self.begun()
        elif WHOSE_TURN.match(line):
            self.heard.here, self._returns = True, False
            if not self.heard.games:
                self.begun()  # an observer has come to a game that is on
        elif "wants to play once more" in line:
            self.offered(REMATCH, WORDS)
        elif no := NO.match(line):
            self.declined(no[1], WORDS)

    def _moved(self, text: str, fen: str) -> None:
        if not self._returns:
            self.board.play(self.read(text))
            self.asked.clear()
        if fen:
            self.told_fen(fen)

    def _takeback(self, fen: str) -> None:
        """The word asks and agrees alike; to an observer it says what has been done."""
        if TAKEBACK in self.asked or self.place.seat is None:
            self.board.back(BACK)
            self.asked.discard(TAKEBACK)
            self.told_fen(fen)
        else:
            self.offered(TAKEBACK, NATIVE)

    def ready(self, first: list[Move]) -> None:
        self.say("play")

    def move(self, move: Move) -> None:
        self.say(f"move {self.written(move)}")
        self.heard.offers.clear()
        self.board.play(move)

    def tries(self, illegal: Illegal) -> None:
        self.say(f"move {self.written(illegal.move)}")

    def ask(self, kind: str) -> None:
        self.asked.add(kind)
        self.say({DRAW: "draw", TAKEBACK: f"takeback {BACK}", REMATCH: "tell gateway rematch"}[kind])

    def agree(self, kind: str) -> None:
        """The same word, or the one that any offer is answered by."""
        self.heard.offers.pop(kind, None)
        self.say("tell gateway accept" if kind == REMATCH else self._same(kind))
        if kind == TAKEBACK:
            self.board.back(BACK)

    def _same(self, kind: str) -> str:
        return f"takeback {BACK}" if kind == TAKEBACK else kind

    def decline(self, kind: str) -> None:
        self.heard.offers.pop(kind, None)
        self.say("tell gateway decline")

    def resign(self) -> None:
        self.say("resign")
