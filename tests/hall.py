"""Runs a server in the test's own process; its clients connect by socket pairs and speak Bogaprot.

    async with hall(Config(limits=Limits(idle_s=60.0))) as here:
        anna = here.dial()
        await anna.joins("tic_tac_toe")

The record is in memory, so that a test's clock may jump, unless another one is given.
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
from gateway.bots.analyst import Analyst
from gateway.commits.commit_queue import CommitQueue, MakeLog
from gateway.config import Bots, Config, Limits, Listen, Seats, Server
from gateway.ops.server import GameServer
from gateway.sessions.listener import EntryPoint, Listener, open_listener
from gateway.sessions.peer import Serve, SocketPeer
from gateway.store.accounts import Accounts
from gateway.store.bans import Bans
from gateway.table.bot_context import BotContext
from gateway.table.state import State
from gateway.tables.bots import Thinker
from protocols.bogaprot.messages import BOGAPROT
from protocols.core.model import Move, SeatKind
from protocols.core.opcode_codec import Wire, codec
from protocols.core.opcodes import Message, Value
from tests.store.accounts_memory import MemoryAccounts
from tests.store.bans_memory import MemoryBans
from tests.store.memory import MemoryLog

PATIENCE_S = 10_000.0
"""Seconds until a client gives up waiting for a message; a jumping clock passes them at once."""

LOOKS = 40_000
"""The number of polls in that time for a change that no message tells of."""

HEARD = 200_000
"""Bytes a client receives at most: no test is told more."""

ADDRESS = "192.0.2.1"


class RecordingPeer(SocketPeer):
    """A socket that records the bytes of each send and how much the connection asked to receive."""

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
        """Send a handshake; return the answer's values."""
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
        """Place a piece, on this guest's turn or not; return the answer."""
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
    """A running server; clients of ``listener`` send a handshake."""

    server: GameServer
    listener: Listener
    patience_s: float
    listeners: list[Listener] = field(default_factory=list)
    ends: list[socket.socket] = field(default_factory=list)

    def dial(self, address: str = ADDRESS, listener: EntryPoint | None = None) -> Guest:
        """Connect a client by a pair of sockets."""
        ours, theirs = socket.socketpair()
        self.ends.append(ours)
        peer = RecordingPeer(theirs)
        self.server.enter(listener or self.listener, peer, address)
        return Guest(trio.SocketStream(trio.socket.from_stdlib_socket(ours)), peer, self.patience_s)

    def another_listener(self, **options: str) -> Listener:
        """Open one more listener of the same dialect: ``game="checkers"`` is for clients without handshake."""
        self.listeners.append(bogaprot_listener(self.server, **options))
        return self.listeners[-1]

    async def seat(self, engine: str, count: int = 2) -> list[Guest]:
        """Seat ``count`` clients at one table, in the order of their seats; a full table has begun its game."""
        guests = [self.dial() for _ in range(count)]
        for seat, guest in enumerate(guests):
            assert await guest.joins(engine) == seat
        return guests

    async def silent(self, listener: Listener, *addresses: str) -> list[Guest]:
        """Seat a client from each address, one after another, at a listener without handshake."""
        guests = []
        for address in addresses:
            guests.append(self.dial(address, listener))
            guests[-1].seat = await guests[-1].seated()
        return guests

    def state(self, table: int = 1) -> State:
        return self.server.tables[table].state

    async def woken(self, table: int = 1) -> State:
        """The state of a table that may rest; it runs afterwards."""
        task = await self.server.tables.find(table)
        assert task is not None
        return task.state

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait for a change that no message tells of."""
        with trio.fail_after(self.patience_s):
            while not true():  # noqa: ASYNC110  # the server sets no event for it
                await trio.sleep(self.patience_s / LOOKS)


def bogaprot_listener(server: GameServer, **options: str) -> Listener:
    return open_listener(Listen("bogaprot", "127.0.0.1", 0, options), server.house_rules)


def config(data: Path | None = None, seats: Seats | None = None, level: int = 1, **limits: object) -> Config:
    """Settings for tests: bots answer at once, rate limits are out of reach, seats have their defaults."""
    many = 100_000
    usual = Limits(
        messages_per_second=1e6,
        messages_burst=many,
        sayings_burst=many,
        stored_per_minute=10**12,
        open_tables_per_address=many,
        left_games_per_address=many,
    )
    return Config(
        server=Server(data=str(data)) if data else Server(),
        limits=replace(usual, **limits),  # type: ignore[arg-type]
        seats=seats or Seats(),
        bots=Bots(pause_s=0.0, level=level),
    )


def thinking(settings: Config, bots: Thinker | None) -> Config:
    """The settings with a process for ``bots``, and with none where there are no house bots."""
    return replace(settings, bots=replace(settings.bots, workers=int(bots is not None)))


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
    analyst: Analyst | None = None,
    **options: str,
) -> AsyncIterator[Hall]:
    """Run a server as long as the block; ``options`` are those of its listener. Nobody runs its ``analyst``."""
    commits = CommitQueue(log, blocking=blocking)
    settings = thinking(settings or config(), bots)
    server = GameServer(settings, commits, accounts or MemoryAccounts(), bans or MemoryBans(), bots, analyst=analyst)
    here = Hall(server, bogaprot_listener(server, **options), patience_s)
    try:
        async with trio.open_nursery() as nursery:
            await nursery.start(server.run)
            yield here
            nursery.cancel_scope.cancel()
    finally:
        commits.log.close()
        for listener in (here.listener, *here.listeners):
            listener.sock.close()
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

    def identity(self, game_name: str, bot: str, level: int) -> str:
        return f"{bot or 'first'} 1 level {level}"

    async def choose(self, game_name: str, position: Any, level: int, bot_context: BotContext) -> Move:
        self.asked.append(game_name)
        await trio.lowlevel.checkpoint()
        return registry.game(game_name).legal_moves(position)[0]

    async def settle(
        self, game_name: str, position: Any, level: int, bot_context: BotContext
    ) -> tuple[int, ...] | None:
        return None

    def release(self, table: int) -> None:
        self.released.append(table)
