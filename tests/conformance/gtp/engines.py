"""An engine that dials in and answers as a test scripts it, well or badly, in a thread of its own.

with Engine(port, {"genmove": ["C3", "pass"]}) as engine: ...

``replies`` are by the command's name: one text, texts for one time each (the last for ever), or a function of the
command's words. A text that begins with "?" is an error; None does not answer; bytes are sent as they are, with ID
replaced by the command's id.
"""

from __future__ import annotations

import contextlib
import itertools
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Final

PATIENCE_S: Final = 20.0

LISTED: Final = (
    "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove "
    "time_settings time_left final_status_list"
)
"""What an ordinary engine lists."""

_NUMBERS: Final = itertools.count(1)
"""Each has a name of its own: one that comes again without a ticket takes the seat that it has lost."""

Answer = str | bytes | None
Reply = Answer | Sequence[Answer] | Callable[[str], Answer]


class Engine:
    """``asked`` is every command without its id, ``comments`` what came as such.

    ``left`` is set when the server has hung up or said quit.
    """

    def __init__(
        self, port: int, replies: Mapping[str, Reply], *, listed: str = LISTED, first: str = "", piece: int = 0
    ) -> None:
        self.asked: list[str] = []
        self.comments: list[str] = []
        self.left = threading.Event()
        self._piece = piece
        self._replies: dict[str, Reply] = {
            "name": f"Thinker {next(_NUMBERS)}",
            "version": "1",
            "list_commands": "\n".join(listed.split()),
        }
        self._replies.update(replies)
        self._sock = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
        self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sock.settimeout(None)
        if first:
            self._sock.sendall(first.encode())
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_WR)
            self._thread.join(PATIENCE_S)  # until the server has hung up: by then it holds no seat for this engine
        self.dies()
        self._thread.join(PATIENCE_S)

    def dies(self) -> None:
        """The connection is gone without a word."""
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)
        self._sock.close()

    def wait_until_asked(self, word: str, times: int = 1) -> str:
        """Wait until a command of this name has come so often; its words."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            found = [words for words in self.asked if words.partition(" ")[0] == word]
            if len(found) >= times:
                return found[-1]
            assert time.monotonic() < deadline, f"never asked {word}: {self.asked[-20:]}"
            time.sleep(0.01)

    def says(self, data: bytes) -> None:
        self._send(data)

    def _serve(self) -> None:
        rest = b""
        with contextlib.suppress(OSError):
            while data := self._sock.recv(65536):
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    number, words = line.decode().split(" ", 1)
                    if number == "#":
                        self.comments.append(words)
                    else:
                        self._answer(number, words)
        self.left.set()

    def _answer(self, number: str, words: str) -> None:
        self.asked.append(words)
        name = words.partition(" ")[0]
        answer = self._reply(name, words)
        if isinstance(answer, bytes):
            self._send(answer.replace(b"ID", number.encode()))
        elif answer is not None:
            sign, text = ("?", answer[1:].strip()) if answer.startswith("?") else ("=", answer)
            self._send(f"{sign}{number} {text}\n\n".encode())
        if name == "quit":
            self.left.set()

    def _reply(self, name: str, words: str) -> Answer:
        reply = self._replies.get(name, "")
        if callable(reply):
            return reply(words)
        if isinstance(reply, str | bytes) or reply is None:
            return reply
        if len(reply) > 1:
            self._replies[name] = reply[1:]
        return reply[0]

    def _send(self, data: bytes) -> None:
        """In pieces of so many bytes, where a test wants that: a segment each."""
        size = self._piece or len(data)
        for at in range(0, len(data), size or 1):
            self._sock.sendall(data[at : at + size])
            if self._piece:
                time.sleep(0.002)  # each piece arrives alone
