"""A process that floods a server's listener when told to, and says what became of it. Not a client of anything.

``connections``: as many connections as it can open from one address, silent and held. ``malformed``: openings that no
dialect of tables knows, a fixed number a second, from several addresses so that no limit of one address keeps them from
being read. It has the lowest priority: what its core does else, such as measuring, is done first. Not here: when
(flood.py). Run as ``python -m gateway.bench.flooder PORT``; each line of its input is a kind and seconds, and answered
by a line of numbers. Linux only.
"""

from __future__ import annotations

import os
import select
import socket
import struct
import sys
import time
from itertools import cycle
from typing import Final

SERVER: Final = "127.0.0.1"
FLOOD_FROM: Final = "127.0.0.2"
MALFORMED_FROM: Final = tuple(f"127.0.2.{host}" for host in range(1, 33))

RATE: Final = 10_000
"""Malformed openings a second."""

HELD: Final = 1500
"""Connections held open at once: more than the listener's backlog and an address's places together, and far fewer than
a process may have."""

BATCH: Final = 8
"""Openings between two looks at what became of the others."""

SETTLE_S: Final = 0.5
"""Seconds after a flood in which what waits in the backlog may still be answered."""

LINGER: Final = struct.pack("ii", 1, 0)
"""Closing is a reset: nothing of the connection stays behind in the system, whose ports would run out."""

HANDSHAKE: Final = struct.pack("!ii9si", 101, 9, b"checkers", 1)

MALFORMED: Final = (
    bytes(range(200, 256)),
    HANDSHAKE[:3],
    HANDSHAKE[:13],
    struct.pack("!ii", 101, 0x7FFFFFFF) + b"checkers",
    struct.pack("!ii", 101, -1) + b"checkers",
    b"GET / HTTP/1.1\r\nHost: boardgate\r\n\r\n",
    bytes.fromhex("160301002f0100002b0303") + bytes(36),
)
"""Garbage, half handshakes, lengths that are too large or negative, HTTP, the beginning of a TLS hello."""


class Flood:
    """What was opened, and what became of it: hung up on by the server, or still open at the end.

    ``unanswered`` are those that the system did not connect: the backlog was full.
    """

    def __init__(self, port: int, sources: tuple[str, ...], openings: tuple[bytes, ...], rate: float) -> None:
        self._address = SERVER, port
        self._sources, self._openings = cycle(sources), cycle(openings)
        self._rate = rate
        self._poll = select.epoll()
        self._open: dict[int, socket.socket] = {}
        self.opened = self.ended = self.unanswered = self.most = 0

    def run(self, seconds: float) -> tuple[int, int, int, int]:
        """Opened, ended by the server, still open after a moment, unanswered."""
        begun = time.perf_counter()
        while (passed := time.perf_counter() - begun) < seconds:
            due = int(passed * self._rate) - self.opened - self.unanswered if self._rate else BATCH
            for _ in range(min(due, BATCH)):
                self._dial()
            self._look(0.0 if due > 0 else 0.001)
        until = time.perf_counter() + SETTLE_S
        while self._open and time.perf_counter() < until:
            self._look(0.05)
        left = len(self._open)
        for sock in self._open.values():
            _reset(sock)
        self._poll.close()
        return self.opened, self.ended, left, self.unanswered

    def _dial(self) -> None:
        if len(self._open) >= HELD:
            self._forget(next(iter(self._open)))
        sock = socket.socket()
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_IP, getattr(socket, "IP_BIND_ADDRESS_NO_PORT", 24), 1)
        try:
            sock.bind((next(self._sources), 0))
            sock.connect_ex(self._address)
            sock.getpeername()
            sock.send(next(self._openings))
        except OSError:
            self.unanswered += 1
            _reset(sock)
            return
        self.opened += 1
        self._open[sock.fileno()] = sock
        self._poll.register(sock, select.EPOLLIN | select.EPOLLRDHUP)

    def _look(self, wait_s: float) -> None:
        """Whoever has been hung up on is through."""
        for number, _ in self._poll.poll(wait_s):
            try:
                ended = not self._open[number].recv(4096)
            except OSError:
                ended = True
            if ended:
                self.ended += 1
                self._forget(number)

    def _forget(self, number: int) -> None:
        _reset(self._open.pop(number))


def _reset(sock: socket.socket) -> None:
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER)
    sock.close()


def main() -> None:
    """Answer every line of the standard input."""
    port = int(sys.argv[1])
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    for line in sys.stdin:
        kind, seconds = line.split()
        if kind == "connections":
            flood = Flood(port, (FLOOD_FROM,), (b"",), 0.0)
        else:
            flood = Flood(port, MALFORMED_FROM, MALFORMED, RATE)
        print(*flood.run(float(seconds)), flush=True)


if __name__ == "__main__":
    main()
