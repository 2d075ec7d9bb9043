"""Clients speak Bogaprot over real sockets; a witness table must play on undisturbed."""

from __future__ import annotations

import contextlib
import random
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from gateway import registry
from protocols.bogaprot.messages import BOGAPROT, TRY_LATER
from protocols.core.model import Move, SeatKind
from protocols.core.opcode_codec import Wire, codec
from protocols.core.opcodes import Message, Value
from tests.running import RunningServer

PATIENCE_S: Final = 20.0
"""Seconds a client waits for a message: far beyond anything a loaded machine needs."""

HICCUP_S: Final = 3.0
"""Seconds that a move of an undisturbed table takes at most, on a machine that does other things, too."""

PAUSE_S: Final = 0.02
"""Seconds between its moves, so that it is a witness and not the load."""

GAME: Final = "tic_tac_toe"
LONG_WORD: Final = "n" * 1000
"""No word of a move; the answer repeats it, so that a client who reads nothing is soon told more than fits."""

SEND_BUFFER: Final = Path("/proc/sys/net/ipv4/tcp_wmem")
"""Where Linux says how large a socket's send buffer may grow, in bytes: the third number."""

FLOOD: Final = 2 * (int(SEND_BUFFER.read_text().split()[2]) if SEND_BUFFER.exists() else 4 << 20) // len(LONG_WORD)
"""So many answers of that length are more than the system keeps for a client who does not read."""

DEFECTS: Final = ("Traceback", "failed", "never retrieved")
"""What stands in the log when something is wrong with the server, and not with a client."""

TICKET: Final = "a-ticket-that-anna-has-brought"


class Guest:
    """A client on a socket. ``rest`` and ``hear`` raise TimeoutError after PATIENCE_S, EOFError when it is hung up."""

    HOST: str = "127.0.0.1"
    """Where it connects from."""
    SERVER: str = "127.0.0.1"
    """Where to."""

    def __init__(self, port: int, receive_buffer: int = 0) -> None:
        self.sock = socket.socket()
        self.sock.bind((self.HOST, 0))
        if receive_buffer:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.sock.settimeout(PATIENCE_S)
        try:
            self.sock.connect((self.SERVER, port))
        except OSError:
            self.sock.close()
            raise
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.wire = Wire(codec(BOGAPROT), "client")
        self._heard: deque[Message] = deque()

    def __enter__(self) -> Guest:
        return self

    def __exit__(self, *_: object) -> None:
        self.sock.close()

    def say(self, name: str, *values: Value) -> None:
        self.sock.sendall(self.wire.build(name, *values))

    def next(self) -> Message:
        while not self._heard:
            data = self.sock.recv(65536)
            if not data:
                raise EOFError
            self._heard.extend(self.wire.receive_data(data))
        return self._heard.popleft()

    def hear(self, name: str) -> tuple[Value, ...]:
        """The values of the next message of this name; others before it are dropped."""
        while (message := self.next()).name != name:
            pass
        return message.values

    def asks(self, engine: str) -> tuple[Value, ...]:
        """Send a handshake; what the answer says."""
        self.say("REQ_HANDSHAKE", engine, 1)
        return self.hear("RSP_HANDSHAKE")

    def joins(self, engine: str) -> int:
        """Take a seat, again where the server asks for that; its number."""
        ends = time.monotonic() + PATIENCE_S
        while (answer := self.asks(engine)) == (1, TRY_LATER) and time.monotonic() < ends:
            time.sleep(0.1)
        assert answer == (0,), answer
        return self.seated()

    def seated(self) -> int:
        (seat,) = self.hear("MSG_SEAT")
        assert isinstance(seat, int)
        return seat

    def puts(self, square: int) -> tuple[Value, ...]:
        """Place a piece; what the answer says."""
        self.say("MSG_MOVE", -1, square, "")
        return self.hear("RSP_MOVE")

    def hears_lost(self, seat: int) -> None:
        """Wait to be told that the other holder's connection was lost, at a table where every seat has a name."""
        while self.hear("MSG_PLAYERS")[1 + 2 * seat] != SeatKind.RESERVED:
            pass

    def hung_up_after_s(self) -> float:
        """Seconds until the server closes; what it says until then is dropped."""
        begun = time.monotonic()
        with contextlib.suppress(ConnectionError):
            while self.sock.recv(65536):
                pass
        return time.monotonic() - begun

    def resets(self) -> None:
        """Close so that the other end sees a reset and not an end."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()

    def floods(self, seconds: float, enough: int = 1 << 40) -> int:
        """Ask nonsense without reading any answer, until it is hung up on; how many times at least."""
        nonsense = self.wire.build("MSG_MOVE", -1, -1, LONG_WORD)
        self.sock.settimeout(0.2)
        begun, count = time.monotonic(), 0
        with contextlib.suppress(ConnectionError):
            while count < enough and time.monotonic() < begun + seconds:
                with contextlib.suppress(TimeoutError):
                    self.sock.sendall(nonsense)
                    count += 1
        self.sock.settimeout(PATIENCE_S)
        return count


class Brittle(Guest):
    """A client that takes a short read for an error: whatever one read brings must be whole messages."""

    HOST = "127.0.0.7"

    def next(self) -> Message:
        if not self._heard:
            data = self.sock.recv(65536)
            if not data:
                raise EOFError
            read = self.wire.codec.read(data, "server")
            assert (read.used, read.error) == (len(data), ""), data.hex(" ")
            self._heard.extend(read.messages)
        return self._heard.popleft()


@contextlib.contextmanager
def seated(port: int, *engines: str) -> Iterator[list[Guest]]:
    """Guests at one table, in the order of their seats."""
    with contextlib.ExitStack() as stack:
        guests = []
        for seat, engine in enumerate(engines):
            guests.append(stack.enter_context(Guest(port)))
            assert guests[-1].joins(engine) == seat
        yield guests


class Witness:
    """Two clients who play one game of checkers after another; ``longest_s`` is what a move took to reach both."""

    ENGINE: Final = "checkers?time=77777"
    """Nobody else asks for this, so nobody else comes to their tables."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._chance = random.Random(1)
        self._enough = threading.Event()
        self._begun = threading.Event()
        self._game = registry.game("checkers")
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.moves = 0
        self.longest_s = 0.0
        self.failure: BaseException | None = None

    def start(self) -> None:
        self._thread.start()
        assert self._begun.wait(PATIENCE_S), f"no first move: {self.failure!r}"

    def stop(self) -> None:
        self._enough.set()
        self._thread.join(PATIENCE_S)

    def _run(self) -> None:
        try:
            while not self._enough.is_set():
                with seated(self._port, self.ENGINE, self.ENGINE) as guests:
                    self._play(guests)
        except BaseException as failure:
            self.failure = failure

    def _play(self, guests: list[Guest]) -> None:
        position = self._game.start(self._game.settings())
        while not self._enough.wait(PAUSE_S) and (moves := self._game.legal_moves(position)):
            turn = self._game.to_move(position)
            assert isinstance(turn, int)
            move = self._chance.choice(moves)
            self._move(guests, turn, move)
            position = self._game.play(position, move)

    def _move(self, guests: list[Guest], turn: int, move: Move) -> None:
        assert move.source is not None
        assert move.target is not None
        begun = time.monotonic()
        guests[turn].say("MSG_MOVE", move.source, move.target)
        assert guests[turn].hear("RSP_MOVE") == (0,)
        for guest in guests:
            while guest.hear("MSG_MOVE") != (move.source, move.target):
                pass  # a piece that the move before captured
        self.longest_s = max(self.longest_s, time.monotonic() - begun)
        self.moves += 1
        self._begun.set()


@contextlib.contextmanager
def undisturbed(server: RunningServer, place: int = 0) -> Iterator[Witness]:
    """A table that plays on while the block does what it does; it fails if that table notices anything.

    ``place`` is the server's listener with a handshake. The server's log must show no defect either.
    """
    witness = Witness(server.ports[place])
    witness.start()
    before = witness.moves
    yield witness
    during = witness.moves - before
    target, patience = witness.moves + 3, time.monotonic() + PATIENCE_S
    while witness.moves < target and witness.failure is None and time.monotonic() < patience:
        time.sleep(PAUSE_S)
    witness.stop()
    assert witness.failure is None, repr(witness.failure)
    assert witness.moves >= target, f"no move after the fault; {during} while it lasted"
    assert witness.longest_s < HICCUP_S
    assert sound(server)


def sound(server: RunningServer) -> bool:
    """Whether the server lives and its log tells of no defect."""
    log = server.log.read_text()
    assert server.process.poll() is None, log[-2000:]
    found = [line for line in log.splitlines() if any(word in line for word in DEFECTS)]
    assert found == []
    return True
