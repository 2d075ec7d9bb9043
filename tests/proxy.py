"""Proxies the connection between a server and its database, and cuts or holds it as networks do.

It uses threads, for tests without trio use it, too; no thread outlives the block.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Final

PART: Final = 65536

Watch = Callable[[bytes], bool]
"""Called with the client's bytes; returns whether the wire is to be cut behind them."""


class Wire:
    """Listens on ``port`` of 127.0.0.1 and carries every connection on to ``target``."""

    def __init__(self, target: tuple[str, int]) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open = {outward: threading.Event() for outward in (True, False)}
        self._let_through()
        self._ends: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._refusing = False
        self.before: Watch | None = None
        """Cut where it says so: the client's last bytes never arrive."""
        self.behind: Watch | None = None
        """Cut where it says so: the client's bytes have arrived, and no answer comes back."""
        self._start(self._accept)

    def hold(self, *ways: bool) -> None:
        """Hold everything without telling either end; of ``ways`` only these: True is what clients say."""
        for outward in ways or (True, False):
            self._open[outward].clear()

    def lead(self, target: tuple[str, int]) -> None:
        """Carry new connections to ``target``; those that are open stay where they are."""
        self._target = target

    def _let_through(self) -> None:
        for held in self._open.values():
            held.set()

    def cut(self) -> None:
        """Every connection is gone, and no other can be made."""
        self._refusing = True
        self._hang_up()

    def mend(self) -> None:
        """Deliver held bytes, and accept connections again."""
        self._refusing = False
        self._let_through()

    def close(self) -> None:
        self._refusing = True
        self._let_through()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._hang_up()
        for thread in self._threads:
            thread.join()

    def _start(self, work: Callable[..., None], *arguments: object) -> None:
        self._threads.append(threading.Thread(target=work, args=arguments, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self._refusing:
                    client.close()
                    continue
                self._open[True].wait()
                server = socket.create_connection(self._target)
                self._ends |= {client, server}
                self._start(self._carry, client, server, True)
                self._start(self._carry, server, client, False)

    def _carry(self, source: socket.socket, target: socket.socket, outward: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(PART):
                self._open[outward].wait()
                if outward and self.before is not None and self.before(data):
                    break
                if outward and self.behind is not None and self.behind(data):
                    _close(source)  # first, so that the answer finds no client
                    target.sendall(data)
                    target.shutdown(socket.SHUT_WR)
                    return
                target.sendall(data)
        for end in (source, target):
            _close(end)

    def _hang_up(self) -> None:
        for end in list(self._ends):
            _close(end)
        self._ends.clear()


def _close(end: socket.socket) -> None:
    """Close it, and wake the thread that receives from it."""
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextlib.contextmanager
def wire(target: tuple[str, int]) -> Iterator[Wire]:
    """A wire to ``target``, gone afterwards."""
    made = Wire(target)
    try:
        yield made
    finally:
        made.close()
