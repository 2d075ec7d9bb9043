"""A client of Bogaprot's document, which knows the words for what the document has no message for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from protocols.bogaprot.messages import BOGAPROT
from protocols.core.model import Move
from protocols.core.opcode_codec import Wire as OpcodeWire
from protocols.core.opcode_codec import codec
from protocols.core.opcodes import Value
from tests.matrix.client import BACK, DRAW, NATIVE, REMATCH, TAKEBACK, Client

OFFERS = {"draw": DRAW, f"takeback {BACK}": TAKEBACK, "rematch": REMATCH}


class BogaprotClient(Client):
    """Its own squares are what the plain moves, removals and placements make of the usual first position.

    The first MSG_MOVE behind a REQ_MOVE is a move, unless moves are to be taken back; the others are what it does.
    """

    dialect = "bogaprot"
    listener = "bogaprot"
    asks = frozenset((DRAW, TAKEBACK, REMATCH))
    answers = asks
    lacks: ClassVar[Mapping[str, str]] = {"look on": "the document knows players only"}

    def come(self) -> None:
        self._due = self._back = False
        self._echoes = list[str]()
        self._told: Move | None = None
        self._squares: dict[int, str] = {}
        self._opcodes = OpcodeWire(codec(BOGAPROT), "client")
        self.dial()
        self._say("REQ_HANDSHAKE", f"{self.place.settings.game}?kept=yes&reasons=yes#{self.place.ticket}", 1)

    def come_back(self) -> None:
        """The board is told, and no move: what led there its person knows."""
        self._returns = True
        self.come()

    _returns = False

    def _say(self, name: str, *values: Value) -> None:
        assert self.wire is not None
        self.wire.send(self._opcodes.build(name, *values), f"{name} {values}")

    def _word(self, text: str) -> None:
        self._say("MSG_MOVE", -1, -1, text)

    def receive(self, part: bytes) -> None:
        for message in self._opcodes.receive_data(part):
            assert self.wire is not None
            self.wire.lines.append(f"<< {message.name} {message.values}")
            self._read(message.name, message.values)

    def _read(self, name: str, values: tuple[Value, ...]) -> None:
        if name != "MSG_MOVE":
            self._settle_move()
        match name, values:
            case "MSG_SEAT", (int(seat),):
                self.heard.seat = seat
            case "MSG_PLAYERS", _ if not self._returns:
                self.heard.here = True
            case "MSG_START", _:
                self._due = False
                self._squares = dict(self.board.game.board(self.board.game.start(self.place.settings)))
                if not self._returns:
                    self.begun()
            case "MSG_DICE", (int(value),):
                if self.board.rolls:
                    self.board.roll(value)
            case "REQ_MOVE", _:
                self._asked_to_move()
            case "RSP_MOVE", (status, *_) if status:
                self._refused()
            case "MSG_MOVE", (-1, -1, str(word)):
                self._settle_move()
                self._worded(word)
            case "MSG_MOVE", (int(source), int(target), *piece):
                self._moved(source, target, str(piece[0]) if piece else "")
            case "MSG_GAMEOVER", (int(winner),):
                self.heard.here, self._returns = True, False
                self.over("draw" if winner < 0 else str(winner), NATIVE)

    def _asked_to_move(self) -> None:
        if self._back:
            self.board.back(BACK)
            self.heard.offers.clear()
            self.asked.clear()
        self._back, self._due = False, True
        self.heard.here, self._returns = True, False

    def _refused(self) -> None:
        self.heard.refusals.append(NATIVE)

    def _worded(self, word: str) -> None:
        if word in OFFERS and OFFERS[word] in self._echoes:
            self._echoes.remove(OFFERS[word])  # all are told an offer, its maker, too
        elif word in OFFERS:
            self._back = self._back or (word.startswith("takeback") and TAKEBACK in self.asked)
            self.offered(OFFERS[word], NATIVE)
        elif word == "declined":
            for kind in list(self.asked):
                self.declined(kind, NATIVE)
        elif word.startswith("move ") and self._due:
            self._due, self._told = False, self.board.read(word.removeprefix("move "))
        elif word == "pass" and self._due:
            self._due, self._told = False, Move(None, None)

    def _moved(self, source: int, target: int, piece: str) -> None:
        if self._due and not self._back and not self._returns:
            self._due = False
            self._told = Move(None if source < 0 else source, None if target < 0 else target, piece)
        if source >= 0 and target >= 0:
            self._squares[target] = self._squares.pop(source)
        elif source >= 0:
            self._squares.pop(source, None)
        else:
            self._squares[target] = piece

    def _settle_move(self) -> None:
        """All that a move does has been told: only that says what a piece has become."""
        if self._told is None:
            return
        told, self._told = self._told, None
        board = self.board
        found = [move for move in board.game.legal_moves(board.position) if _alike(move, told)]
        if board.game.judged:
            told = next((move for move in found if self._shows(move)), told)
        mover = board.turn
        board.play(told)
        if mover == self.place.seat:
            self.heard.offers.clear()
        else:
            self.asked.clear()

    def _shows(self, move: Move) -> bool:
        game = self.board.game
        return game.board(game.play(self.board.position, move)) == self._squares

    @property
    def legal(self) -> bool:
        return self._squares == self.board.squares

    def ready(self, first: list[Move]) -> None:
        """A player who has sat down is ready."""

    def move(self, move: Move) -> None:
        if move.source is not None and move.piece:
            self._word(f"promote {move.piece}")
        if move.source is None and move.target is None and move.piece:
            self._word(f"move {move.piece}")
            return
        source, target = (-1 if square is None else square for square in (move.source, move.target))
        if source < 0:
            self._say("MSG_MOVE", source, target, "pass" if target < 0 else move.piece)
        else:
            self._say("MSG_MOVE", source, target)

    def ask(self, kind: str) -> None:
        self.asked.add(kind)
        self._echoes.append(kind)
        self._word(f"takeback {BACK}" if kind == TAKEBACK else kind)

    def agree(self, kind: str) -> None:
        self._back = kind == TAKEBACK
        self.heard.offers.pop(kind, None)
        self._echoes.append(kind)
        self._word("accept")

    def decline(self, kind: str) -> None:
        self.heard.offers.pop(kind, None)
        self._word("decline")

    def resign(self) -> None:
        self._word("resign")

    def settle(self) -> None:
        self._word("dead")


def _alike(move: Move, told: Move) -> bool:
    """True if these may be one move: what it becomes is not said by a plain one."""
    return (move.source, move.target) == (told.source, told.target)
