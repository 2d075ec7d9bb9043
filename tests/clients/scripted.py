"""Runs a Bogaprot server on a real socket that follows a script, for tests of clients without a table.

    async def script(peer: Peer) -> None:
        await peer.hear("REQ_HANDSHAKE")
        await peer.say("RSP_HANDSHAKE", 0)

    async with serving(script) as address: ...

Each connection runs the next of the scripts; when a script ends, its connection is closed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from clients.joining import Address
from protocols.bogaprot.messages import BOGAPROT
from protocols.core.opcode_codec import Wire, codec
from protocols.core.opcodes import Message, Value

HEARING_S = 60.0
"""Seconds a script waits for its client."""


class Peer:
    """The server's end of one connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._wire = Wire(codec(BOGAPROT), "server")
        self._heard: list[Message] = []

    async def say(self, name: str, *values: Value) -> None:
        self._writer.write(self._wire.build(name, *values))
        await self._writer.drain()

    async def hear(self, name: str) -> tuple[Value, ...]:
        """The values of the client's next message, which must be of this name."""
        async with asyncio.timeout(HEARING_S):
            while not self._heard:
                data = await self._reader.read(4096)
                assert data, f"the client left before it sent {name}"
                self._heard += self._wire.receive_data(data)
        heard = self._heard.pop(0)
        assert heard.name == name
        return heard.values

    async def until_closed(self) -> None:
        while await self._reader.read(4096):
            pass

    async def welcome(self, seat: int, *players: Value) -> str:
        """Answer the handshake and tell the seats; returns the engine that was asked for."""
        engine, version = await self.hear("REQ_HANDSHAKE")
        assert version == 1
        await self.say("RSP_HANDSHAKE", 0)
        await self.say("MSG_SEAT", seat)
        await self.say("MSG_PLAYERS", *players)
        return str(engine)


Script = Callable[[Peer], Awaitable[None]]


@asynccontextmanager
async def serving(*scripts: Script) -> AsyncIterator[Address]:
    """A server that runs one script per connection, in order; an error in a script is raised at the end."""
    waiting = list(scripts)
    running: list[asyncio.Task[None]] = []

    async def run(script: Script, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await script(Peer(reader, writer))
        finally:
            writer.close()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        running.append(asyncio.create_task(run(waiting.pop(0), reader, writer)))

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield Address("127.0.0.1", server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for task in running:
            if not task.done():
                task.cancel()
        results = await asyncio.gather(*running, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result
