"""A Go GUI, whose engine is the gateway: ``play`` says its user's moves, ``genmove`` waits for the other side's."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import ClassVar

from protocols.core.model import Move, Settings
from protocols.go_words.rule_sets import name_of
from protocols.go_words.vertices import read_move, write_vertex
from protocols.go_words.wish import komi_of, wish_of
from tests.matrix.client import BACK, DRAW, NATIVE, TAKEBACK, WORDS
from tests.matrix.line_client import LineClient
from tests.matrix.lines import Illegal

COLOURS = ("b", "w")
SIZES = frozenset(("size", "komi", "ko", "suicide", "compensation"))
OFFERS = {" offers a draw: ": DRAW, " moves back: ": TAKEBACK}
COMMANDS = {DRAW: "boardgate-draw", TAKEBACK: "undo"}


class GtpGuiClient(LineClient):
    """``waiting`` are the commands without an answer, oldest first. A GUI keeps its game when the line is cut, and
    shows it again.
    """

    dialect = "gtp-gui"
    listener = "gtp-gui"
    asks = frozenset((DRAW, TAKEBACK))
    answers = asks
    observes = True
    lacks: ClassVar[Mapping[str, str]] = {
        "ask rematch": "a new board is another table",
        "hear rematch": "a new board is another table",
    }

    @classmethod
    def can(cls, settings: Settings) -> bool:
        return set(dict(settings.options)) <= SIZES

    def come(self) -> None:
        """The first move, or the wait for it, takes the seat."""
        self._waiting = deque[str]()
        self._block = list[str]()
        self._interrupted = False
        self.dial_up()
        self.say(f"# name {self.place.name}")
        if self.place.ticket:
            self.say(f"# seat {self.place.ticket}")
        self.heard.here = True

    def _set_up(self) -> None:
        wish = wish_of(self.place.settings)
        self.ask_for(f"boardsize {wish.size}", "clear_board", f"komi {komi_of(wish)}")
        self.ask_for(f"kgs-rules {name_of(wish.rules, wish.handicap)}")

    def ask_for(self, *commands: str) -> None:
        """Say commands, which are answered in turn."""
        self._waiting.extend(commands)
        self.say(*commands)

    def come_back(self) -> None:
        self.come()
        self.heard.here = False
        moves = list(zip(self.board.seats, self.board.moves, strict=True))
        self.say(f"# back {len(moves)}")
        self._set_up()
        self.ask_for(*(f"play {COLOURS[seat]} {self._vertex(move)}" for seat, move in moves))
        self.ask_for("name")
        self._wait_for_move()
        for kind in self.asked:
            self._asks(kind)

    def watch(self) -> None:
        self.come()
        self.heard.here = False
        self._set_up()
        self.begun()
        self.ask_for(f"boardgate-observe {self.place.table}")

    def hear(self, line: str) -> None:
        if line:
            self._block.append(line)
            return
        block, self._block = self._block, []
        for offer, kind in OFFERS.items():
            if block and block[0].startswith("#") and offer in block[0]:
                self.offered(kind, WORDS)
        if block and not block[0].startswith("#"):
            command = self._waiting.popleft()
            self._answered(command, block[0].startswith("="), "\n".join(block)[1:].strip())

    def _answered(self, command: str, good: bool, text: str) -> None:
        word, _, arguments = command.partition(" ")
        match word:
            case "genmove":
                self._told(COLOURS.index(arguments), good, text)
            case "play" if arguments.endswith("resign"):
                assert good, text
                self.over(str(1 - (self.place.seat or 0)), NATIVE)
            case "play" if not self._mine(arguments):
                assert good, text
            case "play" if good:
                self._made(arguments)
            case "play":
                self.heard.refusals.append(NATIVE)
            case "undo":
                self._undone(good, text)
            case "boardgate-draw" | "boardgate-agree" if good:
                self._agreed()
            case "boardgate-draw":
                self.declined(DRAW, NATIVE)
                self._wait_for_move()
            case "boardgate-agree" | "boardgate-decline":
                assert good, text
            case "boardgate-observe":
                assert good, text
                self.heard.here = True
                self._wait_for_move()
            case "final_score":
                assert good, text
                self._ended(text)
            case "name":
                self.heard.here = True

    _making = ""

    def _mine(self, arguments: str) -> bool:
        return arguments == self._making

    def _made(self, arguments: str) -> None:
        self._making = ""
        self.board.play(read_move(self.place.seat or 0, arguments.split()[1], self.place.settings.width))
        self._wait_for_move()

    def _told(self, seat: int, good: bool, text: str) -> None:
        if text == "interrupted":
            return
        if good and text != "resign":
            self.board.play(read_move(seat, text, self.place.settings.width))
            if self.place.seat is None:
                self._wait_for_move()
        elif good:
            self.over(str(1 - seat), NATIVE)
        elif text.startswith("game over: "):
            self._ended(text.removeprefix("game over: "))
        elif self.place.seat is None and "undo" in text:
            self.ask_for("undo")
        else:
            raise AssertionError(f"genmove: {text}\n{self.room.shown()}")

    def _ended(self, score: str) -> None:
        self.over({"B": "0", "W": "1"}.get(score[:1], "draw"), NATIVE)

    def _undone(self, good: bool, text: str) -> None:
        """The first undo waits for the other side's answer, the second is answered at once."""
        if not good:
            self.declined(TAKEBACK, NATIVE)
            return
        self.board.back()
        if TAKEBACK in self.asked:
            self.asked.discard(TAKEBACK)
            self.ask_for("undo")
        elif "undo" not in self._waiting:
            self._wait_for_move()

    def _wait_for_move(self) -> None:
        """Ask for the other side's move, where it is to make one. At a stop that would play on."""
        turn = self.board.turn
        if turn is None and self.place.seat is None and self.board.ply:
            turn = 1 - self.board.seats[-1]  # who looks on waits for the result
        if turn is not None and turn != self.place.seat:
            self.ask_for(f"genmove {COLOURS[turn]}")

    def _vertex(self, move: Move) -> str:
        return write_vertex(move.target, self.place.settings.width)

    def ready(self, first: list[Move]) -> None:
        """GTP does not say that a game begins."""
        self._set_up()
        self.begun()
        if self.place.seat == 0:
            self._makes(first[0])
        else:
            self._wait_for_move()

    def _makes(self, move: Move) -> None:
        self._making = f"{COLOURS[self.place.seat or 0]} {self._vertex(move)}"
        self.ask_for(f"play {self._making}")

    def move(self, move: Move) -> None:
        """The first one of all has taken the seat."""
        if self.place.seat == 0 and len(self.board.moves) <= 1 and (self._making or self.board.moves == [move]):
            return
        self._makes(move)

    def tries(self, illegal: Illegal) -> None:
        self._makes(illegal.move)

    def _asks(self, kind: str) -> None:
        """Nothing is heard behind a genmove that waits."""
        self._interrupt()
        self.ask_for(COMMANDS[kind])

    def _interrupt(self) -> None:
        if self._waiting and self._waiting[-1].startswith("genmove"):
            self.say("# interrupt")

    def ask(self, kind: str) -> None:
        self.asked.add(kind)
        self._asks(kind)

    def agree(self, kind: str) -> None:
        self._interrupt()
        self._agreeing = kind
        self.heard.offers.pop(kind)
        self.ask_for("boardgate-agree")

    def _agreed(self) -> None:
        """A draw ends the game; a takeback is undone on the own board, which is answered at once."""
        kind, self._agreeing = self._agreeing, ""
        if kind == TAKEBACK:
            self.ask_for(*["undo"] * BACK)
        else:
            self.ask_for("final_score")

    _agreeing = ""

    def decline(self, kind: str) -> None:
        self._interrupt()
        self.heard.offers.pop(kind)
        self.ask_for("boardgate-decline")
        self._wait_for_move()

    def resign(self) -> None:
        self.ask_for(f"play {COLOURS[self.place.seat or 0]} resign")

    def settle(self) -> None:
        self.ask_for("final_score")

    def conclude(self) -> None:
        """A GUI that waits for nothing hears of the end when it asks."""
        if not self._waiting and not self.heard.result:
            self.ask_for(f"genmove {COLOURS[1 - (self.place.seat or 0)]}")
