"""Dialects whose messages are interpreted one at a time: the next one waits until the last one has been answered.

What a line means often depends on the answer to the line before it: a result behind a move that mates is the end of
the game, and the same result behind a refused move is not. A peer that sends both at once gets the answers that it
would get if it waited. Not here: bytes to messages (``_split``) and what a message asks (``_hear``), which each
dialect has for itself, and who says that something has been answered (the connection's owner, see Dialect).
"""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Iterable, Mapping
from typing import ClassVar, Generic, TypeVar

from protocols.core.commands import Command
from protocols.core.dialect import Dialect
from protocols.core.errors import RemoteProtocolError

Message = TypeVar("Message")


class InTurnDialect(Dialect, Generic[Message]):
    in_turn: ClassVar[bool] = True

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        self._held: deque[Message | None] = deque()
        """Messages that have not been interpreted, oldest first; None is the end of the input."""
        self._broken = ""
        """Why the input behind them cannot be read; "" while it can."""

    def receive_data(self, data: bytes) -> list[Command]:
        self.hold(data)
        return self.resume()

    def hold(self, data: bytes) -> None:
        if self._broken or self.closing:
            return
        if not data:
            self._held.append(None)
            return
        try:
            for message in self._split(data):
                if not self._overtakes(message):
                    self._held.append(message)
        except RemoteProtocolError as error:
            self._broken = str(error)

    def resume(self) -> list[Command]:
        try:
            return self._interpret()
        except RemoteProtocolError:
            self.closing = True
            raise
        finally:
            if self.closing:
                self._held.clear()

    def _interpret(self) -> list[Command]:
        while self._held and not self.closing:
            message = self._held.popleft()
            commands = self._end() if message is None else self._hear(message)
            if commands:
                return commands
        if self._broken and not self.closing:
            self._give_up(self._broken)
            raise RemoteProtocolError(self._broken)
        return []

    @property
    def held(self) -> int:
        """A broken message counts, for it is not known before those that wait have been interpreted."""
        return 0 if self.closing else len(self._held) + bool(self._broken)

    @abstractmethod
    def _split(self, data: bytes) -> Iterable[Message]:
        """The messages that ``data`` completes. RemoteProtocolError, behind the whole ones before it: a broken one."""

    @abstractmethod
    def _hear(self, message: Message) -> list[Command]:
        """What the peer asks with ``message``. RemoteProtocolError where it may not be sent now."""

    @abstractmethod
    def _end(self) -> list[Command]:
        """What follows from the peer's closing; ``closing`` is True afterwards."""

    def _overtakes(self, message: Message) -> bool:
        """Answer a message that means the same at any moment, such as a ping; False for all others."""
        return False

    def _give_up(self, why: str) -> None:
        """Queue what the peer is told when its input cannot be read any further."""
