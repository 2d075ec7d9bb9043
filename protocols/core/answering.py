"""Dialects of typed commands: a line is answered when all that it has asked for has been, and the prompt follows then.

What a line asks for may ask for more when its answer has come; that belongs to the line's answer, too. What nobody has
asked for comes between answers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Final

from protocols.core.commands import Command
from protocols.core.desk import Desk
from protocols.core.errors import RemoteProtocolError
from protocols.core.in_turn import InTurnDialect
from protocols.core.line_reader import LineReader
from protocols.core.notifications import Notification, Rejected

LONGEST: Final = 1024
"""Bytes of a line: a command, or something said."""

ANSWERED: Final = b"\n"
"""Behind each line that waits: when this is heard, all that the line has asked for has been answered."""


class AnsweringDialect(InTurnDialect[bytes]):
    """``_desk`` is that of the connection's parts; a subclass makes it."""

    _desk: Desk

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        self._reader = LineReader(LONGEST)
        self._lines_heard = 0
        self._finish: Callable[[], None] | None = None
        self._refusal: Callable[[Rejected], None] | None = None

    def _split(self, data: bytes) -> None:
        lines = self._reader.receive_data(data)
        self._queue += self._reader.answers()
        for raw in lines:
            if raw is None:
                raise RemoteProtocolError(f"a line of more than {LONGEST} bytes")
            line = raw.strip(b"\r")
            if self._hides(line):
                self._secrets.append(self._decoded(line))
            self._held += [line, ANSWERED]

    @abstractmethod
    def _hides(self, line: bytes) -> bool:
        """True for a line that is a secret, or may be one by what was heard before."""

    @staticmethod
    def _decoded(line: bytes) -> str:
        return line.decode("latin-1")

    def _give_up(self, why: str) -> None:
        self._desk.say(f"{why[:1].upper()}{why[1:]}.")
        self._flush()

    def _hear(self, message: bytes) -> list[Command]:
        self._desk.now = self.heard
        asks = self._answered() if message == ANSWERED else self._line(message)
        desk = self._desk  # what its parts have left there hold them: that would make a circle
        if desk.finish is not None:
            self._finish, desk.finish = desk.finish, None
        if desk.refused is not None:
            self._refusal, desk.refused = desk.refused, None
        return asks

    def _line(self, message: bytes) -> list[Command]:
        if self._desk.lines:
            self._flush()  # what came before the line is no part of its answer
        self._lines_heard += 1
        self._finish = self._refusal = None
        return self._command(message)

    @abstractmethod
    def _command(self, raw: bytes) -> list[Command]:
        """The commands of a line; the desk's ``answering`` is set where it wants an answer."""

    def _answered(self) -> list[Command]:
        """All that a line has asked for has been answered: so is the line."""
        if not self._desk.answering:
            return []
        finish, self._finish = self._finish, None
        if finish is not None:
            finish()
        asks, self._desk.asks = self._desk.asks, []
        asks += self._follows()
        if asks:
            self._held.insert(self._heard, ANSWERED)  # the line is answered when these are, too
            return asks
        self._desk.answering = False
        self._flush(answer=True)
        self._desk.lines, self._desk.behind = self._desk.behind, []
        later, self._desk.later = self._desk.later, []
        return later

    @abstractmethod
    def _follows(self) -> list[Command]:
        """The commands that follow of a line's answer by itself, and belong to it."""

    def send(self, message: Notification) -> None:
        if self.closing:
            return
        desk = self._desk
        desk.now = self.heard
        self._told(message)
        self._prompted += desk.asks
        desk.asks.clear()
        if not self._desk.answering:
            self._prompted += desk.later
            desk.later.clear()

    @abstractmethod
    def _told(self, message: Notification) -> None:
        """Say what a notification tells, as lines of the desk."""

    def data_to_send(self) -> bytes:
        """As Dialect's. What was told is said once its whole step is: the prompt stands behind all of it."""
        if self._desk.lines and not (self._desk.answering or self.closing):
            self._flush()
        return super().data_to_send()

    def _flush(self, *, answer: bool = False) -> None:
        if data := self._block_of(answer=answer):
            self._queue.append(data)

    @abstractmethod
    def _block_of(self, *, answer: bool) -> bytes:
        """The bytes of the lines that wait, with the prompt behind them; ``answer``: they are a line's answer."""
