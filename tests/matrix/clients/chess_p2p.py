"""An adapter of H.G. Muller's chess peer-to-peer protocol, for a user who also knows the words of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from protocols.chess_p2p.table import game_of
from protocols.core.model import Move, Settings
from tests.matrix.client import BACK, DRAW, NATIVE, REMATCH, TAKEBACK, WORDS
from tests.matrix.line_client import RESULTS, LineClient
from tests.matrix.lines import Illegal

DECLINED = {"the draw": DRAW, "to take moves back": TAKEBACK, "another game": REMATCH}


class PeerToPeerClient(LineClient):
    """It plays from Go and Accepted on, echoes the other side's moves then, and takes its own for made when they
    are echoed. After its own Remove it starts again by Go with its next move.
    """

    dialect = "chess-p2p"
    listener = "chess-p2p"
    asks = frozenset((DRAW, TAKEBACK, REMATCH))
    answers = asks
    lacks: ClassVar[Mapping[str, str]] = {"look on": "the document knows the two players only"}

    @classmethod
    def can(cls, settings: Settings) -> bool:
        return game_of(settings.variant) == settings.game

    _returns = _told = False

    def come(self) -> None:
        self._playing = self._goes = self._removing = self._history = False
        self._waits, self._unechoed, self._own = "", list[str](), ""
        self.dial_up()
        self.say(f"ticket {self.place.ticket}", f"text /seat {self.place.ticket}")

    def come_back(self) -> None:
        self._returns = True
        self.come()

    def hear(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        match word:
            case "text":
                self._text(rest)
            case "new":
                self._history = True
                self._playing = False
                self.restarted()
            case "name":
                self._history = False
                if self._returns:
                    self._returns, self.heard.here = False, True
            case "go":
                self.say("accepted")
                self._plays()
            case "accepted":
                self._plays()
            case "move":
                self._moved(rest)
            case "setboard":
                self.told_fen(rest)
            case "undo":
                self.board.back()
                self._playing = False
                self.asked.discard(TAKEBACK)
            case "remove":
                self._removing = True
                self.offered(TAKEBACK, NATIVE)
            case "draw" | "rematch":
                self.offered(word, NATIVE)
            case "takeback":
                self.offered(TAKEBACK, NATIVE)
            case "result":
                self._playing = False
                self.over(RESULTS[rest.split()[0]], NATIVE)

    def _text(self, text: str) -> None:
        if text.startswith("you have a seat") and not self._returns:
            self.heard.here = True
        elif text.startswith("the game with "):
            self.heard.seat = 1 if "you play Black" in text else 0
            self.begun()
        elif text.startswith("your move "):
            self.heard.refusals.append(WORDS)
            self._own = ""
        elif " declines " in text:
            self.declined(DECLINED[text.partition(" declines ")[2]], WORDS)

    def _plays(self) -> None:
        """Playing mode: what could not be said before is said now."""
        self._playing, self._goes = True, False
        for move in self._unechoed:
            self.say(f"move {move}")
        self._unechoed = []
        if self._waits:
            waits, self._waits = self._waits, ""
            self.say(f"move {waits}")

    def _moved(self, text: str) -> None:
        own = self.board.turn == self.place.seat
        self.board.play(self.read(text))
        if self._history:
            return
        if own:
            self._own = ""
            self.heard.offers.clear()
            self._removing = False
            return
        self.asked.clear()
        if self._playing:
            self.say(f"move {text}")
        else:
            self._unechoed.append(text)

    def ready(self, first: list[Move]) -> None:
        settings = self.place.settings
        self.say("new", *([f"variant {settings.variant}"] if settings.variant != "normal" else []))
        if self.place.seat == 0:
            self._own = self.written(first[0])
            self.say(f"move {self._own}")
        self.say("go")

    def move(self, move: Move) -> None:
        """The first move of all was made before Go."""
        text = self.written(move)
        if self.board.ply == 0 and self._own == text:
            return
        if self.board.ply == 1 and self._own == "" and self.place.seat == 0 and self.board.moves == [move]:
            return
        self._own = text
        if self._playing:
            self.say(f"move {text}")
        elif self._goes:
            self.say(f"move {text}", "go")
        else:
            self._waits = text

    def tries(self, illegal: Illegal) -> None:
        self.say(f"move {self.written(illegal.move)}")

    def ask(self, kind: str) -> None:
        self.asked.add(kind)
        self._goes = kind == TAKEBACK
        self.say("remove" if kind == TAKEBACK else kind)

    def agree(self, kind: str) -> None:
        self.heard.offers.pop(kind, None)
        if kind == TAKEBACK and self._removing:
            self.say(*["undo"] * BACK)
            self.board.back(BACK)
            self._playing = self._removing = False
        else:
            self.say("accept")

    def decline(self, kind: str) -> None:
        self.heard.offers.pop(kind, None)
        self._removing = False
        self.say("decline")

    def resign(self) -> None:
        self.say("result 0-1 {White resigns}" if self.place.seat == 0 else "result 1-0 {Black resigns}")
