"""A TCP line between two programs that can be cut, aloud or silently: what is on it then is lost for ever."""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

POLL_S: Final = 0.1
"""Seconds after which the carrier looks whether it is to stop."""


class Line:
    """Carries from ``port`` to ``target``, in a thread of its own."""

    def __init__(self, target: int) -> None:
        self.target = target
        self._selector = selectors.DefaultSelector()
        self._other: dict[socket.socket, socket.socket] = {}
        self._whole = threading.Event()
        self._whole.set()
        self._stopped = False
        self._dead: set[socket.socket] = set()
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])
        self._selector.register(self._door, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._carry)
        self._thread.start()

    def cut(self) -> None:
        """Every connection breaks, and whoever calls hears nothing but the end of it."""
        self._whole.clear()

    def hush(self) -> None:
        """Nothing arrives any more on the connections there are, and neither end is told; new ones get through.

        As with a router that has forgotten them: they never work again.
        """
        self._dead = set(self._other)

    def mend(self) -> None:
        self._whole.set()

    def stop(self) -> None:
        self._stopped = True
        self._thread.join()
        for sock in [*self._other, self._door]:
            sock.close()
        self._selector.close()

    def _carry(self) -> None:
        while not self._stopped:
            for key, _ in self._selector.select(POLL_S):
                if key.fileobj is self._door:
                    self._connect(self._door.accept()[0])
                elif key.fileobj in self._other:
                    self._pass_on(key.fileobj)
            if not self._whole.is_set():
                for sock in list(self._other):
                    self._drop(sock)

    def _connect(self, caller: socket.socket) -> None:
        try:
            callee = socket.create_connection(("127.0.0.1", self.target)) if self._whole.is_set() else None
        except ConnectionRefusedError:
            callee = None
        if callee is None:
            caller.close()
            return
        self._other |= {caller: callee, callee: caller}
        for sock in (caller, callee):
            self._selector.register(sock, selectors.EVENT_READ)

    def _pass_on(self, sock: socket.socket) -> None:
        """Nothing of what comes while the line is cut arrives."""
        try:
            data = sock.recv(65536)
            if data and self._whole.is_set() and sock not in self._dead:
                self._other[sock].sendall(data)
        except OSError:
            data = b""
        if not data:
            self._drop(sock)

    def _drop(self, sock: socket.socket) -> None:
        """Close both ends; of a dead connection only this one, for the other is not told."""
        ends = [sock] if sock in self._dead else [sock, self._other.get(sock)]
        for end in ends:
            if end is not None and self._other.pop(end, None) is not None:
                self._selector.unregister(end)
                end.close()


@contextmanager
def line_to(port: int) -> Iterator[Line]:
    line = Line(port)
    try:
        yield line
    finally:
        line.stop()
