"""Measures newcomers: what each costs the server who comes with so many others at once, until all of them play."""

from __future__ import annotations

import contextlib
import errno
import select
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bench import process
from bench.audience import allow_many_files
from bench.guests import GUESTS, Guest
from bench.load import LOOK_S, Progress
from bench.pairs import RECEIVE

COUNTED: Final = 200
"""Newcomers that are enough for a figure: small crowds come one after another until there were so many."""

WARM: Final = 10
"""The first crowd of a server, which is not counted: what is made once is not the price of a newcomer."""

SILENT_S: Final = 20.0
"""Seconds in which no newcomer's game begins, after which the rest count as without one: longer than a connection may
wait to be let in."""

WHOLE_S: Final = 120.0
"""Seconds after which a crowd is given up, however many games begin."""


@dataclass(slots=True)
class Entered:
    """Crowds of one size: their newcomers, how many of them got a game, and how many the server hung up on.

    ``seconds`` is how long each crowd took, one after another; ``processor_s`` the server's processor time meanwhile.
    """

    crowd: int
    newcomers: int = 0
    playing: int = 0
    refused: int = 0
    seconds: list[float] = field(default_factory=list)
    processor_s: float = 0.0

    @property
    def each_us(self) -> float:
        """Microseconds of the server's processor for each who got a game."""
        return 1e6 * self.processor_s / self.playing if self.playing else 0.0


def entered(crowds: Sequence[int], progress: Progress) -> Mapping[type[Guest], Sequence[Entered]]:
    """For each dialect crowds of these sizes, the smallest first, on a server of the dialect's own."""
    allow_many_files()
    sizes, found = sorted(set(crowds)), dict[type[Guest], Sequence[Entered]]()
    for done, kind in enumerate(GUESTS):
        quiet = {"BOARDGATE_LOG_LEVEL": "error"}  # it stops while thousands sit, and each would be a line
        listener = process.boardgate(kind.carrier or kind.dialect, kind.listener, **quiet)
        with listener as server, contextlib.closing(_Hall(server, kind)) as hall:
            hall.enter(Entered(WARM))
            rows = [Entered(size) for size in sizes]
            for number, row in enumerate(rows):
                _crowds(hall, row)
                progress((done + (number + 1) / len(rows)) / len(GUESTS))
        found[kind] = rows
    return found


def _crowds(hall: _Hall, row: Entered) -> None:
    """One crowd after another, each beside those that play already. None follows one that was not seated whole."""
    for _ in range(max(1, COUNTED // row.crowd)):
        hall.enter(row)
        if row.playing < row.newcomers:
            break


class _Hall:
    """The clients of one server. Who plays stays connected and silent, who does not is gone before others come."""

    def __init__(self, server: process.Server, kind: type[Guest]) -> None:
        self._server = server
        self._kind = kind
        self._poll = select.epoll()
        self._waiting: dict[int, tuple[socket.socket, Guest]] = {}
        self._playing: list[socket.socket] = []

    def enter(self, row: Entered) -> None:
        """A crowd comes at once; returns when all play, or when nothing happens any more."""
        before, begun = self._server.processor_s(), time.perf_counter()
        already, heard = len(self._playing), begun
        for number in range(row.crowd):
            self._dial(self._kind(number))
        while self._waiting and (now := time.perf_counter()) < min(heard + SILENT_S, begun + WHOLE_S):
            if self._look(row):
                heard = now
        row.seconds.append(time.perf_counter() - begun)
        row.processor_s += self._server.processor_s() - before
        row.newcomers += row.crowd
        row.playing += len(self._playing) - already
        for sock, _ in list(self._waiting.values()):
            self._forget(sock)
            sock.close()

    def close(self) -> None:
        """Hang up everywhere."""
        for sock in [*self._playing, *(sock for sock, _ in self._waiting.values())]:
            sock.close()
        self._poll.close()

    def _dial(self, guest: Guest) -> None:
        sock = socket.socket()
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if (code := sock.connect_ex(self._server.address)) not in (0, errno.EINPROGRESS):
            sock.close()
            raise OSError(code, "no connection")
        self._waiting[sock.fileno()] = sock, guest
        self._poll.register(sock, select.EPOLLOUT)

    def _look(self, row: Entered) -> int:
        """Hear and answer; the number of games that have begun for one of them, or that never will."""
        done = 0
        for number, events in self._poll.poll(LOOK_S):
            sock, guest = self._waiting[number]
            try:
                if events & select.EPOLLOUT:
                    sock.send(guest.first())
                    self._poll.modify(sock, select.EPOLLIN)
                    continue
                received = sock.recv(RECEIVE)
                answer = guest.answer(received) if received else b""
                sock.send(answer)
            except OSError:
                received = b""
            if guest.plays or not received:
                done += 1
                self._forget(sock)
                self._settle(sock, guest, row)
        return done

    def _settle(self, sock: socket.socket, guest: Guest, row: Entered) -> None:
        """The newcomer plays, or the server has hung up on it."""
        if guest.plays:
            self._playing.append(sock)
        else:
            row.refused += 1
            sock.close()

    def _forget(self, sock: socket.socket) -> None:
        self._poll.unregister(sock)
        del self._waiting[sock.fileno()]
