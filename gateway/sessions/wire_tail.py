"""Keeps the last lines of a connection's conversation in memory, for those who look on at its bytes.

A tail is there while somebody looks, or always where the listener says so (``wire_public=yes``). Others than the host
read it: no ticket, no password and no private talk is in it, whichever side says it. Where bytes may hold some, a
remark stands in their place.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, Protocol

from gateway.sessions.wire_log import Conversation, WireLog
from protocols.core import transcript
from protocols.core.commands import Command, Say, secrets
from protocols.core.dialect import Dialect
from protocols.core.events import Said
from protocols.core.notifications import Aside, Notification, Seated

EVERYBODY: Final = "all"
"""The hearers of a saying that is no private talk."""

MOST_CHARACTERS: Final = 65_536
"""Characters of one tail: some hundred moves on most wires. The oldest lines go first."""

LONGEST_LINE: Final = 4_000
"""Characters of one line: the past of a long game is one notification."""

REMEMBERED: Final = 16
"""Private sayings whose bytes may still come: a dialect may wait for its peer before it says them."""

SHINGLE: Final = 10
"""Letters in a row that bytes and a private saying have in common by no chance."""


class Tailed(Protocol):
    """A connection, as far as its bytes can be looked at. ``options`` are its listener's."""

    wire_log: Conversation | None
    options: Mapping[str, str]

    @property
    def dialect(self) -> Dialect:
        """The dialect it speaks."""


class Lines:
    """The last lines, numbered from 1; ``first`` is the number of the oldest."""

    def __init__(self) -> None:
        self._kept: deque[str] = deque()
        self._characters = 0
        self.first = 1

    def write(self, lines: Iterable[str]) -> None:
        for line in lines:
            shown = line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"
            self._kept.append(shown)
            self._characters += len(shown)
        while self._characters > MOST_CHARACTERS:
            self._characters -= len(self._kept.popleft())
            self.first += 1

    @property
    def last(self) -> int:
        """The number of the newest line; 0 before there is one."""
        return self.first + len(self._kept) - 1

    def after(self, number: int) -> list[tuple[int, str]]:
        """The lines behind the one of this number, each with its own."""
        skipped = max(number + 1 - self.first, 0)
        return [(self.first + at, line) for at, line in enumerate(self._kept) if at >= skipped]

    def clear(self) -> None:
        """Forget them; their numbers are not used again."""
        self.first += len(self._kept)
        self._kept.clear()
        self._characters = 0

    def close(self) -> None:
        """Nothing: they go with their tail."""


class WireTail:
    """The tail of one connection, which hands everything on to ``log``, its wire log, where it has one.

    ``public``: its listener lets everybody look.
    """

    def __init__(
        self, log: Conversation | None, dialect: type[Dialect], options: Mapping[str, str], *, public: bool = False
    ) -> None:
        self.log = log
        self.public = public
        self.viewers = 0
        self.lines = Lines()
        self._dialect = dialect
        self._shown = WireLog(self.lines, dialect, options)
        self._secrets: set[str] = set()
        self._unread = b""
        """Bytes whose commands are not known yet."""
        self._private = self._flushed = False
        """True if what is sent next may hold private talk; and if some has been sent since."""
        self._sayings: deque[str] = deque(maxlen=REMEMBERED)
        self._table: int | None = None

    def received(self, data: bytes, secrets: Iterable[str] = (), *, held: bool = False, unread: bool = False) -> None:
        secrets = tuple(secrets)
        if self.log is not None:
            self.log.received(data, secrets, held=held, unread=unread)
        self._secrets.update(secrets)
        self._settle()
        if not data:
            self._shown.received(data, held=held)
        elif held or unread:
            self._shown.drop()
            self._remark(f"{len(data)} bytes that wait for an answer")
        else:
            self._unread = data

    def asked(self, commands: Iterable[Command]) -> None:
        commands = list(commands)
        if self.log is not None:
            self.log.asked(commands)
        spoken = [command for command in commands if isinstance(command, Say) and not _public(command)]
        self._secrets.update(secret for command in commands for secret in secrets(command).values())
        if spoken and self._unread:
            self._shown.drop()
            self._remark(f"{len(self._unread)} bytes with talk that is not for everybody")
            self._unread = b""
        self._settle()
        self._shown.asked(command for command in commands if command not in spoken)

    def _settle(self) -> None:
        """Marks the received bytes as free of private talk."""
        if self._unread:
            data, self._unread = self._unread, b""
            self._shown.received(data, self._secrets)

    def resumed(self) -> None:
        if self.log is not None:
            self.log.resumed()
        self._shown.resumed()

    def broken(self, why: str) -> None:
        if self.log is not None:
            self.log.broken(why)
        self._unread = b""
        self._shown.drop()
        self._remark("bytes that broke the protocol")

    def told(self, message: Notification | Aside) -> None:
        if self.log is not None:
            self.log.told(message)
        self._settle()
        if self._flushed:
            self._private = self._flushed = False
        if isinstance(message, Seated):
            message = self._seated(message)
        elif _is_private(message):
            self._hide(message)
            return
        self._shown.told(message)

    def _seated(self, seated: Seated) -> Seated:
        """Returns the part that may be shown: no ticket, no private talk. Talk of another table is forgotten."""
        if self._table not in (None, seated.table):
            self.lines.clear()
        self._table = seated.table
        self._secrets.add(seated.ticket)
        for event in filter(_is_private, seated.past):
            self._hide(event)
        heard = tuple(event for event in seated.past if not _is_private(event))
        return replace(seated, past=heard, ticket="*" * len(seated.ticket))

    def _hide(self, message: object) -> None:
        self._private = True
        if isinstance(message, Said):
            self._sayings.append(_letters(message.text))

    def sent(self, data: bytes) -> None:
        if self.log is not None:
            self.log.sent(data)
        self._settle()
        self._flushed = True
        if self._private or self._says(data):
            self._remark(f"{len(data)} bytes with talk that is not for everybody")
        else:
            self._shown.sent(data, self._secrets)

    def _says(self, data: bytes) -> bool:
        """True if these bytes seem to hold a private saying: one that its dialect has kept back until now."""
        if not self._sayings:
            return False
        said = _letters(data.decode(errors="replace"))
        return any(piece in said for text in self._sayings for piece in _pieces(text))

    def close(self) -> None:
        if self.log is not None:
            self.log.close()

    def _remark(self, text: str) -> None:
        self.lines.write([transcript.remark(text)])


def tail_of(connection: Tailed) -> WireTail | None:
    """The tail of a connection; None: nothing of it is kept."""
    return connection.wire_log if isinstance(connection.wire_log, WireTail) else None


@contextmanager
def looked_at(connection: Tailed) -> Iterator[WireTail]:
    """The tail of a connection, which is kept as long as somebody looks."""
    tail = tail_of(connection)
    if tail is None:
        tail = WireTail(connection.wire_log, type(connection.dialect), connection.options)
        connection.wire_log = tail
    tail.viewers += 1
    try:
        yield tail
    finally:
        tail.viewers -= 1
        if not (tail.viewers or tail.public) and connection.wire_log is tail:
            connection.wire_log = tail.log


def _is_private(message: object) -> bool:
    """True for words to some, and for what is told of another table."""
    return isinstance(message, Aside) or (isinstance(message, Said) and message.to != EVERYBODY)


def _public(said: Say) -> bool:
    return said.to == EVERYBODY and said.table is None


def _letters(text: str) -> str:
    """Without what a wire may add between or around them."""
    return "".join(filter(str.isalnum, text)).casefold()


def _pieces(text: str) -> Iterator[str]:
    """Every SHINGLE letters in a row of a saying, all of a short one; none of what has nothing to show."""
    if text:
        yield from (text[at : at + SHINGLE] for at in range(max(1, len(text) - SHINGLE + 1)))
