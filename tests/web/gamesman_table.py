"""Runs a server with HTTP in the test's process, and GAMESMAN's clients of registered pairs."""

from __future__ import annotations

import socket
import struct
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio

from gateway import registry
from gateway.admission.admission import WebAdmission
from gateway.commits.commit_queue import CommitQueue
from gateway.config import Config, Listen
from gateway.lobby.registration import Registered, Registration
from gateway.ops.server import GameServer
from gateway.ops.sweep import SWEEP_S
from gateway.sessions.listener import open_listener
from gateway.sessions.peer import SocketPeer
from gateway.table.state import State
from gateway.web.app import make_app
from gateway.web.http_dialects import http_dialect_routes
from protocols.core.dialect import Dialect
from protocols.core.model import SeatKind
from tests.hall import config, thinking
from tests.store.accounts_memory import MemoryAccounts
from tests.store.bans_memory import MemoryBans
from tests.store.memory import MemoryLog
from tests.web.serving import PATIENCE_S, connect, served

Headers = dict[str, bytes]
"""Of an answer, names in lower case; those that any HTTP answer has are left out."""

EVERYWHERE = ("date", "content-length", "cache-control", "connection", "server", "x-content-type-options")


@dataclass
class GamesmanServer:
    """A running server; ``port`` is its HTTP listener's."""

    server: GameServer
    port: int
    opened: list[trio.SocketStream] = field(default_factory=list)

    def player(self, name: str, opponent: str) -> Player:
        return Player(self.port, name, opponent, self.opened)

    async def register(self, game: str, first: str, second: str, variant: str = "", **options: str) -> Registered:
        settings = registry.game(game).settings(variant, options=options or None)
        return await self.server.registrar.register(Registration(settings, (first, second)))

    def state(self, table: int = 1) -> State:
        return self.server.tables[table].state

    async def until_ply(self, ply: int, table: int = 1) -> None:
        """Wait until so many moves have been made."""
        with trio.fail_after(PATIENCE_S):
            while self.state(table).ply < ply:  # noqa: ASYNC110  # no event
                await trio.sleep(0.002)

    async def until_offered(self, seat: int, table: int = 1) -> None:
        """Wait until this seat is ready to begin."""
        with trio.fail_after(PATIENCE_S):
            while seat not in {made.seat for made in self.state(table).proposals}:  # noqa: ASYNC110  # no event
                await trio.sleep(0.002)

    async def drop(self, stream: trio.SocketStream) -> None:
        """Close a connection, and wait until the server has noticed."""
        before = self.server.connection_limits.inside
        await stream.aclose()
        with trio.fail_after(PATIENCE_S):
            while self.server.connection_limits.inside >= before:  # noqa: ASYNC110  # no event
                await trio.sleep(0.002)

    async def until_idle(self, lost: int) -> None:
        """Wait for longer than a connection may idle, and until ``lost`` seats are reserved for it."""
        await trio.sleep((self.server.config.limits.idle_s or 0.0) + 2 * SWEEP_S)
        with trio.fail_after(PATIENCE_S):
            while sum(seat.kind is SeatKind.RESERVED for seat in self.state().seats) < lost:  # noqa: ASYNC110
                await trio.sleep(0.002)

    async def sits_elsewhere(self, ticket: str) -> trio.Event:
        """Take this ticket's seat over Bogaprot; the event is set when that connection has ended."""
        listener = open_listener(Listen("bogaprot", "127.0.0.1", 0), self.server.house_rules)
        listener.sock.close()
        ours, theirs = socket.socketpair()
        ended = trio.Event()
        self.server.enter(listener, SocketPeer(theirs), "192.0.2.7")
        guest = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
        self.opened.append(guest)
        engine = f"open#{ticket}".encode() + b"\0"
        await guest.send_all(struct.pack("!ii", 101, len(engine)) + engine + struct.pack("!i", 1))
        assert (await guest.receive_some(8))[:8] == struct.pack("!ii", 102, 0)
        self.server.background.start_soon(_read_on, guest, ended)
        return ended

    async def until_begun(self, table: int = 1) -> None:
        """Wait until the game goes on."""
        with trio.fail_after(PATIENCE_S):
            while self.state(table).games == 0:  # noqa: ASYNC110  # no event
                await trio.sleep(0.002)


@asynccontextmanager
async def gamesman_server(
    settings: Config | None = None, dialects: Mapping[str, type[Dialect]] | None = None
) -> AsyncIterator[GamesmanServer]:
    """A server whose record is in memory; ``dialects`` None: those that are installed."""
    commits = CommitQueue(MemoryLog)
    settings = thinking(settings or config(connections_per_address=10_000), None)
    server = GameServer(settings, commits, MemoryAccounts(), MemoryBans())
    try:
        async with trio.open_nursery() as nursery:
            await nursery.start(server.run)
            app = make_app(server.not_ready, http_dialect_routes(server, dialects or registry.dialects()))
            async with served(
                app, server.config.limits, WebAdmission(server.connection_limits, server.metrics, server.admission)
            ) as port:
                here = GamesmanServer(server, port)
                yield here
                for stream in here.opened:
                    stream.socket.close()
            nursery.cancel_scope.cancel()
    finally:
        commits.log.close()


def post(source: str | bytes, dest: str | bytes, kind: str, move: str | bytes | None = None, **more: str) -> bytes:
    """The bytes of a request, without Content-Length, as Java may send it."""
    pairs = [("type", kind), ("SrcPlayer", source), ("DestPlayer", dest), *more.items()]
    if move is not None:
        pairs.insert(1, ("Move", move))
    lines = [name.encode() + b": " + (text if isinstance(text, bytes) else text.encode()) for name, text in pairs]
    return b"\r\n".join([b"POST /GamesmanServlet HTTP/1.1", b"Host: here", *lines, b"", b""])


async def read_answer(stream: trio.SocketStream) -> tuple[int, Headers]:
    """Status and headers of one answer, whose body must be empty."""
    received = b""
    with trio.fail_after(PATIENCE_S):
        while not received.endswith(b"\r\n\r\n"):
            part = await stream.receive_some()
            assert part, f"the server closed after {received!r}"
            received += part
    first, *lines = received.removesuffix(b"\r\n\r\n").split(b"\r\n")
    assert received.count(b"\r\n\r\n") == 1
    pairs = [line.split(b": ", 1) if b": " in line else [line.rstrip(b":"), b""] for line in lines]
    found = {name.decode().lower(): value for name, value in pairs}
    assert found["content-length"] == b"0"
    return int(first.split()[1]), {name: value for name, value in found.items() if name not in EVERYWHERE}


class Player:
    """A client of ``port`` called ``name`` that plays ``opponent``; each request has a connection of its own.

    ``opened`` collects its connections, which the server's context closes.
    """

    def __init__(self, port: int, name: str, opponent: str, opened: list[trio.SocketStream]) -> None:
        self.port = port
        self.opened = opened
        self.name = name
        self.opponent = opponent

    async def send(self, kind: str, move: str | None = None, **more: str) -> trio.SocketStream:
        """Send a request; the answer is not read."""
        stream = await connect(self.port)
        self.opened.append(stream)
        await stream.send_all(post(self.name, self.opponent, kind, move, **more))
        return stream

    async def ask(self, kind: str, move: str | None = None, **more: str) -> Headers:
        """Send a request and wait for its answer, whose status must be 200."""
        async with await self.send(kind, move, **more) as stream:
            status, headers = await read_answer(stream)
        assert status == 200
        return headers

    async def answer(self, stream: trio.SocketStream) -> Headers:
        """The answer on a connection of ``send``, which it closes."""
        async with stream:
            status, headers = await read_answer(stream)
        assert status == 200
        return headers

    def hears(self, kind: str, move: str | None = None) -> Headers:
        """Return the headers of the opponent's message to this player."""
        said = {} if move is None else {"move": move.encode()}
        return {
            "type": kind.encode(),
            **said,
            "srcplayer": self.opponent.encode(),
            "destplayer": self.name.encode(),
        }

    def acknowledged(self, kind: str) -> Headers:
        return {"type": kind.encode(), "srcplayer": self.name.encode(), "destplayer": self.opponent.encode()}


async def begin(here: GamesmanServer, game: str = "open") -> tuple[Player, Player, trio.SocketStream]:
    """A registered game that is initialized: first and second player, and the request of the second, which waits."""
    await here.register(game, "first", "second")
    first, second = here.player("first", "second"), here.player("second", "first")
    waiting = await second.send("SendMove")
    await here.until_offered(1)
    return first, second, waiting


async def _read_on(guest: trio.SocketStream, ended: trio.Event) -> None:
    async for _ in guest:
        pass
    ended.set()
