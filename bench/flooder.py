"""A process that floods a server's listeners when told to, and says what became of it. Not a client of anything.

It has the lowest priority: what its core does else, such as measuring, is done first. Run as ``python -m
bench.flooder``; each line of its input is a port, a kind and seconds, and answered by a line of numbers. Linux
only.
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

from bench.floods import KINDS, Kind, Talk

SERVER: Final = "127.0.0.1"

HELD: Final = 2500
"""Connections held open at once: more than wait at a listener, and an address's limit, together, and far fewer than
a process may have."""

BATCH: Final = 8
"""Openings between two looks at what became of the others."""

SETTLE_S: Final = 0.5
"""Seconds without a hang-up after a flood, after which the backlog counts as answered."""

LINGER: Final = struct.pack("ii", 1, 0)
"""Closing is a reset: nothing of the connection stays behind in the system, whose ports would run out."""


class Flood:
    """Counts of opened connections: hung up on by the server, or still open at the end.

    ``unanswered`` are those that the system did not connect: the backlog was full. ``served`` counts what the server
    did that was asked: handshakes shaken, pages sent.
    """

    def __init__(self, port: int, kind: Kind) -> None:
        self._address = SERVER, port
        self._sources, self._talks = cycle(kind.sources), kind.talks()
        self._rate = kind.rate
        self._poll = select.epoll()
        self._open: dict[int, tuple[socket.socket, Talk]] = {}
        self.opened = self.ended = self.unanswered = self.served = 0

    def run(self, seconds: float) -> tuple[int, int, int, int, int]:
        """Opened, ended by the server, still open after a moment, unanswered, served."""
        begun = time.perf_counter()
        while (passed := time.perf_counter() - begun) < seconds:
            due = int(passed * self._rate) - self.opened - self.unanswered if self._rate else BATCH
            for _ in range(min(due, BATCH)):
                self._dial()
            self._look(0.0 if due > 0 else 0.001)
        until = time.perf_counter() + SETTLE_S
        while self._open and time.perf_counter() < until:
            ended = self.ended
            self._look(0.05)
            if self.ended > ended:
                until = time.perf_counter() + SETTLE_S
        left = len(self._open)
        for sock, _ in self._open.values():
            _reset(sock)
        self._poll.close()
        return self.opened, self.ended, left, self.unanswered, self.served

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
            talk = next(self._talks)
            sock.send(talk.first)
        except OSError:
            self.unanswered += 1
            _reset(sock)
            return
        self.opened += 1
        self._open[sock.fileno()] = sock, talk
        self._poll.register(sock, select.EPOLLIN | select.EPOLLRDHUP)

    def _look(self, wait_s: float) -> None:
        """Closed connections are done; answered ones go on."""
        for number, _ in self._poll.poll(wait_s):
            sock, talk = self._open[number]
            try:
                data = sock.recv(65536)
                if data:
                    said, done = talk.heard(data)
                    self.served += done
                    sock.send(said)
            except OSError:
                data = b""
            if not data:
                self.ended += 1
                self._forget(number)

    def _forget(self, number: int) -> None:
        _reset(self._open.pop(number)[0])


def _reset(sock: socket.socket) -> None:
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER)
    sock.close()


def main() -> None:
    """Answer every line of the standard input."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    for line in sys.stdin:
        port, kind, seconds = line.split()
        print(*Flood(int(port), KINDS[kind]).run(float(seconds)), flush=True)


if __name__ == "__main__":
    main()
