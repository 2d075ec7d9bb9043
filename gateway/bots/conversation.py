"""The conversation with an engine, without I/O: one interface for every engine's protocol.

A protocol of engines is a subclass of Conversation in a file of its own, and a line in PROTOCOLS of engines.py::

    conversation = Uci({"Skill Level": "3"})       # has the first words to send
    conversation.receive_line(...)                 # until conversation.ready
    conversation.ask(Question(...))
    conversation.receive_line(...)                 # until conversation.answer
    conversation.settle(Question(...))
    conversation.receive_line(...)                 # until conversation.dead, or Unsuited
    conversation.weigh(Question(...))
    conversation.receive_line(...)                 # until conversation.verdict
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gateway.bots.verdict import Verdict
from gateway.games.base import Game
from gateway.table.bot_context import share_s
from protocols.core.errors import BoardgateError, IllegalMove, RemoteProtocolError
from protocols.core.model import Move, Reading, TimeControl


class Unsuited(BoardgateError):
    """This engine does not know the rules of this position; nothing was asked, and it is as well as before."""


class Resigned(Unsuited):
    """The engine gives the game up, where its protocol has a word for that."""


@dataclass(frozen=True, slots=True)
class Question:
    """Asks for a move of the seat to move in ``position``, after at most ``budget_s`` seconds of thought; or, where
    play has stopped, what is dead there.

    ``bot_context`` says which game this is (the table's number and the game's), None: a position on its own. ``time``
    and ``readings`` (by seat, as they are now) are the table's clock, None and () without a clock.
    """

    game: Game[Any]
    position: Any
    level: int
    budget_s: float
    bot_context: tuple[int, int] | None = None
    time: TimeControl | None = None
    readings: tuple[Reading, ...] = ()

    @property
    def seat(self) -> int:
        """The seat to move; called only where there is one."""
        turn = self.game.to_move(self.position)
        assert isinstance(turn, int)
        return turn

    @property
    def brief_s(self) -> float:
        """The budget, less where the clock does not allow so much for a move."""
        if self.time is None or not self.readings:
            return self.budget_s
        return min(self.budget_s, share_s(self.time, self.readings[self.seat]))

    @property
    def pressed(self) -> bool:
        """True if the clock allows less than the budget."""
        return self.brief_s < self.budget_s


class Conversation(ABC):
    """The server's side of a conversation with one process.

    ``ready``: it can be asked. ``answer``: the legal move it made, None until it has. ``dead``: the squares of what it
    takes for dead, None until it has said. ``verdict``: what it takes a position for, None until then. ``called``:
    what it says it is. ``remarks``: what the host should know of it, for the log. Bytes to send wait in
    ``data_to_send``.
    """

    games: ClassVar[tuple[str, ...]]
    """The games that this protocol has words for."""

    farewell: ClassVar[bytes] = b"quit\n"
    """The command that ends an engine."""

    may_be_silent: ClassVar[bool] = False
    """True if an engine may leave the greeting unanswered: ``hurry`` then takes it as it is."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self.options = options
        self.called = ""
        self.remarks: list[str] = []
        self.ready = False
        self.answer: Move | None = None
        self.dead: tuple[int, ...] | None = None
        self.verdict: Verdict | None = None
        self._question: Question | None = None
        self._bot_context: tuple[int, int] | None = None
        self._out = bytearray()

    @property
    def who(self) -> str:
        """Its name in a sentence."""
        return self.called or "the engine"

    @abstractmethod
    def ask(self, question: Question) -> None:
        """Ask for a move; only when ``ready``. Unsuited: it cannot be asked this."""

    def settle(self, question: Question) -> None:
        """Ask what is dead in a position that is being settled; only when ``ready``. Unsuited: as ``ask``."""
        raise Unsuited(f"{self.who} is not asked what is dead")

    def weigh(self, question: Question) -> None:
        """Ask what a position is worth, and for the best move; only when ``ready``. Unsuited: as ``ask``."""
        raise Unsuited(f"{self.who} is not asked what a position is worth")

    @abstractmethod
    def receive_line(self, line: str) -> None:
        """Take in a line, without its end. What the protocol does not know is passed over.

        RemoteProtocolError: what it says cannot be used, as a move that is none; it should be replaced. Unsuited: it
        does not know what is dead.
        """

    def hurry(self) -> None:
        """The time for the answer is over: say so, where the protocol has a word for it."""
        return

    def data_to_send(self) -> bytes:
        """Take the bytes to send."""
        taken = bytes(self._out)
        self._out.clear()
        return taken

    def _played(self, command: str, written: str) -> tuple[Move, Any]:
        """The move that it has answered to the question, and the position behind it.

        RemoteProtocolError: the rules do not have it.
        """
        assert self._question is not None
        game, position = self._question.game, self._question.position
        try:
            move = game.parse(position, written)
            return move, game.play(position, move)
        except IllegalMove as error:
            raise RemoteProtocolError(f"{command} {written!r}: {error}") from None

    def _say(self, line: str) -> None:
        self._out += line.encode() + b"\n"
