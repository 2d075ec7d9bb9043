"""A relayed pair's bytes as a wire log: `>>` what the first sent, `<<` what the second sent, in a dialect's text form.

Where no dialect is named every line is `hex`, which every dialect can read: ``boardgate decode --dialect D FILE`` shows
such a record, too.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

from gateway.net.line_file import LineFile
from protocols.core import transcript
from protocols.core.dialect import Dialect

HEX_BYTES: Final = 32
"""Bytes of one line in hex: a line that fits on a screen."""

PREFIX: Final = "relay-"


def new_file(folder: Path, number: int, kept: int) -> Path:
    """The file of the next recording. The newest older ones stay, so that with it there are ``kept``. OSError."""
    recordings = sorted(folder.glob(f"{PREFIX}*.txt"))
    for old in recordings[: max(0, len(recordings) - kept + 1)]:
        old.unlink(missing_ok=True)
    return folder / f"{PREFIX}{time.time_ns()}-{number}.txt"


class Recording:
    """Writes what passes, up to ``most`` bytes. ``peers`` are host:port of the first and of the second."""

    def __init__(self, path: Path, dialect: type[Dialect] | None, peers: tuple[str, str], most: int) -> None:
        """Creates the file; OSError."""
        self._file = LineFile(path)
        self._dialect = dialect
        self._left = most
        name = dialect.name if dialect else "unknown dialect"
        self._file.write([transcript.remark(f"{name}, relayed; >> {peers[0]}, << {peers[1]}")])

    def passed(self, at: int, data: bytes) -> None:
        """Bytes of side ``at`` (0 or 1); b"": it has closed."""
        if not data:
            self._file.write([transcript.remark("the second closed") if at else transcript.eof()])
            return
        data = data[: self._left]
        self._left -= len(data)
        shown = self._shown(data, at) if data else []
        self._file.write(transcript.wire_out(shown) if at else transcript.wire_in(shown))
        if not self._left:
            self._file.write([transcript.remark("the recording ends here: see relay.recorded_bytes")])
            self.close()

    def close(self) -> None:
        """Idempotent."""
        self._file.close()

    def _shown(self, data: bytes, at: int) -> list[str]:
        if self._dialect is not None:
            return self._dialect.wire_to_text(data, sent=bool(at), options={})
        return [f"hex {data[start : start + HEX_BYTES].hex(' ')}" for start in range(0, len(data), HEX_BYTES)]
