"""A connection's conversation as a transcript: the form that tests replay, so a report from the field is a test.

One file a connection. Off unless a listener or the settings ask for it. Not here: the form (protocols.core.transcript).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from gateway.net.line_file import LineFile
from protocols.core import transcript
from protocols.core.commands import Command
from protocols.core.dialect import Dialect
from protocols.core.told import Told


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
        self._file.write([transcript.remark(f"{dialect.name} {peer}")])

    def received(self, data: bytes) -> None:
        """Bytes from the peer; b"" when it closed."""
        if not data:
            self._file.write([transcript.eof()])
            return
        self._file.write(transcript.wire_in(self._dialect.wire_to_text(data, sent=False, options=self._options)))

    def asked(self, commands: Iterable[Command]) -> None:
        """What the bytes meant."""
        self._file.write([transcript.command(command) for command in commands])

    def broken(self, why: str) -> None:
        """The bytes broke the protocol."""
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
