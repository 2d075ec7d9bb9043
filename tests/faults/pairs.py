"""Pairs of clients play checkers as fast as they can, and remember every move they were told.

One loop drives all of them, so that the server can end at any instant. A pair plays one game after another; each game
is kept with what both were told of it.
"""

from __future__ import annotations

import contextlib
import random
import selectors
import time
from dataclasses import dataclass, field
from typing import Final

from gateway import registry
from protocols.core.model import Move
from tests.faults.guests import PATIENCE_S, Guest

GAME: Final = registry.game("checkers")

STOPPING: Final = (1, "server overload, try again later")
"""Bogaprot's answer to a handshake while the server ends."""

FIRST_TIME: Final = 100_000
"""Seconds of the first game's time control; each game has one of its own, so that its two players meet nobody else."""


class HungUp(Exception):
    """The server has ended a connection, or lets no new client in, because it ends."""


@dataclass(slots=True)
class Told:
    """One game: its number is its own, ``moves`` are those each of the two seats was told, in order."""

    number: int
    moves: tuple[list[Move], list[Move]] = field(default_factory=lambda: ([], []))
    over: bool = False

    def engine(self, seat: int) -> str:
        """What the player of ``seat`` asks for, and comes back with."""
        return f"checkers?time={FIRST_TIME + self.number}#the-ticket-of-player-{self.number}-{seat}"


class Pair:
    """Two clients of one table; HungUp when they find the server ending."""

    def __init__(self, port: int, told: Told, chance: random.Random) -> None:
        self.told = told
        self._chance = chance
        self._position = GAME.start(GAME.settings())
        self.guests: list[Guest] = []
        try:
            for seat in (0, 1):
                self.guests.append(Guest(port))
                self._sit(seat)
            assert self.guests[0].hear("REQ_MOVE") == (0,)
        except BaseException as error:
            self.close()
            if isinstance(error, (EOFError, ConnectionError)):
                raise HungUp from error
            raise
        for guest in self.guests:
            guest.sock.setblocking(False)
        self._move()

    def _sit(self, seat: int) -> None:
        if (answer := self.guests[seat].asks(self.told.engine(seat))) == STOPPING:
            raise HungUp
        assert answer == (0,), answer
        assert self.guests[seat].seated() == seat

    def read(self, seat: int) -> bool:
        """Take what has come for ``seat``, and move if it asks for that; False when the server has hung up."""
        guest = self.guests[seat]
        try:
            data = guest.sock.recv(65536)
        except BlockingIOError:
            return True
        except ConnectionError:
            return False
        if not data:
            return False
        for name, values in guest.wire.receive_data(data):
            if name == "MSG_MOVE" and min(int(values[0]), int(values[1])) >= 0:
                self._moved(seat, Move(int(values[0]), int(values[1])))
            elif name == "REQ_MOVE" and values == (seat,) and len(self.told.moves[seat]):
                self._move()
            elif name == "MSG_GAMEOVER":
                self.told.over = True
        return True

    def close(self) -> None:
        for guest in self.guests:
            guest.sock.close()

    def _moved(self, seat: int, move: Move) -> None:
        self.told.moves[seat].append(move)
        if len(self.told.moves[seat]) > len(self.told.moves[1 - seat]):
            self._position = GAME.play(self._position, move)

    def _move(self) -> None:
        turn, moves = GAME.to_move(self._position), GAME.legal_moves(self._position)
        if isinstance(turn, int) and moves:
            move = self._chance.choice(moves)
            assert move.source is not None
            assert move.target is not None
            with contextlib.suppress(ConnectionError):
                self.guests[turn].say("MSG_MOVE", move.source, move.target)


class Load:
    """So many pairs, on one port; ``games`` is every game they began. Leaving its context closes all connections."""

    def __init__(self, port: int, pairs: int, first: int, chance: random.Random) -> None:
        self._port = port
        self._count = pairs
        self._chance = chance
        self._first = first
        self._selector = selectors.DefaultSelector()
        self._pairs: list[Pair] = []
        self.games: list[Told] = []

    def __enter__(self) -> Load:
        return self

    def __exit__(self, *_: object) -> None:
        for pair in self._pairs:
            pair.close()
        self._selector.close()

    def told(self) -> int:
        """How many moves the players were told."""
        return sum(len(moves) for told in self.games for moves in told.moves)

    def play(self, seconds: float, least: int = 0) -> None:
        """Let them play for so long, and until they were told ``least`` moves. HungUp when the server ends."""
        self._begin()
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 or self.told() < least:
            assert left > -PATIENCE_S, f"{self.told()} moves, not {least}"
            for key, _ in self._selector.select(left if left > 0 else 1.0):
                pair, seat = key.data
                if not pair.read(seat):
                    raise HungUp
            for pair in [pair for pair in self._pairs if pair.told.over]:
                self._end(pair)
            self._begin()

    def drain(self) -> None:
        """Take what the server had sent before it ended, to the last byte."""
        for pair in list(self._pairs):
            for seat, guest in enumerate(pair.guests):
                guest.sock.settimeout(PATIENCE_S)
                while pair.read(seat):
                    pass
            self._end(pair)

    def _begin(self) -> None:
        while len(self._pairs) < self._count:
            pair = Pair(self._port, Told(self._first + len(self.games)), self._chance)
            self.games.append(pair.told)
            self._pairs.append(pair)
            for seat, guest in enumerate(pair.guests):
                self._selector.register(guest.sock, selectors.EVENT_READ, (pair, seat))

    def _end(self, pair: Pair) -> None:
        for guest in pair.guests:
            self._selector.unregister(guest.sock)
        self._pairs.remove(pair)
        pair.close()
