"""A network between two programs of this machine that loses a connection when a test says so.

with Frail(port) as network:
    gui = pipe(network.port)
    network.lose_next_answer()
"""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType

CHUNK = 65536


class Frail:
    """``port`` is where to connect instead of ``to``; connections come one after another. ``lost`` counts those cut."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._losing = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.lost = 0
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Frail:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def lose_next_answer(self) -> None:
        """What the server says next does not arrive, and both ends find the connection gone."""
        self._losing.set()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near = self._listener.accept()[0]
                far = socket.create_connection(("127.0.0.1", self._to))
                threading.Thread(target=self._carry, args=(near, far), daemon=True).start()
                threading.Thread(target=self._answer, args=(far, near), daemon=True).start()

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := near.recv(CHUNK):
                far.sendall(data)
        _end(near, far)

    def _answer(self, far: socket.socket, near: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := far.recv(CHUNK):
                if self._losing.is_set():
                    self._losing.clear()
                    self.lost += 1
                    break
                near.sendall(data)
        _end(near, far)


def _end(*socks: socket.socket) -> None:
    for sock in socks:
        with contextlib.suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)
        sock.close()
