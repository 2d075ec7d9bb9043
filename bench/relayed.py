"""Measures a relayed pair beside a bare trio splice and socat in one run: bytes a second, time of an answer.

And the memory of idle pairs. The load's own work is kept small, so that the relay's core is what is measured: the
sender hands the system pages of a file, the receiver has what comes thrown away. Linux only.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final

from bench import process
from bench.free_port import free_port
from bench.load import Progress
from bench.measure import WARM_S, Idle
from bench.pairs import DIAL_S, Stuck

PAGE: Final = 1 << 20
"""Bytes that are sent again and again."""

THROW: Final = 1 << 20
"""Bytes thrown away at once."""

TURNS: Final = 5
"""Each is measured so many times, in turn with the others, and the median counts: machines have other work, too."""

WARM_UP_S: Final = 0.2
"""Seconds of sending before bytes are counted: the system's buffers grow meanwhile."""

ANSWERS: Final = 200
"""Round trips before the clock is looked at."""

Ends = tuple[socket.socket, socket.socket]
Joined = Callable[[], Ends]
"""A new pair of sockets, joined by what is measured."""


@dataclass(frozen=True, slots=True)
class Speed:
    """The speed of one way to join two: bytes a second one way, and the median round trip of a byte in seconds."""

    name: str
    bytes_per_second: float
    round_trip_s: float


def speeds(seconds: float, progress: Progress) -> list[Speed]:
    """Boardgate's relay, a bare trio splice, socat where it is installed; last, nothing between the two."""
    ways = {"boardgate": _boardgate, "bare trio splice": _splice, "socat": _socat, "direct": _direct}
    if not shutil.which("socat"):
        del ways["socat"]
    with ExitStack() as stack:
        joined = {name: stack.enter_context(way()) for name, way in ways.items()}
        rates: dict[str, list[float]] = {name: [] for name in ways}
        times: dict[str, list[float]] = {name: [] for name in ways}
        for turn in range(TURNS):
            for done, (name, pair) in enumerate(joined.items()):
                progress((turn + done / len(ways)) / TURNS)
                rates[name].append(_throughput(pair(), seconds / TURNS))
                times[name].append(_round_trip(pair(), seconds / TURNS / 4))
    return [Speed(name, statistics.median(rates[name]), statistics.median(times[name])) for name in ways]


def idle(pairs: int, progress: Progress) -> Idle:
    """Memory of so many joined pairs, their one-time ports used up, and then left alone. Counted by the pair."""
    with process.serving("http=127.0.0.1:0", "relay=127.0.0.1:0") as (web, _), ExitStack() as open_ends:
        with _api(web) as open_pair:
            open_ends.callback(_close, open_pair())
            time.sleep(WARM_S)
            before = web.memory_bytes()
            for number in range(pairs):
                progress(number / pairs)
                open_ends.callback(_close, open_pair())
        time.sleep(WARM_S)  # what was freed while they came goes back to the system, if it does
        return Idle(pairs, (web.memory_bytes() - before) / pairs)


@contextmanager
def _boardgate() -> Iterator[Joined]:
    with process.serving("http=127.0.0.1:0", "relay=127.0.0.1:0") as (web, _), _api(web) as open_pair:
        yield open_pair


@contextmanager
def _api(web: process.Server) -> Iterator[Joined]:
    """Pairs by the one-time ports that the API gives."""
    api = http.client.HTTPConnection(*web.address, timeout=DIAL_S)

    def open_pair() -> Ends:
        api.request("POST", "/api/relays")
        answer = json.load(api.getresponse())
        if "port" not in answer:
            raise Stuck(f"the relay refused: {answer}")
        return _greeted(_dial(answer["port"]), _dial(answer["port"]))

    try:
        yield open_pair
    finally:
        api.close()


@contextmanager
def _splice() -> Iterator[Joined]:
    with process.bare("splice") as server:
        yield lambda: _greeted(_dial(server.address[1]), _dial(server.address[1]))


@contextmanager
def _socat() -> Iterator[Joined]:
    """A process for each pair, its buffer as it comes: socat dials the second itself."""
    with ExitStack() as stack:

        def joined() -> Ends:
            target = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            port = free_port()
            command = ["socat", "-lf", os.devnull, f"TCP-LISTEN:{port},bind=127.0.0.1,reuseaddr,nodelay"]
            stack.enter_context(process.running([*command, f"TCP:127.0.0.1:{target.getsockname()[1]},nodelay"]))
            first = _dial(port)
            target.settimeout(DIAL_S)
            return _greeted(first, target.accept()[0])

        yield joined


@contextmanager
def _direct() -> Iterator[Joined]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield lambda: _greeted(_dial(server.getsockname()[1]), server.accept()[0])


def _dial(port: int) -> socket.socket:
    """Connected; what has only just been started may need a moment to listen."""
    until = time.monotonic() + DIAL_S
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=DIAL_S)
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def _greeted(first: socket.socket, second: socket.socket) -> Ends:
    """The pair, once a byte has gone each way."""
    for sender, receiver in ((first, second), (second, first)):
        sender.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sender.settimeout(DIAL_S)
        sender.sendall(b"?")
        if receiver.recv(1) != b"?":
            raise Stuck("the pair is not joined")
    return first, second


def _throughput(pair: Ends, seconds: float) -> float:
    """Bytes a second from the first to the second, after a warm-up."""
    first, second = pair
    first.settimeout(None)
    sender = threading.Thread(target=_send, args=(first,), daemon=True)
    sender.start()
    try:
        _throw_away(second, WARM_UP_S)
        begun = time.perf_counter()
        count = _throw_away(second, seconds)
        return count / (time.perf_counter() - begun)
    finally:
        first.shutdown(socket.SHUT_RDWR)
        sender.join()
        _close(pair)


def _send(sock: socket.socket) -> None:
    """Send until the connection is closed."""
    with open(os.memfd_create("page"), "r+b") as page:
        page.write(bytes(PAGE))
        page.flush()
        try:
            while True:
                os.sendfile(sock.fileno(), page.fileno(), 0, PAGE)
        except OSError:
            return


def _throw_away(sock: socket.socket, seconds: float) -> int:
    """Receive for so long; MSG_TRUNC lets the system drop what has come instead of copying it."""
    room, count = bytearray(THROW), 0
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        received = sock.recv_into(room, THROW, socket.MSG_TRUNC)
        if not received:
            raise Stuck("the pair was parted")
        count += received
    return count


def _round_trip(pair: Ends, seconds: float) -> float:
    """The median time in seconds that a byte takes to the other end and back."""
    first, second = pair
    times: list[float] = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        for _ in range(ANSWERS):
            begun = time.perf_counter()
            first.sendall(b"?")
            second.sendall(second.recv(1))
            first.recv(1)
            times.append(time.perf_counter() - begun)
    _close(pair)
    return statistics.median(times)


def _close(pair: Ends) -> None:
    for end in pair:
        end.close()
