"""The sockets of one cell's clients: whoever waits for something lets all of them listen.

    room.until("Black hears the move", lambda: black.board.ply == 3)

No client has a thread, and nobody waits for time: what is waited for is heard, or nobody hears anything for PATIENCE_S.
"""

from __future__ import annotations

import selectors
import socket
from collections import deque
from collections.abc import Callable
from typing import Final

PATIENCE_S: Final = 20.0
"""Seconds of silence on all wires until what is waited for counts as not told."""

SHOWN: Final = 40
"""The last lines of a wire that a failure shows."""


class Unheard(AssertionError):
    """Something was not told: the message has the last lines of every wire."""


class Wire:
    """One connection: ``heard`` gets each part that comes, b"" at its end. ``lines`` are for people."""

    def __init__(
        self, room: Room, port: int, heard: Callable[[bytes], None], name: str, host: str = "127.0.0.1"
    ) -> None:
        self.name = name
        self.lines: deque[str] = deque(maxlen=SHOWN)
        self.open = True
        self._heard = heard
        self._room = room
        self._sock = socket.create_connection(("127.0.0.1", port), PATIENCE_S, (host, 0))
        self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        room.listens(self)

    def fileno(self) -> int:
        return self._sock.fileno()

    def send(self, payload: bytes, shown: str) -> None:
        """Say this; a connection that the server has closed meanwhile says so when it is read."""
        self.lines.append(f">> {shown}")
        try:
            self._sock.sendall(payload)
        except ConnectionError:
            self.lines.append("-- cannot be sent")

    def ready(self) -> None:
        """There is something to read."""
        try:
            part = self._sock.recv(65536)
        except ConnectionError:
            part = b""
        if not part:
            self.lines.append("-- the server has closed")
            self.close()
        self._heard(part)

    def close(self) -> None:
        """Hang up without a word."""
        if self.open:
            self.open = False
            self._room.forgets(self)
            self._sock.close()


class Room:
    """The clients of one cell, at one running server. ``ports`` are its listeners' by what they speak."""

    def __init__(self, ports: dict[str, int], patience_s: float = PATIENCE_S) -> None:
        self.ports = ports
        self.patience_s = patience_s
        self._selector = selectors.DefaultSelector()
        self.wires: list[Wire] = []

    def listens(self, wire: Wire) -> None:
        """This wire is read from now on."""
        self.wires.append(wire)
        self._selector.register(wire, selectors.EVENT_READ)

    def forgets(self, wire: Wire) -> None:
        """This wire is read no more."""
        self._selector.unregister(wire)

    def until(self, what: str, holds: Callable[[], bool]) -> None:
        """Listen to everybody until this holds. Unheard: it does not."""
        while not holds():
            ready = self._selector.select(self.patience_s)
            if not ready:
                raise Unheard(f"not so: {what}\n{self.shown()}")
            for key, _ in ready:
                wire = key.fileobj
                assert isinstance(wire, Wire)
                if wire.open:
                    wire.ready()

    def shown(self) -> str:
        """What was said last on every wire."""
        return "\n".join("\n".join([f"-- {wire.name}", *wire.lines]) for wire in self.wires)

    def close(self) -> None:
        """Everybody hangs up."""
        for wire in self.wires:
            wire.close()
        self._selector.close()
