"""Defines a dialect of three words for tests of the replay: "play N", "bye", and anything else is broken.

Not registered here; the package beside a wheel (tests/laws/test_beside_a_wheel.py) has a copy. Lines end with a
newline; the text form is the line, or ``hex`` for what is no whole line. It hears its seat, the start, moves, refusals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from protocols.core.commands import Command, Join, Leave, PlayMove
from protocols.core.dialect import Dialect
from protocols.core.errors import RemoteProtocolError
from protocols.core.events import GameStarted, MoveMade, TableClosed
from protocols.core.notifications import Displaced, Notification, Rejected, Seated

LONGEST_LINE = 1_000
"""Bytes: a line is two words."""


class Tiny(Dialect):
    name = "tiny"
    options: ClassVar[Mapping[str, str]] = {"game": "what is joined by connecting"}

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        self._game = (options or {}).get("game", "")
        self._buffer = b""

    def connected(self) -> list[Command]:
        return [Join(self._game)] if self._game else []

    def receive_data(self, data: bytes) -> list[Command]:
        if not data:
            self.closing = True
            return [Leave(lost=bool(self._buffer))]
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        if len(self._buffer) > LONGEST_LINE:
            raise RemoteProtocolError(f"a line of more than {LONGEST_LINE} bytes")
        return [self._command(line) for line in lines]

    def _command(self, line: bytes) -> Command:
        word, _, rest = line.partition(b" ")
        if word == b"bye":
            self._queue.append(b"bye\n")
            self.closing = True
            return Leave()
        if word != b"play":
            raise RemoteProtocolError(f"no word {word!r}")
        return PlayMove(text=rest.decode(errors="replace"))

    def send(self, message: Notification) -> None:
        if isinstance(message, Seated) and message.seat is not None:
            self._queue.append(f"seat {message.seat}\n".encode())
        elif isinstance(message, GameStarted):
            self._queue.append(b"begin\n")
        elif isinstance(message, MoveMade):
            self._queue.append(f"{message.notation}\n".encode())
        elif isinstance(message, Rejected):
            self._queue.append(f"no {' '.join(message.text.split())}\n".encode())
        elif isinstance(message, TableClosed | Displaced):
            self.closing = True

    @classmethod
    def wire_to_text(cls, data: bytes, *, sent: bool, options: Mapping[str, str]) -> list[str]:
        *lines, rest = data.split(b"\n")
        if not (data.isascii() and all(line.decode().isprintable() for line in lines)):
            return [f"hex {data.hex(' ')}"]
        return [line.decode() for line in lines] + ([f"hex {rest.hex(' ')}"] if rest else [])

    @classmethod
    def text_to_wire(cls, lines: Iterable[str], *, sent: bool, options: Mapping[str, str]) -> bytes:
        return b"".join(_wire(line) for line in lines)


def _wire(line: str) -> bytes:
    if not line.startswith("hex "):
        return f"{line}\n".encode()
    try:
        return bytes.fromhex(line[4:])
    except ValueError:
        raise ValueError(f"not bytes: {line!r}") from None
