"""Dialects whose messages are interpreted one at a time: the next one waits until the last one has been answered.

What a line means often depends on the answer to the line before it: a result behind a move that mates is the end of the
game, and the same result behind a refused move is not. A peer that sends both at once gets the answers that it would
get if it waited.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

from protocols.core.commands import Command
from protocols.core.dialect import Dialect
from protocols.core.errors import RemoteProtocolError

Message = TypeVar("Message")


class InTurnDialect(Dialect, Generic[Message]):
    in_turn: ClassVar[bool] = True

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        self._held: list[Message | None] = []
        """Messages, oldest first, of which the first ``_heard`` have been interpreted; None is the end of the input.

        An empty deque takes 760 bytes of every connection."""
        self._heard = 0
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
            self._split(data)
        except RemoteProtocolError as error:
            self._broken = str(error)

    def resume(self) -> list[Command]:
        held = self._held
        try:
            while self._heard < len(held) and not self.closing:
                message = held[self._heard]
                self._heard += 1
                commands = self._end() if message is None else self._hear(message)
                if commands:
                    return commands
            if self._broken and not self.closing:
                self._give_up(self._broken)
                raise RemoteProtocolError(self._broken)
            return []
        except RemoteProtocolError:
            self.closing = True
            raise
        finally:
            if self.closing or self._heard == len(held):
                held.clear()
                self._heard = 0

    @property
    def held(self) -> int:
        """A broken message counts, for it is not known before those that wait have been interpreted."""
        return 0 if self.closing else len(self._held) - self._heard + bool(self._broken)

    @abstractmethod
    def _split(self, data: bytes) -> None:
        """Append the messages that ``data`` completes to ``_held``.

        RemoteProtocolError, when the whole ones before it have been appended: a broken one. A message that means the
        same at any moment, such as a ping, is not appended but answered.
        """

    @abstractmethod
    def _hear(self, message: Message) -> list[Command]:
        """The commands of ``message``. RemoteProtocolError where it may not be sent now."""

    @abstractmethod
    def _end(self) -> list[Command]:
        """The commands of the peer's closing; ``closing`` is True afterwards."""

    def _give_up(self, why: str) -> None:
        """Queue what the peer is told when its input cannot be read any further."""
