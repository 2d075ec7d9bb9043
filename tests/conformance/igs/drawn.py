"""Texts that an X program writes on its screen: a display that hands all on to another, and keeps the texts."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

FIRST_PORT: Final = 6000
"""The TCP port of display 0."""

POLY_TEXT, IMAGE_TEXT = 74, 76
"""Requests that draw letters of eight bits."""

SHIFT: Final = 255
"""The length of an item that is no text but another font."""


class Text(NamedTuple):
    """Words that were drawn, and at which height in its window, in pixels."""

    words: str
    height: int


class Drawn:
    """``texts`` are in the order in which they were drawn; ``display`` is the name for DISPLAY."""

    def __init__(self, screen: str) -> None:
        self._screen = f"/tmp/.X11-unix/X{screen.lstrip(':')}"
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = [self._listener]
        self.display = f"127.0.0.1:{self._listener.getsockname()[1] - FIRST_PORT}"
        self.texts: list[Text] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                program, _ = self._listener.accept()
                screen = socket.socket(socket.AF_UNIX)
                screen.connect(self._screen)
                self._sockets += [program, screen]
                threading.Thread(target=self._pass_on, args=(program, screen, True), daemon=True).start()
                threading.Thread(target=self._pass_on, args=(screen, program, False), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket, requests: bool) -> None:
        data, begun = b"", False
        with suppress(OSError):
            while part := one.recv(65_536):
                other.sendall(part)
                if requests:
                    data, begun = self._read(data + part, begun)
        for each in (one, other):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _read(self, data: bytes, begun: bool) -> tuple[bytes, bool]:
        """Keep the texts among these requests: what is left, and whether the connection's first words are behind."""
        while True:
            if not begun:
                length = 12 + sum(-(-int.from_bytes(data[at : at + 2], "little") // 4) * 4 for at in (6, 8))
                if len(data) < 12 or len(data) < length:
                    return data, False
                begun = True
            else:
                units = int.from_bytes(data[2:4], "little")
                length = 4 * (units or int.from_bytes(data[4:8], "little"))  # longer ones say it in the next word
                if len(data) < 4 or len(data) < (length or 8):
                    return data, True
                self._request(data[:length])
            data = data[length:]

    def _request(self, request: bytes) -> None:
        if request[0] in (POLY_TEXT, IMAGE_TEXT):
            rest = request[16:]
            words = "".join(_items(rest)) if request[0] == POLY_TEXT else rest[: request[1]].decode("latin-1")
            self.texts.append(Text(words, int.from_bytes(request[14:16], "little", signed=True)))

    def close(self) -> None:
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


def _items(data: bytes) -> Iterator[str]:
    while len(data) > 2 and (length := data[0]):
        if length == SHIFT:
            data = data[5:]
            continue
        yield data[2 : 2 + length].decode("latin-1")
        data = data[2 + length :]


@contextmanager
def drawn(screen: str) -> Iterator[Drawn]:
    """A display before this one, as long as the block lasts."""
    display = Drawn(screen)
    try:
        yield display
    finally:
        display.close()
