"""A connection's conversation as a transcript: the form that tests replay, so a report from the field is a test.

One file a connection. Passwords, tokens and tickets that the peer sends are not in it. Off unless a listener or the
settings ask for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Protocol

from gateway.net.line_file import LineFile
from protocols.core import transcript
from protocols.core.commands import Command, without_secrets
from protocols.core.dialect import Dialect
from protocols.core.line_text import read_hex, show_hex
from protocols.core.notifications import Aside, Notification

LONGEST_HALF: Final = 16_384
"""Bytes of a message without its end that are held back: more than any dialect takes for one."""

SHORTEST: Final = 4
"""Bytes of a secret that is hidden. A password has eight characters, and one letter would hide half a conversation."""

UNREAD_MARKS: Final = (b"#", b"lo", b"pass", b"seat", b"secret", b"ticket")
"""Words in messages of any dialect that may hold a ticket or a password."""


class Lines(Protocol):
    """Takes the lines of a transcript: a file, or memory."""

    def write(self, lines: Iterable[str]) -> None:
        """Append them."""

    def close(self) -> None:
        """Idempotent."""


class Conversation(Protocol):
    """Follows one connection's conversation: each method is told what has just happened."""

    def received(self, data: bytes, secrets: Iterable[str] = (), *, held: bool = False, unread: bool = False) -> None:
        """Bytes from the peer, as ``WireLog.received``."""

    def resumed(self) -> None:
        """Interprets the bytes that were held."""

    def asked(self, commands: Iterable[Command]) -> None:
        """The commands that the bytes meant."""

    def broken(self, why: str) -> None:
        """The bytes broke the protocol."""

    def told(self, message: Notification | Aside) -> None:
        """A notification to the connection."""

    def sent(self, data: bytes) -> None:
        """Bytes to the peer."""

    def close(self) -> None:
        """The connection has ended. Idempotent."""


def log_to_file(path: Path, dialect: type[Dialect], options: Mapping[str, str], peer: str) -> WireLog:
    """A wire log in a new file, line by line, so that it is there when the process dies; OSError.

    A disk that is full ends the transcript, not the conversation; what is told after ``close`` is not written.
    """
    return WireLog(LineFile(path), dialect, options, peer)


class WireLog:
    """Writes one connection's transcript to ``lines``.

    ``options`` are the dialect's, as tests need them to replay the conversation.
    """

    def __init__(self, lines: Lines, dialect: type[Dialect], options: Mapping[str, str], peer: str = "") -> None:
        self._file = lines
        self._dialect = dialect
        self._options = dict(options)
        self._file.write([transcript.option(name, text) for name, text in self._options.items()])
        self._half = b""
        self._file.write([transcript.remark(f"{dialect.name} {peer}".rstrip())])

    def received(self, data: bytes, secrets: Iterable[str] = (), *, held: bool = False, unread: bool = False) -> None:
        """Bytes from the peer; b"" when it closed. Asterisks stand for the ``secrets`` in them.

        What is not a whole message waits for its end: it may begin with half a secret. ``held``: the bytes came before
        an answer that they wait for. ``unread``: the dialect has not interpreted all of them, so that it is unknown
        which are the secrets in them; what may hold one is left out.
        """
        if not data:
            self._flush()
            self._file.write(transcript.wire_in([transcript.EOF], held=held))
            return
        if unread and not self._dialect.reads_ahead and any(mark in data.lower() for mark in UNREAD_MARKS):
            self._file.write([transcript.remark(f"{len(data)} bytes of messages that wait, which may be secret")])
            return
        known = hidden(self._dialect, self._half + data, secrets)
        shown = self._dialect.wire_to_text(known, sent=False, options=self._options)
        self._half = (read_hex(shown[-1]) or b"") if shown else b""
        if len(self._half) > LONGEST_HALF:
            self._flush()
        elif self._half:
            shown.pop()
        self._file.write(transcript.wire_in(shown, held=held))

    def _flush(self) -> None:
        """A message without its end: in full where it cannot hold a secret."""
        half, self._half = self._half, b""
        if half and any(mark in half for mark in self._dialect.secret_marks):
            self._file.write(
                [transcript.remark(f"{len(half)} bytes of a message without its end, which may be secret")]
            )
        elif half:
            self._file.write(transcript.wire_in([show_hex(half)]))

    def drop(self) -> None:
        """Forget a message without its end."""
        self._half = b""

    def resumed(self) -> None:
        """All commands have been answered: what was held is interpreted now."""
        self._file.write([transcript.RESUMED])

    def asked(self, commands: Iterable[Command]) -> None:
        """Log the commands that the bytes meant."""
        self._file.write([transcript.command(without_secrets(command)) for command in commands])

    def broken(self, why: str) -> None:
        """The bytes broke the protocol."""
        self._flush()
        self._file.write([transcript.broken(why)])

    def told(self, message: Notification | Aside) -> None:
        """Log a notification."""
        self._file.write([transcript.told(message)])

    def sent(self, data: bytes, secrets: Iterable[str] = ()) -> None:
        """Bytes to the peer; asterisks stand for the ``secrets`` in them."""
        shown = hidden(self._dialect, data, secrets)
        self._file.write(transcript.wire_out(self._dialect.wire_to_text(shown, sent=True, options=self._options)))

    def close(self) -> None:
        """Idempotent."""
        self._file.close()


def hidden(dialect: type[Dialect], data: bytes, secrets: Iterable[str]) -> bytes:
    """``data`` with as many asterisks in place of each secret, so that lengths on the wire stay true."""
    for secret in secrets:
        if len(secret.encode(errors="replace")) >= SHORTEST:
            data = dialect.hide(data, secret)
    return data
