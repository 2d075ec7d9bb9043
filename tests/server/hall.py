"""A house in the test's own process, and guests who come in by a pair of sockets and speak Bogaprot.

    async with hall(Config(limits=Limits(idle_s=60.0))) as here:
        anna = here.dial()
        await anna.joins("tic_tac_toe")

The record is in memory, so that a test's clock may jump, unless another one is given. Not here: listeners, processes.
"""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import trio

from gateway import registry
from gateway.config import Bots, Config, Limits, Listen, Seats, Server
from gateway.server.house import House, Thinker
from gateway.server.listen import Door, open_door
from gateway.server.peer import Serve, SocketPeer
from gateway.server.scribe import MakeLog, Scribe
from gateway.store.accounts import Accounts
from gateway.store.bans import Bans
from gateway.store.memory import MemoryLog
from gateway.table.bout import Bout
from gateway.table.state import State
from protocols.bogaprot_messages import BOGAPROT
from protocols.core.model import Move, SeatKind
from protocols.core.opcode_codec import Wire, codec
from protocols.core.opcodes import Message, Value

PATIENCE_S = 10_000.0
"""Seconds, which a jumping clock passes at once, until a guest gives up waiting for a message."""

LOOKS = 40_000
"""How often somebody looks in that time for something that no message tells of."""

HEARD = 200_000
"""Bytes a guest takes at most: no test is told more."""

ADDRESS = "192.0.2.1"


class RecordingPeer(SocketPeer):
    """A socket that remembers what each send carried, and how much the connection wanted to receive at once."""

    def __init__(self, sock: socket.socket) -> None:
        super().__init__(sock)
        self.sends: list[bytes] = []
        self.asked_for: set[int] = set()
        self.closed = False

    async def receive(self, most: int, serve: Serve) -> None:
        self.asked_for.add(most)
        await super().receive(most, serve)

    def send_now(self, data: bytes) -> int:
        taken = super().send_now(data)
        self.sends.append(bytes(data[:taken]))
        return taken

    def close(self) -> None:
        self.closed = True
        super().close()


class Guest:
    """A client: ``peer`` is the server's end of its connection."""

    def __init__(self, stream: trio.abc.Stream, peer: RecordingPeer | None, patience_s: float) -> None:
        self.stream = stream
        self._peer = peer
        self._patience_s = patience_s
        self.seat: int | None = None
        self.wire = Wire(codec(BOGAPROT), "client")
        self._heard: deque[Message] = deque()
        self._bytes = 0

    @property
    def peer(self) -> RecordingPeer:
        assert self._peer is not None
        return self._peer

    async def say(self, name: str, *values: Value) -> None:
        await self.stream.send_all(self.wire.build(name, *values))

    async def hear(self, name: str) -> tuple[Value, ...]:
        """The values of the next message of this name; others before it are dropped. Fails when the server closes."""
        while True:
            message = await self.next()
            assert message is not None, f"the server closed before it sent {name}"
            if message.name == name:
                return message.values

    async def next(self) -> Message | None:
        """The next message; None when the server has closed."""
        with trio.fail_after(self._patience_s):
            while not self._heard:
                data = await self._receive()
                if not data:
                    return None
                self._bytes += len(data)
                assert self._bytes < HEARD, "told more than any test expects"
                self._heard.extend(self.wire.receive_data(data))
        return self._heard.popleft()

    async def _receive(self) -> bytes:
        try:
            return bytes(await self.stream.receive_some(4096))
        except trio.BrokenResourceError:
            return b""

    async def rest(self) -> list[Message]:
        """Every message until the server closes."""
        found = []
        while (message := await self.next()) is not None:
            found.append(message)
        return found

    async def asks(self, engine: str) -> tuple[Value, ...]:
        """Send a handshake; what the answer says."""
        await self.say("REQ_HANDSHAKE", engine, 1)
        return await self.hear("RSP_HANDSHAKE")

    async def joins(self, engine: str) -> int:
        """Take a seat; its number."""
        assert await self.asks(engine) == (0,)
        return await self.seated()

    async def seated(self) -> int:
        (seat,) = await self.hear("MSG_SEAT")
        assert isinstance(seat, int)
        return seat

    async def puts(self, square: int) -> tuple[Value, ...]:
        """Place a piece once it is this guest's turn or not; what the answer says."""
        await self.say("MSG_MOVE", -1, square, "")
        return await self.hear("RSP_MOVE")

    async def hears_lost(self, seat: int) -> None:
        """Wait to be told that the holder of this seat has lost the connection; every other seat has a name, too."""
        while (await self.hear("MSG_PLAYERS"))[1 + 2 * seat] != SeatKind.RESERVED:
            pass

    async def leaves(self) -> None:
        await self.stream.aclose()


@dataclass(slots=True)
class Hall:
    """A running house; ``door`` is for the document's clients, ``legacy`` opens others."""

    house: House
    door: Door
    patience_s: float
    doors: list[Door] = field(default_factory=list)
    ends: list[socket.socket] = field(default_factory=list)

    def dial(self, address: str = ADDRESS, door: Door | None = None) -> Guest:
        """Somebody connects by a pair of sockets."""
        ours, theirs = socket.socketpair()
        self.ends.append(ours)
        peer = RecordingPeer(theirs)
        self.house.enter(door or self.door, peer, address)
        return Guest(trio.SocketStream(trio.socket.from_stdlib_socket(ours)), peer, self.patience_s)

    def another_door(self, **options: str) -> Door:
        """One more listener of the same dialect: ``game="checkers"`` is for clients without handshake."""
        self.doors.append(a_door(self.house, **options))
        return self.doors[-1]

    async def seat(self, engine: str, count: int = 2) -> list[Guest]:
        """So many guests at one table, in the order of their seats; the game has begun if that fills it."""
        guests = [self.dial() for _ in range(count)]
        for seat, guest in enumerate(guests):
            assert await guest.joins(engine) == seat
        return guests

    async def silent(self, door: Door, *addresses: str) -> list[Guest]:
        """Guests from these addresses at a door without handshake, one after another, each with a seat."""
        guests = []
        for address in addresses:
            guests.append(self.dial(address, door))
            guests[-1].seat = await guests[-1].seated()
        return guests

    def state(self, table: int = 1) -> State:
        return self.house.tables[table].state

    async def woken(self, table: int = 1) -> State:
        """The state of a table that may rest; it runs afterwards."""
        task = await self.house.table(table)
        assert task is not None
        return task.state

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait for something that no message tells of."""
        with trio.fail_after(self.patience_s):
            while not true():  # noqa: ASYNC110  # nobody sets an event for it
                await trio.sleep(self.patience_s / LOOKS)


def a_door(house: House, **options: str) -> Door:
    return open_door(Listen("bogaprot", "127.0.0.1", 0, options), house.house_rules())


def config(data: Path | None = None, seats: Seats | None = None, level: int = 1, **limits: object) -> Config:
    """Settings for tests: bots answer at once, nobody is too fast, seats are as by default."""
    many = 100_000
    usual = Limits(
        messages_per_second=1e6,
        messages_burst=many,
        sayings_burst=many,
        open_tables_per_address=many,
        left_games_per_address=many,
    )
    return Config(
        server=Server(data=str(data)) if data else Server(),
        limits=replace(usual, **limits),  # type: ignore[arg-type]
        seats=seats or Seats(),
        bots=Bots(pause_s=0.0, level=level),
    )


@asynccontextmanager
async def hall(
    settings: Config | None = None,
    *,
    log: MakeLog = MemoryLog,
    blocking: bool = False,
    bots: Thinker | None = None,
    accounts: Accounts | None = None,
    bans: Bans | None = None,
    patience_s: float = PATIENCE_S,
    **options: str,
) -> AsyncIterator[Hall]:
    """A house that runs while the block does; ``options`` are its door's."""
    scribe = Scribe(log, blocking=blocking)
    house = House(settings or config(), scribe, bots, accounts, bans)
    here = Hall(house, a_door(house, **options), patience_s)
    try:
        async with trio.open_nursery() as nursery:
            await nursery.start(house.run)
            yield here
            nursery.cancel_scope.cancel()
    finally:
        scribe.log.close()
        for door in (here.door, *here.doors):
            door.sock.close()
        for end in here.ends:
            end.close()


async def alternate(guests: list[Guest], *squares: int) -> None:
    """Placements by one guest after the other, each accepted."""
    for turn, square in enumerate(squares):
        assert await guests[turn % len(guests)].puts(square) == (0,)


class FirstMove:
    """A house bot that plays the first legal move; ``asked`` are the games it was asked about.

    ``released`` are the tables that have let it go.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.released: list[int] = []

    def names(self, game_name: str) -> tuple[str, ...]:
        return ("bot", "house")

    async def choose(self, game_name: str, position: Any, level: int, bout: Bout) -> Move:
        self.asked.append(game_name)
        await trio.lowlevel.checkpoint()
        return registry.game(game_name).legal_moves(position)[0]

    async def settle(self, game_name: str, position: Any, level: int, bout: Bout) -> tuple[int, ...] | None:
        return None

    def release(self, table: int) -> None:
        self.released.append(table)
