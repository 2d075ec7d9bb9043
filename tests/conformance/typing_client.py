"""A person or program that types lines at a server's port, and waits for what it is told."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from typing import Final

PATIENCE_S: Final = 30.0


class TypingClient:
    """``text`` is all that it was told, with plain ends of lines; what it has waited for is behind it. ``code`` is how
    letters are written, ``end`` ends its own lines."""

    code = "utf-8"
    end = b"\n"

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
        self._socket.settimeout(0.05)
        self._read = 0
        self.text = ""
        self.name = ""

    def type(self, *lines: str) -> None:
        for line in lines:
            self._socket.sendall(self._written(line.encode(self.code)) + self.end)

    def _written(self, line: bytes) -> bytes:
        return line

    def hears(self, words: str) -> str:
        """Wait for these words, behind all that it has waited for: what came before them."""
        deadline = time.monotonic() + PATIENCE_S
        while (at := self.text.find(words, self._read)) < 0:
            assert time.monotonic() < deadline, f"{words!r} did not come: {self.text[-3000:]}"
            self._receive()
        before, self._read = self.text[self._read : at], at + len(words)
        return before

    def _receive(self) -> None:
        with suppress(TimeoutError):
            data = self._socket.recv(65_536)
            if not data:
                raise ConnectionError(f"closed by the server: {self.text[-1000:]}")
            self.text += data.decode(self.code).replace("\r", "")

    def close(self) -> None:
        self._socket.close()
