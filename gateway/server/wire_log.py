"""A connection's conversation as a transcript: the form that tests replay, so a report from the field is a test.

One file a connection. Passwords, tokens and tickets that the peer sends are not in it. Off unless a listener or the
settings ask for it. Not here: the form (protocols.core.transcript).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from gateway.net.line_file import LineFile
from protocols.core import hex_line, transcript
from protocols.core.commands import Command, Join, Login, Watch
from protocols.core.dialect import Dialect
from protocols.core.told import Told

LONGEST_HALF: Final = 16_384
"""Bytes of a message without its end that are held back: more than any dialect takes for one."""

SHORTEST: Final = 4
"""Bytes of a secret that is hidden. A password has eight characters, and one letter would hide half a conversation."""

UNREAD_MARKS: Final = (b"#", b"lo", b"pass", b"seat", b"secret", b"ticket")
"""What stands in messages of any dialect that may hold a ticket or a password."""


class WireLog:
    """Writes one connection's transcript, line by line, so that it is there when the process dies.

    A disk that is full ends the transcript, not the conversation; what is told after ``close`` is not written.
    """

    def __init__(self, path: Path, dialect: type[Dialect], options: Mapping[str, str], peer: str) -> None:
        """Creates the file; OSError. ``options`` are the dialect's, as tests need them to replay the conversation."""
        self._file = LineFile(path)
        self._dialect = dialect
        self._options = dict(options)
        self._file.write([transcript.option(name, text) for name, text in self._options.items()])
        self._half = b""
        self._file.write([transcript.remark(f"{dialect.name} {peer}")])

    def received(self, data: bytes, secrets: Iterable[str] = (), *, held: bool = False, unread: bool = False) -> None:
        """Bytes from the peer; b"" when it closed. Asterisks stand for the ``secrets`` in them.

        What is not a whole message waits for its end: it may begin with half a secret. ``held``: the bytes came before
        an answer that they wait for. ``unread``: the dialect has not interpreted all of them, so that nobody knows the
        secrets in them; what may hold one is left out.
        """
        if not data:
            self._flush()
            self._file.write(transcript.wire_in([transcript.EOF], held=held))
            return
        if unread and any(mark in data.lower() for mark in UNREAD_MARKS):
            self._file.write([transcript.remark(f"{len(data)} bytes of messages that wait, which may be secret")])
            return
        shown = self._dialect.wire_to_text(hidden(self._half + data, secrets), sent=False, options=self._options)
        self._half = (hex_line.read(shown[-1]) or b"") if shown else b""
        if len(self._half) > LONGEST_HALF:
            self._flush()
        elif self._half:
            shown.pop()
        self._file.write(transcript.wire_in(shown, held=held))

    def _flush(self) -> None:
        """What has no end: in full where it cannot hold a secret."""
        half, self._half = self._half, b""
        if any(mark in half for mark in self._dialect.secret_marks):
            self._file.write(
                [transcript.remark(f"{len(half)} bytes of a message without its end, which may be secret")]
            )
        elif half:
            self._file.write(transcript.wire_in([hex_line.show(half)]))

    def resumed(self) -> None:
        """All commands have been answered: what was held is interpreted now."""
        self._file.write([transcript.RESUMED])

    def asked(self, commands: Iterable[Command]) -> None:
        """What the bytes meant."""
        self._file.write([transcript.command(without_secret(command)) for command in commands])

    def broken(self, why: str) -> None:
        """The bytes broke the protocol."""
        self._flush()
        self._file.write([transcript.broken(why)])

    def told(self, message: Told) -> None:
        """What the connection was told."""
        self._file.write([transcript.told(message)])

    def sent(self, data: bytes) -> None:
        """Bytes to the peer."""
        self._file.write(transcript.wire_out(self._dialect.wire_to_text(data, sent=True, options=self._options)))

    def close(self) -> None:
        """Idempotent."""
        self._file.close()


def hidden(data: bytes, secrets: Iterable[str]) -> bytes:
    """``data`` with as many asterisks in place of each secret, so that lengths on the wire stay true."""
    for secret in secrets:
        found = secret.encode(errors="replace")
        if len(found) >= SHORTEST:
            data = data.replace(found, b"*" * len(found))
    return data


def without_secret(command: Command) -> Command:
    """The command as it may be written down. A ticket may be a password where the wire has one place for both."""
    match command:
        case Join(ticket=ticket, secret=secret):
            return replace(command, ticket="*" * len(ticket), secret="*" * len(secret))
        case Login(secret=secret) | Watch(secret=secret):
            return replace(command, secret="*" * len(secret))
    return command
