"""A process with one table and everybody who looks on at it: it plays when told to, and says when the last was told.

Run as ``python -m bench.audience web|bare PORT OBSERVERS``. It answers "ready" when all are there, and each
line of its input, seconds and the seconds between two moves, by a line of JSON (``Told``). Of the observers only some
witnesses are waited for; the others are read a few at a time afterwards, for they stand for as many machines of their
own and must not keep this one busy.
"""

from __future__ import annotations

import select
import socket
import sys
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Final

import msgspec

from bench import scripts
from bench.pairs import DIAL_S, RECEIVE, Stuck
from bench.web_pair import WebPair, observer

WITNESSES: Final = 8
"""Observers that are waited for, the last one told among them."""

SLICE: Final = 20
"""Observers that are read between two looks at the time."""

SLICE_S: Final = 0.001
"""Seconds between two slices."""

LATE_S: Final = 30.0
"""Seconds within which the last one is told, or the run is given up."""


@dataclass(slots=True)
class Told:
    """``size`` is the bytes that an observer got for a move; ``last_s`` from each move until the last one was told."""

    moves: int = 0
    size: int = 0
    last_s: list[float] = field(default_factory=list)


class Speaker(ABC):
    """One way to cause the sends that are measured."""

    @abstractmethod
    def join(self) -> socket.socket:
        """One more observer, who does not block."""

    @abstractmethod
    def sockets(self) -> list[socket.socket]:
        """The connections of the players."""

    @abstractmethod
    def heard(self, client: int, received: bytes) -> None:
        """Takes bytes that one of these connections received."""

    @abstractmethod
    def speak(self) -> bool:
        """Move; False, and nothing was done, while it is nobody's turn."""

    @abstractmethod
    def begin(self) -> None:
        """Come to where a move can be made."""


class WebGame(Speaker):
    """Two browsers at chess, and observers in browsers."""

    def __init__(self, port: int) -> None:
        self._pair = WebPair(("127.0.0.1", port), WebPair.script(scripts.games(WebPair.game)), 0)
        self._ready: int | None = None

    def begin(self) -> None:
        for number in range(2):
            client = self._pair.dial()
            said = b""
            while not self._pair.seated(said) or (number == 1 and b'"type":"turn"' not in said):
                _readable(client)
                said += client.recv(RECEIVE)
        first = self._pair.clients[0]
        while self._ready is None:
            _readable(first)
            self.heard(0, first.recv(RECEIVE))

    def join(self) -> socket.socket:
        return observer(self._pair.address, self._pair.table)

    def sockets(self) -> list[socket.socket]:
        return self._pair.clients

    def heard(self, client: int, received: bytes) -> None:
        if self._pair.turn(client, received):
            self._ready = client

    def speak(self) -> bool:
        if self._ready is None:
            return False
        client, self._ready = self._ready, None
        self._pair.clients[client].send(self._pair.move())
        return True


class Bare(Speaker):
    """The yardstick: what is asked for is sent to all, and nothing else is done."""

    def __init__(self, port: int, size: int) -> None:
        self._address = "127.0.0.1", port
        self._speaker = socket.create_connection(self._address, DIAL_S)
        self._order = b"%d\n" % size
        _readable(self._speaker)
        self._speaker.recv(1)  # it is the first
        self._speaker.setblocking(False)

    def begin(self) -> None:
        """The speaker may speak at any time."""

    def join(self) -> socket.socket:
        client = socket.create_connection(self._address, DIAL_S)
        client.recv(1)
        client.setblocking(False)
        return client

    def sockets(self) -> list[socket.socket]:
        return [self._speaker]

    def heard(self, client: int, received: bytes) -> None:
        """The speaker is told nothing."""

    def speak(self) -> bool:
        self._speaker.send(self._order)
        return True


def _readable(sock: socket.socket) -> None:
    """Wait until there is something to read. Stuck."""
    if not select.select([sock], [], [], LATE_S)[0]:
        raise Stuck(f"no answer within {LATE_S:g} s")


class Audience:
    """Observers of ``speaker``'s table."""

    def __init__(self, speaker: Speaker, observers: int) -> None:
        self._speaker = speaker
        speaker.begin()
        self._observers = [speaker.join() for _ in range(observers)]
        every = max(1, observers // WITNESSES)
        self._witnesses = {sock.fileno(): sock for sock in self._observers[::-1][::every]}
        self._last = self._observers[-1].fileno()
        self._others = [sock for sock in self._observers if sock.fileno() not in self._witnesses]
        self._players = {sock.fileno(): number for number, sock in enumerate(speaker.sockets())}
        self._poll = select.epoll()
        for number in (*self._witnesses, *self._players):
            self._poll.register(number, select.EPOLLIN)

    def play(self, seconds: float, interval_s: float) -> Told:
        """A move in each interval. Stuck."""
        told = Told()
        begun = due = time.perf_counter()
        while due < begun + seconds:
            self._look(max(0.0, due - time.perf_counter()), {}, told)
            if time.perf_counter() < due:
                continue
            due += interval_s
            sent = time.perf_counter()
            if not self._speaker.speak():
                continue
            told.moves += 1
            waiting = dict(self._witnesses)
            while waiting:
                self._look(LATE_S, waiting, told)
                if time.perf_counter() > sent + LATE_S:
                    raise Stuck(f"{len(waiting)} observers were not told")
            told.last_s.append(time.perf_counter() - sent)
            self._drain()
        return told

    def _look(self, wait_s: float, waiting: dict[int, socket.socket], told: Told) -> None:
        """Read what has come; who has been told is not waited for any more."""
        for number, _ in self._poll.poll(wait_s):
            if number in self._players:
                player = self._players[number]
                self._speaker.heard(player, self._speaker.sockets()[player].recv(RECEIVE))
                continue
            received = self._witnesses[number].recv(RECEIVE)
            if not received:
                raise Stuck("an observer was hung up on")
            told.size += len(received) if number == self._last else 0
            waiting.pop(number, None)

    def _drain(self) -> None:
        for at in range(0, len(self._others), SLICE):
            for sock in self._others[at : at + SLICE]:
                if not sock.recv(RECEIVE):
                    raise Stuck("an observer was hung up on")
            time.sleep(SLICE_S)


def allow_many_files() -> None:
    """Each observer is a file descriptor."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def main(kind: str, port: str, observers: str, size: str = "0") -> None:
    """Answer every line of the standard input."""
    allow_many_files()
    speaker = WebGame(int(port)) if kind == "web" else Bare(int(port), int(size))
    audience = Audience(speaker, int(observers))
    print("ready", flush=True)
    for line in sys.stdin:
        seconds, interval_s = map(float, line.split())
        print(msgspec.json.encode(audience.play(seconds, interval_s)).decode(), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
