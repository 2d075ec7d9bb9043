"""The load: one epoll loop that drives many pairs, each client moving as soon as it is asked to, or at a given rate.

Written for little CPU a move, so that the server's core is what is measured.
"""

from __future__ import annotations

import select
import socket
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Final

from bench.pairs import RECEIVE, Pair, Stuck

ANSWER_S: Final = 30.0
"""Seconds without any answer after which a run is given up."""

LOOK_S: Final = 0.2
"""Seconds between two looks at the time while nothing is received."""

Progress = Callable[[float], None]
"""Told the share of the work that is done, 0 to 1."""


@dataclass(slots=True)
class Count:
    """The result of a run: moves, seconds, and for each move the seconds from sending to the other's receipt."""

    moves: int = 0
    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)

    def add(self, other: Count) -> None:
        """Count what another run brought as well."""
        self.moves += other.moves
        self.seconds += other.seconds
        self.latencies += other.latencies

    @property
    def rate(self) -> float:
        """Moves per second."""
        return self.moves / self.seconds if self.seconds else 0.0

    def percentile(self, share: float) -> float:
        """The latency in seconds that ``share`` (0 to 1) of the moves stayed below; 0.0 without moves."""
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


class Load:
    """Drives ``pairs`` until ``run`` is over. ``interval_s`` 0.0: every client moves at once when it is asked to."""

    def __init__(self, pairs: Sequence[Pair], interval_s: float = 0.0) -> None:
        self._pairs = pairs
        self._interval_s = interval_s
        self._poll = select.epoll()
        self._clients: dict[int, tuple[Pair, int, socket.socket]] = {}
        self._unseated = deque(pairs)
        self._ready: list[tuple[Pair, int]] = []
        self._due: list[tuple[float, int, Pair, int]] = []
        self._count = Count()
        self._running = False
        self._heard = self._begun = 0.0

    def connect(self, progress: Progress) -> None:
        """Seat every pair; returns when each has been asked for its first move. Stuck as by ``run``."""
        self._heard = time.perf_counter()
        self._dial_next()
        while len(self._ready) < len(self._pairs):
            self._step()
            progress(len(self._ready) / len(self._pairs))

    def run(self, seconds: float, progress: Progress) -> Count:
        """Let them play for so long, or go on playing. Stuck when the server refuses a move or falls silent."""
        self._heard = self._begun = begun = time.perf_counter()
        self._running = True
        self._count = Count()
        for number, (pair, client) in enumerate(self._ready):
            self._asked(pair, client, begun + self._interval_s * number / len(self._ready))
        self._ready = []
        while (now := time.perf_counter()) < begun + seconds:
            self._step()
            self._send_due(now)
            progress((now - begun) / seconds)
        self._count.seconds = time.perf_counter() - begun
        return self._count

    def close(self) -> None:
        """Hang up everywhere."""
        for pair in self._pairs:
            pair.close()
        self._poll.close()

    def _step(self) -> None:
        wait_s = LOOK_S if self._interval_s else 0.0  # at full speed it never sleeps: waking it would cost the server
        if self._due:
            wait_s = min(wait_s, max(0.0, self._due[0][0] - time.perf_counter()))
        found = self._poll.poll(wait_s)
        if not found and time.perf_counter() - self._heard > ANSWER_S:
            raise Stuck(f"no answer within {ANSWER_S:g} s")
        for number, _ in found:
            if number in self._clients:
                self._receive(*self._clients[number])

    def _receive(self, pair: Pair, client: int, sock: socket.socket) -> None:
        try:
            received = sock.recv(RECEIVE)
        except BlockingIOError:
            return  # its number was another client's a moment ago
        self._heard = now = time.perf_counter()
        if not received:
            raise Stuck("the server hung up")
        newest = self._unseated and pair is self._unseated[0] and client == len(pair.clients) - 1
        if newest and pair.seated(received):
            self._dial_next()
        turn = pair.turn(client, received)
        if turn and client != pair.mover and pair.sent > self._begun:
            self._count.latencies.append(now - pair.sent)
        if turn is None:
            self._again(pair)
        elif turn and self._running:
            self._asked(pair, client, now)
        elif turn:
            self._ready.append((pair, client))

    def _asked(self, pair: Pair, client: int, now: float) -> None:
        if self._interval_s:
            due = max(now, pair.sent + self._interval_s if pair.sent else now)
            heappush(self._due, (due, id(pair), pair, client))
        else:
            self._move(pair, client)

    def _send_due(self, now: float) -> None:
        while self._due and self._due[0][0] <= now:
            _, _, pair, client = heappop(self._due)
            self._move(pair, client)

    def _move(self, pair: Pair, client: int) -> None:
        pair.mover = client
        pair.sent = time.perf_counter()
        pair.clients[client].send(pair.move())
        self._count.moves += 1

    def _again(self, pair: Pair) -> None:
        """The game is over: once both have been told, the pair sits down to another."""
        for sock in pair.clients:
            if self._clients.pop(sock.fileno(), None):
                self._poll.unregister(sock)
        pair.close()
        pair.sent = 0.0
        self._unseated.append(pair)
        if len(self._unseated) == 1:
            self._dial_next()

    def _dial_next(self) -> None:
        """Dial one client at a time, so that the two of a pair meet: the next one once this one has a seat."""
        if len(self._unseated[0].clients) == 2:
            self._unseated.popleft()
        if not self._unseated:
            return
        pair = self._unseated[0]
        sock = pair.dial()
        self._clients[sock.fileno()] = (pair, len(pair.clients) - 1, sock)
        self._poll.register(sock, select.EPOLLIN)
