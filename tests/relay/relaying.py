"""A relay on real sockets of 127.0.0.1 for the tests of gateway.relay, and clients that speak its lines."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import trio

from gateway.config import Config, Limits, Listen, Server
from gateway.config import Relay as Settings
from gateway.relay.listen import accept, open_relay_door
from gateway.relay.relay import Opened, Relay
from gateway.server.limits import Doors

HOST = "127.0.0.1"
ANNA, BERT, CARL = ("A" * 22, "b-_" + "B" * 19, "c" * 22)
PATIENCE_S = 20.0
"""Seconds after which a test has failed, on whatever clock it runs."""


class Client:
    """One TCP connection to the relay port or to a one-time port."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self._read = b""

    async def say(self, line: str | bytes) -> None:
        await self.stream.send_all(line.encode() + b"\n" if isinstance(line, str) else line)

    async def meet(self, room: str, side: str, addresses: str = "-") -> None:
        await self.say(f"BOARDGATE-RELAY 1 MEET {room} {side} {addresses}")

    async def line(self) -> str | None:
        """The next line; None when the server has closed."""
        while b"\n" not in self._read:
            data = await self.some()
            if not data:
                assert not self._read
                return None
            self._read += data
        line, _, self._read = self._read.partition(b"\n")
        return line.decode("ascii")

    async def lines(self, count: int) -> list[str | None]:
        return [await self.line() for _ in range(count)]

    async def some(self) -> bytes:
        """What comes next; b"" when the server has closed, in whatever way."""
        with trio.fail_after(PATIENCE_S):
            try:
                return bytes(await self.stream.receive_some(65536))
            except trio.BrokenResourceError:
                return b""

    async def rest(self) -> bytes:
        """Everything until the end."""
        parts, self._read = [self._read], b""
        while data := await self.some():
            parts.append(data)
        return b"".join(parts)

    @property
    def shown(self) -> str:
        """As the server sees it."""
        return "{}:{}".format(*self.stream.socket.getsockname()[:2])


@dataclasses.dataclass(slots=True)
class Desk:
    """The relay and its port."""

    relay: Relay
    port: int
    doors: Doors
    clients: list[Client] = dataclasses.field(default_factory=list)

    async def dial(self, port: int | None = None) -> Client:
        self.clients.append(Client(await trio.open_tcp_stream(HOST, self.port if port is None else port)))
        return self.clients[-1]

    def open(self, opener: str = "192.0.2.1", **wishes: Any) -> Opened:
        return self.relay.open(opener, **wishes)

    async def meet(self, room: str, side: str, addresses: str = "-") -> Client:
        """Somebody who has said so."""
        client = await self.dial()
        await client.meet(room, side, addresses)
        return client

    async def met(self, room: str) -> tuple[Client, Client]:
        """Anna and Bert, who have been told of each other."""
        anna = await self.meet(room, ANNA)
        assert await anna.line() == "WAIT"
        bert = await self.meet(room, BERT)
        assert await bert.line() == "WAIT"
        for client, other, place in ((anna, bert, "first"), (bert, anna, "second")):
            assert await client.line() == f"PEER {place} {other.shown} -"
        return anna, bert

    async def joined(self, room: str) -> tuple[Client, Client]:
        """The same, relayed."""
        anna, bert = await self.met(room)
        for client in (anna, bert):
            await client.say("JOIN")
        for client in (anna, bert):
            assert await client.line() == "JOINED"
        return anna, bert

    async def dialled(self, **wishes: Any) -> tuple[Client, Client]:
        """Two programs joined by a one-time port; a byte has gone each way."""
        port = self.open(**wishes).port
        first, second = await self.dial(port), await self.dial(port)
        for one, other in ((first, second), (second, first)):
            await one.say(b"?")
            assert await other.some() == b"?"
        return first, second

    async def until(self, reached: Callable[[], bool]) -> None:
        """Wait for what follows from something done here."""
        with trio.fail_after(PATIENCE_S):
            while not reached():  # noqa: ASYNC110  # sockets set no events
                await trio.sleep(0.01)


@asynccontextmanager
async def relaying(data: Path | None = None, *, record_all: bool = False, **settings: Any) -> AsyncIterator[Desk]:
    """A running relay. ``settings`` are those of [relay], or of [limits] where that has no such name."""
    own = {field.name for field in dataclasses.fields(Settings)}
    limits = Limits(**{key: value for key, value in settings.items() if key not in own})
    wanted = Settings(**{key: value for key, value in settings.items() if key in own})
    config = Config(server=Server(data=str(data or "unused")), limits=limits, relay=wanted)
    doors = Doors(limits)
    door = open_relay_door(Listen("relay", HOST, 0))
    relay = Relay(config, doors, HOST, door.shown.port, record_all=record_all)
    async with trio.open_nursery() as nursery:
        await nursery.start(relay.run)
        nursery.start_soon(accept, relay, door)
        desk = Desk(relay, door.shown.port, doors)
        try:
            yield desk
        finally:
            for client in desk.clients:
                client.stream.socket.close()
        nursery.cancel_scope.cancel()
